/** Text anywhere in name, cf_email, cf_phone, phone numbers or tag names; case and wildcards mean nothing. */
import Type from 'typebox'
import { fold, hasTrigrams, spell } from '../../../contacts/spelling.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { object } from '../../../platform/http/schemas.ts'
import { type ConditionSql, conditionKind } from '../condition.ts'
import { idsTagged, isTagged } from './has-any-tag.ts'

export const SearchedText = Type.String({ minLength: 1, maxLength: 200 })

/** Too short a text is not worth asking the index for, nor for a list of ids. */
export function byText(predicate: Sql, indexed: boolean): Pick<ConditionSql, 'text' | 'sets'> {
  return indexed ? { text: predicate } : { sets: [] }
}

export const searchText = conditionKind({
  schema: object({ type: Type.Literal('searchText'), text: SearchedText }),
  sql: ({ text }, { tenantId, tagsNamed }) => {
    const spelled = spell(text)
    const pattern = `%${spelled}%`
    const inText = sql`c.search like ${pattern}`
    const idsInText = sql`
      select id as contact_id from contacts
      where tenant_id = ${tenantId} and deleted_at is null and search like ${pattern}`
    const tagIds = tagsNamed.get(text) ?? []
    const indexed = hasTrigrams(spelled)
    if (tagIds.length === 0) return { check: inText, ids: idsInText, ...byText(inText, indexed) }
    const tagged = idsTagged(tenantId, tagIds)
    return {
      check: sql`(${inText} or ${isTagged(tagIds)})`,
      gather: sql`c.id in (${idsInText} union ${tagged})`,
      ids: sql`${idsInText} union all ${tagged}`,
      ...(indexed ? {} : { sets: [] }),
    }
  },
  matches: ({ text }, { name, fields, phones, tags }) => {
    const wanted = fold(text)
    const found = [name, fields.cf_email, fields.cf_phone, ...phones, ...tags.map(tag => tag.name)]
    return found.some(one => one && fold(one).includes(wanted))
  },
})
