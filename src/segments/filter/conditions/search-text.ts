/** Matches text within name, cf_email, cf_phone, phone numbers or tag names, without regard to case. No wildcards. */
import Type from 'typebox'
import { hasTrigrams, normalizeText, toSearchText } from '../../../contacts/search/search-text.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { type ConditionSql, conditionType } from '../condition.ts'
import { isTagged, selectTaggedIds } from './has-any-tag.ts'

export const SearchText = Type.String({ minLength: 1, maxLength: 200 })

/** A text without trigrams uses neither the text index nor a list of ids. */
export function toTextIndex(
  predicate: Sql,
  indexed: boolean,
): Pick<ConditionSql, 'textPredicate' | 'candidateIds'> {
  return indexed ? { textPredicate: predicate } : { candidateIds: [] }
}

export const searchText = conditionType({
  schema: object({ type: Type.Literal('searchText'), text: SearchText }),
  sql: ({ text }, { tenantId, tagIdsByText: tagsNamed }) => {
    const searchText = toSearchText(text)
    const pattern = `%${searchText}%`
    const inText = sql`c.search like ${pattern}`
    const idsInText = sql`
      select id as contact_id from contacts
      where tenant_id = ${tenantId} and deleted_at is null and search like ${pattern}`
    const tagIds = tagsNamed.get(text) ?? []
    const indexed = hasTrigrams(searchText)
    if (tagIds.length === 0) return { check: inText, ids: idsInText, ...toTextIndex(inText, indexed) }
    const tagged = selectTaggedIds(tenantId, tagIds)
    return {
      check: sql`(${inText} or ${isTagged(tagIds)})`,
      collectCheck: sql`c.id in (${idsInText} union ${tagged})`,
      ids: sql`${idsInText} union all ${tagged}`,
      ...(indexed ? {} : { candidateIds: [] }),
    }
  },
  matches: ({ text }, { name, fields, phones, tags }) => {
    const wanted = normalizeText(text)
    const texts = [name, fields.cf_email, fields.cf_phone, ...phones, ...tags.map(tag => tag.name)]
    return texts.some(text => text && normalizeText(text).includes(wanted))
  },
})
