/** Generates a workspace of contacts by rules: common, rare, absent and old matches for each condition. */
import type pg from 'pg'
import { toSearchText } from '../../src/contacts/search/search-text.ts'

/** The agent of the benchmark is in this team. */
export const ownTeam = 'team_own'
/** The current time of the data; fixed, so that the data can be reused. */
export const dataNow = '2026-06-15T12:00:00.000Z'

/** Builds ids like the service: ten characters of time, the version and the contact number. */
function letters(value: string, count: number): string {
  const digit = (k: number) =>
    `substr('0123456789abcdefghjkmnpqrstvwxyz', ((${value} >> ${5 * k}) & 31)::int + 1, 1)`
  return Array.from({ length: count }, (_, k) => digit(count - 1 - k)).join(' || ')
}
const idOf = `'con_' || ${letters('ms', 10)} || 'e0000000000' || ${letters('i', 5)}`

const first = [
  'Anna',
  'Bruno',
  'Carla',
  'Dmitri',
  'Elena',
  'Farid',
  'Grace',
  'Hiro',
  'Ines',
  'Jonas',
  'Kemal',
  'Lucia',
  'Maya',
  'Nils',
  'Olga',
  'Pedro',
  'Quinn',
  'Rosa',
  'Samir',
  'Tara',
  'Иван',
  'Ольга',
  '王伟',
  'فاطمة',
]
const last = [
  'Abbott',
  'Becker',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Hansen',
  'Ivanov',
  'Jensen',
  'Kowalski',
  'Lehmann',
  'Moreau',
  'Novak',
  'Olsen',
  'Petrov',
  'Quiroga',
  'Rossi',
  'Schmidt',
  'Tanaka',
  'Ueda',
  'Vasquez',
  'Weber',
  'Xu',
  'Yilmaz',
  'Zhang',
  'Okafor',
  'Haddad',
  'Lindqvist',
  "O'Brien",
]

/** Selects a third of all contacts, a different third for each number. */
function third(number: number): string {
  return `hashint4((i * 31 + ${number})::int) % 3 = 0`
}

/** Derives from the contact number which of the four groups it belongs to. `every` is the distance of rare contacts. */
export async function makeTenant(client: pg.Client, tenant: string, size: number): Promise<void> {
  const every = Math.max(1, Math.floor(size / 20))
  const rare = (offset: number) => `i % ${every} = ${Math.min(offset, every - 1)}`
  const old = `i <= ${Math.ceil(size / 10)}`
  await client.query("insert into tenants values ($1, $1, '2020-01-01')", [tenant])
  await client.query(
    `create temp table people as
     select i, at, ${idOf} as id, hash,
       1 + hash % ${first.length} as fi, 1 + (hash / 64) % ${last.length} as li,
       concat_ws(' ', case when ${third(1)} then 'common' end, case when ${rare(1)} then 'seldom' end,
         case when ${old} then 'bygone' end) as mark,
       'user' || i || '@example.com' as email,
       case when ${rare(2)} then 'Platinum' when ${old} then 'Legacy' when ${third(2)} then 'Gold' else 'Basic' end as plan,
       case when ${rare(3)} then 'asked for a zeppelin' when ${old} then 'moved from the archive'
         when ${third(3)} then 'met at the fair ' || i end as note,
       case when ${rare(4)} then '2031-05-05' when ${old} then '2019-03-03'
         when ${third(4)} then to_char(date '2026-01-01' + (hash % 365)::int, 'YYYY-MM-DD') end as due,
       case when i % 2 = 0 then to_char(date '1950-01-01' + (hash % 20000)::int, 'YYYY-MM-DD') end as born
     from (
       select *, (extract(epoch from at) * 1000)::bigint as ms from (
         select i, hashint4(i::int)::bigint + 2147483648 as hash,
           date_trunc('milliseconds', timestamptz '${dataNow}' - (${size} - i) * interval '3 years' / ${size}) as at
         from generate_series(1, ${size}::bigint) i) g) h`,
  )
  const label = (kind: string) => `${kind}_${tenant.slice(3)}`
  for (const way of ['common', 'rare', 'absent', 'old'])
    await client.query('insert into tags values ($1, $2, $3, $3, now())', [
      tenant,
      label(`tag_${way}`),
      `label ${way[0]}`,
    ])
  for (const [id, type] of [
    ['cf_plan', 'text'],
    ['cf_note', 'text'],
    ['cf_due', 'date'],
    ['cf_born', 'date'],
  ])
    await client.query("insert into custom_fields values ($1, $2, 'contact', $2, $2, $3, now())", [
      tenant,
      `${id}_${tenant.slice(3)}`,
      type,
    ])
  const [plan, note, due, born] = ['cf_plan', 'cf_note', 'cf_due', 'cf_born'].map(label) as [
    string,
    string,
    string,
    string,
  ]
  const instant = (column: string) => `${column} || 'T00:00:00.000Z'`
  await client.query(
    `insert into contacts (tenant_id, id, name, sort_name, fields, search_values, search, field_text, created_at, archived_at)
     select $1, id, n.name, lower(n.name),
       jsonb_strip_nulls(jsonb_build_object('cf_email', email, '${plan}', plan, '${note}', note, '${due}', due, '${born}', born)),
       jsonb_strip_nulls(jsonb_build_object('cf_email', email, '${plan}', lower(plan), '${note}', note,
         '${due}', ${instant('due')}, '${born}', ${instant('born')})),
       n.text || E'\\n' || email || case when i % 5 > 0 then E'\\n+1' || (2000000000 + i) else '' end,
       concat_ws(E'\\n', lower(plan), note, ${instant('due')}, ${instant('born')}),
       at, case when i % 50 = 7 then at end
     from people, lateral (
       select concat_ws(' ', ($2::text[])[fi], ($4::text[])[li], nullif(mark, '')) as name,
         concat_ws(' ', ($3::text[])[fi], lower(($4::text[])[li]), nullif(mark, '')) as text) n
     order by id`,
    [tenant, first, first.map(toSearchText), last],
  )
  await client.query(
    `insert into contact_activity (tenant_id, contact_id, updated_at, first_seen_at, last_interaction_at, chat_count,
       conversation_count)
     select $1, id, at + (hash % 1000) * interval '1 hour' * (i % 2),
       case when ${rare(5)} then '2026-06-14T00:00:00Z'::timestamptz when ${old} then at + interval '1 day'
         when ${third(5)} then least(at + interval '2 days', '2026-06-10') end,
       case when ${rare(5)} then '2026-06-15T11:00:00Z'::timestamptz when ${old} then at + interval '9 days'
         when ${third(6)} then least(at + (hash % 400) * interval '1 day', '2026-06-01') else '-infinity' end,
       case when ${rare(5)} then 40 when ${old} then 12 when ${third(7)} then 1 + hash % 4 else 0 end,
       case when i % 4 = 0 or ${rare(6)} then 1 else 0 end
     from people order by id`,
    [tenant],
  )
  await client.query(
    `insert into contact_identities
     select $1, id, 'idn_' || substr(id, 5), 'chatapp', '+1' || (2000000000 + i), '+1' || (2000000000 + i), at
     from people where i % 5 > 0
     union all select $1, id, 'idn_s' || substr(id, 6), 'sms', '+1' || (2000000000 + i), '+1' || (2000000000 + i), at
     from people where i % 5 > 0 and ${old}
     union all select $1, id, 'idn_i' || substr(id, 6), 'socialapp', 'ig' || i, null, at from people where ${rare(9)}`,
    [tenant],
  )
  await client.query(
    `insert into contact_tags
     select $1, '${label('tag_common')}', id from people where ${third(8)}
     union all select $1, '${label('tag_rare')}', id from people where ${rare(8)}
     union all select $1, '${label('tag_old')}', id from people where ${old}`,
    [tenant],
  )
  await client.query(
    `insert into contact_field_values
     select $1, v.field, v.key, id, case when v.field in ('${due}', '${born}') then substr(v.key, 6, 5) end
     from people, lateral (values ('cf_email', email), ('${plan}', lower(plan)), ('${note}', note),
       ('${due}', ${instant('due')}), ('${born}', ${instant('born')})) v (field, key)
     where v.key is not null order by 2, 3, 4`,
    [tenant],
  )
  await client.query(
    `insert into contact_conversations
     select $1, id, 'cnv_' || substr(id, 5), 'chatapp', null,
       case when ${rare(6)} then '${ownTeam}' else 'team_other' end, null
     from people where i % 4 = 0 or ${rare(6)}`,
    [tenant],
  )
  await client.query(
    `insert into contact_chats
     select $1, contact_id, case when last_interaction_at > '-infinity' then last_interaction_at
       - n * interval '1 day' * (case when chat_count = 40 then 0.5 else 9 end) else updated_at end, 'ses_' || n
     from contact_activity, lateral generate_series(1, chat_count) n where tenant_id = $1 and chat_count > 0`,
    [tenant],
  )
  await client.query(
    `insert into contact_counts select $1, 'active', count(*) from contacts where tenant_id = $1 and archived_at is null
     union all select $1, 'archived', count(*) from contacts where tenant_id = $1 and archived_at is not null
     union all select $1, tag_id, count(*) from contact_tags where tenant_id = $1 group by tag_id`,
    [tenant],
  )
  await client.query('drop table people')
}
