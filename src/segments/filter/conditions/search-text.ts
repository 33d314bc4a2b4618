/** Text anywhere in name, cf_email, cf_phone, phone numbers or tag names; case and wildcards mean nothing. */
import Type from 'typebox'
import { hasTrigrams, normalizeText, toSearchText } from '../../../contacts/search-text.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { type ConditionSql, conditionType } from '../condition.ts'
import { isTagged, selectTaggedIds } from './has-any-tag.ts'

export const SearchText = Type.String({ minLength: 1, maxLength: 200 })

/** Too short a text is not worth asking the index for, nor for a list of ids. */
export function toTextIndex(predicate: Sql, indexed: boolean): Pick<ConditionSql, 'text' | 'sets'> {
  return indexed ? { text: predicate } : { sets: [] }
}

export const searchText = conditionType({
  schema: object({ type: Type.Literal('searchText'), text: SearchText }),
  sql: ({ text }, { tenantId, tagIdsByText: tagsNamed }) => {
    const spelled = toSearchText(text)
    const pattern = `%${spelled}%`
    const inText = sql`c.search like ${pattern}`
    const idsInText = sql`
      select id as contact_id from contacts
      where tenant_id = ${tenantId} and deleted_at is null and search like ${pattern}`
    const tagIds = tagsNamed.get(text) ?? []
    const indexed = hasTrigrams(spelled)
    if (tagIds.length === 0) return { check: inText, ids: idsInText, ...toTextIndex(inText, indexed) }
    const tagged = selectTaggedIds(tenantId, tagIds)
    return {
      check: sql`(${inText} or ${isTagged(tagIds)})`,
      collectCheck: sql`c.id in (${idsInText} union ${tagged})`,
      ids: sql`${idsInText} union all ${tagged}`,
      ...(indexed ? {} : { sets: [] }),
    }
  },
  matches: ({ text }, { name, fields, phones, tags }) => {
    const wanted = normalizeText(text)
    const found = [name, fields.cf_email, fields.cf_phone, ...phones, ...tags.map(tag => tag.name)]
    return found.some(one => one && normalizeText(one).includes(wanted))
  },
})
