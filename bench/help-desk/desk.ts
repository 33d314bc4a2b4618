/**
 * Fills a workspace with open conversations that use everything a help desk keeps of them: owners, teams, labels,
 * priorities, customers who wait, snoozes. `removeHelpDesk` removes the structures that are kept for them.
 */
import { type ConnectionConfig, connectDb, type Db } from '../../src/platform/db/db.ts'
import { raw, type Sql, sql } from '../../src/platform/db/sql.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { dropIndexes } from '../growth/fill.ts'
import { type Accounts, addPeople } from '../messages/accounts.ts'

export interface Desk {
  accounts: Accounts
  conversations: number
  /** In each conversation. */
  messages: number
}

const perStep = 50_000
const filled = [
  'contacts',
  'contact_activity',
  'conversations',
  'conversation_addresses',
  'conversation_sessions',
  'conversation_states',
  'messages',
]

export async function fillDesk(deps: Deps, filling: ConnectionConfig, desk: Desk): Promise<void> {
  const { accounts, conversations, messages } = desk
  const db = connectDb({ connection: filling, clock: deps.clock, readers: 1, writers: 1 })
  const indexes = await dropIndexes(db, filled)
  for (let from = 0; from < conversations; from += perStep)
    await addPeople({ ...deps, db }, accounts, {
      from,
      to: Math.min(conversations, from + perStep),
      messages,
    })
  await addWork(db, accounts.tenantId)
  await db.run(raw('vacuum full conversation_states'))
  for (const { definition } of indexes) await db.run(raw(definition))
  await db.run(sql`vacuum analyze`)
  await db.run(sql`checkpoint`)
  await db.close()
}

/** `h` is a number from 0 to 999 that is independent of the order of the conversations. */
async function addWork(db: Db, tenantId: string): Promise<void> {
  const id = (prefix: string, n: Sql) => sql`(${`${prefix}_`}::text || lpad((${n})::text, 26, '0'))`
  await db.run(sql`
    insert into labels (tenant_id, id, name, name_key, color, created_by, created_at)
    select ${tenantId}, ${id('lab', raw('i'))}, 'Label ' || i, 'label ' || i, 'blue', 'usr_1', now() from generate_series(0, 19) i`)
  await db.unprepared(sql`
    update conversation_states s set customer_count = 1, waiting_since = case when h % 4 = 0 then last_message_at end,
      owner_type = case when h % 2 = 0 then 'user' end, owner_id = case when h % 2 = 0 then ${id('usr', raw('h / 2 % 40'))} end,
      team_id = case when h % 3 = 0 then ${id('team', raw('h / 3 % 10'))} end,
      priority = case when h % 10 = 3 then 1 + h / 10 % 4 end,
      snoozed = h % 50 = 9, snoozed_until = case when h % 50 = 9 then now() + interval '1 year' end,
      label_ids = case when h % 5 = 0 then array[${id('lab', raw('h / 5 % 20'))}] else '{}' end
    from (select conversation_id as id, (right(conversation_id, 9)::bigint * 7919 % 1000)::int as h
      from conversation_states where tenant_id = ${tenantId}) n
    where s.tenant_id = ${tenantId} and s.conversation_id = n.id`)
  await db.unprepared(sql`
    insert into conversation_labels (tenant_id, label_id, conversation_id, status, last_message_at)
    select tenant_id, unnest(label_ids), conversation_id, status, last_message_at from conversation_states
    where tenant_id = ${tenantId} and label_ids <> '{}'`)
}

const pad = (prefix: string, n: number) => `${prefix}_${String(Math.floor(n)).padStart(26, '0')}`

/** Describes conversation number `i` as `addWork` has stored it. */
export function toAssignment(i: number) {
  const h = (i * 7919) % 1000
  const isOwned = h % 2 === 0
  return {
    teamId: h % 3 === 0 ? pad('team', (h / 3) % 10) : null,
    ownerType: isOwned ? 'user' : null,
    ownerId: isOwned ? pad('usr', (h / 2) % 40) : null,
    revision: 0,
    customerCount: 1,
  }
}

/**
 * Indexes that only filters, views and counts of conversations read. Lists in the order of updates need the others; that of
 * the last message has an index of its own where those by status are not kept.
 */
const indexes = [
  'inbox_status',
  'owner',
  'priority',
  'snoozed',
  'status',
  'team',
  'unassigned',
  'unread_last',
  'waiting',
  'waiting_last',
]

type Structure = (typeof indexes)[number] | 'labels' | 'waits'
export const structures: readonly Structure[] = [...indexes, 'labels', 'waits']

/** Without `waits` no reply ends one, so none is counted for the reports. */
export async function removeHelpDesk(db: Db, removed: readonly Structure[]): Promise<void> {
  for (const name of indexes.filter(index => removed.includes(index)))
    await db.run(raw(`drop index conversation_states_${name}`))
  if (removed.includes('status'))
    await db.run(
      raw(
        'create index conversation_states_last on conversation_states (tenant_id, last_message_at, conversation_id)',
      ),
    )
  if (removed.includes('labels'))
    await db.run(raw('drop trigger conversation_states_labels on conversation_states'))
  if (removed.includes('waits')) {
    await db.run(raw('update conversation_states set waiting_since = null where waiting_since is not null'))
    await db.run(raw('vacuum full conversation_states'))
  }
  await db.run(sql`vacuum analyze`)
  await db.run(sql`checkpoint`)
}
