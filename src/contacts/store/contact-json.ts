/**
 * Reads contacts in the shape of the API, each as the text of its JSON: a page is sent without being parsed and written again.
 * The database builds it in the statement that finds the contacts.
 */
import type { Queryable } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import { predefinedIds } from '../tags-and-fields/custom-field-values.ts'
import { allIdentities, fromRequested, phoneOrFirst } from './contact-views.ts'

export interface ContactJson {
  id: string
  json: string
}

const text = (value: string) => `coalesce(to_json(${value})::text, 'null')`
const time = (value: string) => `'"' || to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'`

const tagIds = raw(`coalesce((
  select string_agg('"' || l.tag_id || '"', ',' order by l.tag_id)
  from contact_tags l join tags t on t.tenant_id = l.tenant_id and t.id = l.tag_id
  where l.tenant_id = c.tenant_id and l.contact_id = c.id and t.deleted_at is null), '')`)

const optOuts = raw(`coalesce((
  select string_agg('"' || l.channel || '"', ',' order by l.channel)
  from contact_opt_outs l where l.tenant_id = c.tenant_id and l.contact_id = c.id), '')`)

const identities = sql`coalesce((
  select string_agg(
    '{"id":"' || l.id || '","channel":"' || l.channel || '","externalId":' || ${raw(text('l.external_id'))}
    || ',"username":' || ${raw(text('l.username'))} || ',"metadata":{"phoneNumber":' || coalesce(to_json(${phoneOrFirst})::text, 'null')
    || '}}', ',' order by l.created_at, l.id)
  from ${allIdentities} l where not l.reserved), '')`

const predefined = raw(`'{${predefinedIds}}'::text[]`)
const predefinedValues = raw(predefinedIds.map(id => `'"${id}":' || (c.fields -> '${id}')::text`).join(', '))

/** Values by field name, without those of deleted fields. Most contacts have values of predefined fields only. */
const customFields = sql`case
  when c.fields - ${predefined} = '{}' then concat_ws(',', ${predefinedValues})
  else (
    select coalesce(string_agg(to_json(coalesce(d.name, v.key))::text || ':' || to_json(v.value)::text, ',' order by v.key), '')
    from jsonb_each_text(c.fields) v
    left join custom_fields d
      on d.tenant_id = c.tenant_id and d.id = v.key and d.entity_type = 'contact' and d.deleted_at is null
    where d.id is not null or v.key = any (${predefined})) end`

const json = sql`${raw(`'{"id":"' || c.id || '","name":' || ${text('c.name')} || ',"createdAt":' || ${time('c.created_at')}
  || ',"updatedAt":' || ${time('a.updated_at')} || ',"archivedAt":' || coalesce(${time('c.archived_at')}, 'null')
  || ',"avatarUrl":' || ${text('c.avatar_url')}`)} || ',"tagIds":[' || ${tagIds} || '],"optOuts":[' || ${optOuts}
  || '],"identities":[' || ${identities} || '],"tenantId":"' || c.tenant_id || '","customFields":{' || ${customFields} || '}}'`

/** In the order of the ids. */
export function listContactJson(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactJson[]> {
  return on.rows<ContactJson>(sql`select c.id, ${json} as json ${fromRequested(tenantId, ids)}`)
}

/** `select` returns rows of contacts in the order of the page. */
export function listSelectedContactJson(on: Queryable, select: Sql): Promise<ContactJson[]> {
  return on.rows<ContactJson>(sql`
    select c.id, ${json} as json
    from (select s.*, row_number() over () as position from (${select}) s) c
    cross join lateral (
      select * from contact_activity where tenant_id = c.tenant_id and contact_id = c.id limit 1) a
    order by c.position`)
}
