/**
 * Grows a workspace: equal numbers of users, contacts with a conversation each, messages (one conversation in a hundred
 * has a hundred), recipients of one campaign, webhook attempts and waiting jobs.
 */
import { type ConnectionConfig, connectDb, type Db } from '../../src/platform/db/db.ts'
import { raw, sql } from '../../src/platform/db/sql.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { type Accounts, addPeople } from '../messages/accounts.ts'
import { fillAttempts } from '../webhooks/attempts.ts'

export const campaignId = 'cmp_00000000000000000000000001'
export const waitingJob = 'bench_waiting'
/** For each size, twenty evenly spread contacts have the tag of that size. */
export const rareTag = (size: number): string => `tag_${String(size).padStart(26, '0')}`

const perStep = 50_000
const filled = [
  'users',
  'contacts',
  'contact_activity',
  'contact_tags',
  'conversations',
  'conversation_states',
  'conversation_addresses',
  'conversation_sessions',
  'messages',
  'campaign_recipients',
]

export async function grow(
  deps: Deps,
  filling: ConnectionConfig,
  accounts: Accounts,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const db = connectDb({ connection: filling, clock: deps.clock, readers: 1, writers: 1 })
  const indexes = await dropIndexes(db, filled)
  const talkative = from + Math.ceil((to - from) / 100)
  await addPeople({ ...deps, db }, accounts, { from, to: talkative, messages: 100 })
  for (let at = talkative; at < to; at += perStep)
    await addPeople({ ...deps, db }, accounts, { from: at, to: Math.min(to, at + perStep) })
  await addOthers(db, accounts, from, to)
  for (const { definition } of indexes) await db.run(raw(definition))
  await fillAttempts({ ...deps, db }, accounts.tenantId, { from, to })
  await db.run(sql`vacuum analyze`)
  await db.run(sql`checkpoint`)
  await db.close()
}

async function addOthers(db: Db, { tenantId, ownerId }: Accounts, from: number, to: number): Promise<void> {
  const range = sql`generate_series(${from}::int, ${to - 1}::int) as i`
  const id = (prefix: string) => sql`(${prefix}::text || lpad(i::text, 26, '0'))`
  const every = to / 20
  await db.run(sql`
    insert into users (tenant_id, id, name, email, email_key, role, provider, joined_at, updated_at)
    select ${tenantId}, ${id('usr_')}, 'Person ' || i, 'p' || i || '@example.com', 'p' || i || '@example.com', 'agent',
      'password', now(), now() from ${range}`)
  await db.run(sql`
    insert into tags (tenant_id, id, name, name_key, created_at)
    values (${tenantId}, ${rareTag(to)}, ${`Rare ${to}`}, ${`rare ${to}`}, now())`)
  await db.run(sql`
    insert into contact_tags (tenant_id, tag_id, contact_id)
    select ${tenantId}, ${rareTag(to)}, 'con_' || lpad((i * ${every}::int)::text, 26, '0') from generate_series(0, 19) i`)
  await db.run(sql`
    insert into campaigns (tenant_id, id, name, status, created_by, created_at, updated_at, started_at, audience_count)
    values (${tenantId}, ${campaignId}, 'Bench', 'sent', ${ownerId}, now(), now(), now(), ${to})
    on conflict (tenant_id, id) do update set audience_count = excluded.audience_count`)
  await db.run(sql`
    insert into campaign_recipients (tenant_id, campaign_id, contact_id, status, updated_at)
    select ${tenantId}, ${campaignId}, ${id('con_')}, 'delivered', now() from ${range}`)
  await db.run(sql`
    insert into job_lanes (name, tenant_id, ordered, state, at, pending, payload)
    select ${waitingJob}, ${tenantId}, false, 'ready', now(), 1, '{}' from ${range}`)
}

/** Indexes are recreated after the load, which is many times faster. Indexes of constraints stay. */
export async function dropIndexes(db: Db, tables: readonly string[]): Promise<{ definition: string }[]> {
  const found = await db.rows<{ name: string; definition: string }>(sql`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = any (${tables}::regclass[])
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`)
  for (const { name } of found) await db.run(raw(`drop index ${name}`))
  return found
}
