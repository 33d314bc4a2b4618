/**
 * Fills a workspace with conversations and messages of a year, by statements over sets: a fifth of the conversations is
 * open; owners, teams, inboxes and labels are common or rare; words of messages follow a power law.
 */
import { createHash } from 'node:crypto'
import { toVector } from '../../src/conversations/search/words.ts'
import { type ConnectionConfig, connectDb, type Db } from '../../src/platform/db/db.ts'
import { raw, type Sql, sql } from '../../src/platform/db/sql.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { dropIndexes } from '../growth/fill.ts'

export interface Office {
  tenantId: string
  ownerId: string
  conversations: number
  messages: number
}

const people = 40
const teams = 10
const inboxes = 12
const labels = 20
const wordsPerMessage = 8
const vocabulary = 20_000
const perStep = 250_000
const daySeconds = 86_400

const pad = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, '0')}`
export const toUserId = (n: number): string => pad('usr', n)
export const toTeamId = (n: number): string => pad('team', n)
export const toInboxId = (n: number): string => pad('inb', n)
export const toLabelId = (n: number): string => pad('lab', n)
export const toContactId = (n: number): string => pad('con', n)
/** The word of a rank: 0 occurs in about half of all messages, 2,000 in some of a thousand. */
export const toWord = (rank: number): string =>
  createHash('md5').update(String(rank)).digest('hex').slice(0, 6)
/** In twenty messages. */
export const rareWord = 'zebrafinch'

const filled = [
  'contacts',
  'contact_activity',
  'conversations',
  'conversation_states',
  'conversation_sessions',
  'conversation_labels',
  'messages',
  'message_search',
  'read_cursors',
]

/** Tables stay without statistics until `analyze`, as after a restore or an import. */
export async function fillOffice(deps: Deps, filling: ConnectionConfig, office: Office): Promise<void> {
  const db = connectDb({ connection: filling, clock: deps.clock, readers: 1, writers: 1 })
  for (const table of filled) await db.run(raw(`alter table ${table} set (autovacuum_enabled = off)`))
  const indexes = await dropIndexes(db, filled)
  await addStaff(db, office)
  for (let from = 0; from < office.conversations; from += perStep)
    await addConversations(db, office, { from, to: Math.min(office.conversations, from + perStep) })
  for (let from = 0; from < office.messages; from += perStep)
    await addMessages(db, office, { from, to: Math.min(office.messages, from + perStep) })
  for (const { definition } of indexes) await db.run(raw(definition))
  await db.run(sql`checkpoint`)
  await db.close()
}

const id = (prefix: string, n: string | Sql = 'i') =>
  sql`(${`${prefix}_`}::text || lpad(${typeof n === 'string' ? raw(n) : n}::text, 26, '0'))`

async function addStaff(db: Db, { tenantId, ownerId }: Office): Promise<void> {
  await db.run(sql`
    insert into users (tenant_id, id, name, email, email_key, role, provider, joined_at, updated_at)
    select ${tenantId}, ${id('usr')}, 'Agent ' || i, 'a' || i || '@example.com', 'a' || i || '@example.com', 'agent', 'password',
      now() - interval '2 years', now() from generate_series(0, ${people - 1}::int) i`)
  await db.run(sql`
    update users set joined_at = now() - interval '2 years' where tenant_id = ${tenantId} and id = ${ownerId}`)
  await db.run(sql`
    insert into teams (tenant_id, id, name, name_key, created_at, updated_at)
    select ${tenantId}, ${id('team')}, 'Team ' || i, 'team ' || i, now(), now() from generate_series(0, ${teams - 1}::int) i`)
  await db.run(sql`
    insert into labels (tenant_id, id, name, name_key, color, created_by, created_at)
    select ${tenantId}, ${id('lab')}, 'Label ' || i, 'label ' || i, 'blue', ${ownerId}, now()
    from generate_series(0, ${labels - 1}::int) i`)
  await db.run(sql`
    insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, created_by, created_at, updated_at)
    select ${tenantId}, ${id('inb')}, (array['chatapp', 'chatapp', 'sms', 'socialapp'])[1 + i % 4], 'x' || i, 'x', 'Inbox ' || i,
      '{}', ${ownerId}, now(), now() from generate_series(0, ${inboxes - 1}::int) i`)
}

interface Range {
  from: number
  to: number
}

/** `h` is a number from 0 to 999 that is independent of the order of the conversations. */
async function addConversations(
  db: Db,
  { tenantId, conversations, ownerId }: Office,
  { from, to }: Range,
): Promise<void> {
  const rows = sql`(
    select i, h, date_trunc('second', now()) - (${conversations}::int - i) * interval '1 s' * (${365 * daySeconds}::float8 / ${conversations}) as at,
      h < 200 as open, sqrt(h * 7 % 1000 * ${(inboxes * inboxes) / 1000}::float8)::int % ${inboxes}::int as inbox,
      (array['chatapp', 'chatapp', 'sms', 'socialapp'])[1 + sqrt(h * 7 % 1000 * ${(inboxes * inboxes) / 1000}::float8)::int % ${inboxes}::int % 4] as channel,
      case when h % 3 = 0 then h / 3 % ${teams}::int end as team, case when h % 2 = 0 then h / 2 % ${people}::int end as person
    from (select i, (i::bigint * 7919 % 1000)::int as h from generate_series(${from}::int, ${to - 1}::int) i) n) r`
  const owner = sql`case when r.person is not null then ${id('usr', 'r.person')} when h % 10 = 1 then ${id('team', raw('coalesce(r.team, 0)'))} end`
  const ownerType = raw(`case when r.person is not null then 'user' when h % 10 = 1 then 'team' end`)
  const team = sql`case when r.team is not null then ${id('team', 'r.team')} end`
  const name = raw(`('Person ' || i || ' ' || substr(md5((i % 5000)::text), 1, 8))`)
  await db.unprepared(sql`
    insert into contacts (tenant_id, id, name, sort_name, search, created_at)
    select ${tenantId}, ${id('con')}, ${name}, lower(${name}), '', at from ${rows}`)
  await db.unprepared(sql`
    insert into contact_activity (tenant_id, contact_id, updated_at) select ${tenantId}, ${id('con')}, at from ${rows}`)
  await db.unprepared(sql`
    insert into conversations (tenant_id, id, channel, external_id, contact_id, name, search, created_at)
    select ${tenantId}, ${id('cnv')}, channel, '+1415' || (5000000 + i), ${id('con')}, ${name},
      lower(${name} || ' +1415' || (5000000 + i)), at - interval '1 day' from ${rows}`)
  await db.unprepared(sql`
    insert into conversation_sessions (tenant_id, id, conversation_id, inbox_id, contact_id, team_id, owner_type, owner_id, opened_at, closed_at)
    select ${tenantId}, ${id('ses')}, ${id('cnv')}, ${id('inb', 'r.inbox')}, ${id('con')}, ${team}, ${ownerType}, ${owner}, at,
      case when not open then at end from ${rows}`)
  await db.unprepared(sql`
    insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, contact_id, team_id, owner_type,
      owner_id, message_count, customer_count, last_message_at, last_message_preview, last_message_sender, last_customer_at,
      updated_at, opened_at, closed_at, waiting_since, priority, snoozed, snoozed_until, label_ids)
    select ${tenantId}, ${id('cnv')}, case when open then 'open' else 'closed' end, ${id('ses')}, ${id('inb', 'r.inbox')}, ${id('con')},
      ${team}, ${ownerType}, ${owner}, 10, case when h % 20 = 7 then 0 else 5 end, at, 'Hello', 'customer', at, at, at,
      case when not open then at end, case when open and h % 4 = 0 then at end, case when h % 10 = 3 then 1 + h / 10 % 4 end,
      open and h % 50 = 9, case when open and h % 50 = 9 then now() + interval '1 day' end,
      case when h % 5 = 0 then array[${id('lab', raw(`(sqrt(h / 5)::int % ${labels})`))}] else '{}' end from ${rows}`)
  await db.unprepared(sql`
    insert into conversation_labels (tenant_id, label_id, conversation_id, status, last_message_at)
    select s.tenant_id, unnest(s.label_ids), s.conversation_id, s.status, s.last_message_at from conversation_states s
    where s.tenant_id = ${tenantId} and s.conversation_id >= ${pad('cnv', from)} and s.conversation_id < ${pad('cnv', to)}`)
  await db.unprepared(sql`
    insert into read_cursors (tenant_id, user_id, conversation_id, position, customer_position)
    select ${tenantId}, u, ${id('cnv')}, 10, 5 from ${rows}, unnest(${[ownerId, toUserId(3)]}::text[]) u where h % 3 <> 0`)
}

/** Returns what begins the words of a workspace in the month of a time. */
const toPrefix = (tenantId: string, at: Date): string =>
  toVector(tenantId, at.toISOString(), 'x')!.replace(/^'(.*)x'.*$/, '$1')

async function addMessages(db: Db, office: Office, { from, to }: Range): Promise<void> {
  const { tenantId, conversations, messages } = office
  const secondsPerMessage = (365 * daySeconds) / messages
  const now = Date.now()
  const months = Array.from({ length: 14 }, (_, n) => {
    const at = new Date(now)
    at.setUTCDate(1)
    at.setUTCMonth(at.getUTCMonth() - n)
    return { month: at.toISOString().slice(0, 7), prefix: toPrefix(tenantId, at) }
  })
  await db.unprepared(sql`
    create unlogged table bench_messages as
    select i, ${id('msg')} as id, i % ${conversations}::int as conversation, i / ${conversations}::int + 1 as position, at,
      to_char(at at time zone 'utc', 'YYYY-MM') as month, w.words
      || case when i % greatest(1, ${messages}::int / 20) = 7 then array[${rareWord}] else '{}' end as words
    from (select i, date_trunc('milliseconds', to_timestamp(${now / 1000}::float8 - (${messages}::int - i) * ${secondsPerMessage}::float8)) as at
      from generate_series(${from}::int, ${to - 1}::int) i) m
    cross join lateral (
      select array_agg(substr(md5(floor(${vocabulary}::int * power(random(), 4))::int::text), 1, 6)) as words
      from generate_series(1, ${wordsPerMessage}::int + 0 * m.i)) w`)
  await db.unprepared(sql`
    insert into messages (tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type, sender_id,
      content, status, created_at, updated_at)
    select ${tenantId}, b.id, ${id('cnv', 'b.conversation')}, b.position, ${id('ses', 'b.conversation')}, s.inbox_id,
      case when b.i % 2 = 0 then 'in' else 'out' end, case when b.i % 2 = 0 then 'customer' else 'user' end,
      case when b.i % 2 = 0 then s.contact_id else ${toUserId(1)} end,
      json_build_object('type', 'text', 'text', json_build_object('body', array_to_string(b.words, ' '))), 'delivered', b.at, b.at
    from bench_messages b
    join conversation_states s on s.tenant_id = ${tenantId} and s.conversation_id = ${id('cnv', 'b.conversation')}`)
  await db.unprepared(sql`
    insert into message_search (tenant_id, id, at, words)
    select ${tenantId}, b.id, b.at, (
      select string_agg('''' || p.prefix || w || ''':' || n, ' ')::tsvector from unnest(b.words) with ordinality u(w, n))
    from bench_messages b join unnest(${months.map(one => one.month)}::text[], ${months.map(one => one.prefix)}::text[])
      as p(month, prefix) on p.month = b.month`)
  await db.unprepared(sql`drop table bench_messages`)
}
