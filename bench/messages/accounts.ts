/** Creates a workspace with an inbox and contacts directly in the database. */
import { createAuthSession } from '../../src/identity/auth/sessions.ts'
import { UserId } from '../../src/identity/schemas.ts'
import { createWorkspace } from '../../src/identity/workspace/tenants.ts'
import { InboxId } from '../../src/inboxes/schemas.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transact } from '../../src/platform/db/transact.ts'
import type { Deps } from '../../src/platform/deps.ts'

export interface Accounts {
  tenantId: string
  ownerId: string
  token: string
  inboxId: string
}

export async function openAccounts(deps: Deps, account = '5550001'): Promise<Accounts> {
  const { tenantId, ownerId } = await transact(deps.db, tx =>
    createWorkspace(tx, {
      name: 'Bench',
      owner: { name: 'Owner', email: `${UserId.create()}@example.com`, passwordHash: 'none' },
    }),
  )
  const { accessToken } = await transact(deps.db, tx =>
    createAuthSession(deps, tx, { tenantId, userId: ownerId }),
  )
  const inboxId = InboxId.create()
  await deps.db.run(sql`
    insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, created_by, created_at, updated_at)
    values (${tenantId}, ${inboxId}, 'chatapp', ${account}, '555', 'Bench',
      ${JSON.stringify({ phoneNumberId: account, wabaId: '555', displayPhoneNumber: '+1 555' })}, ${ownerId}, now(), now())`)
  return { tenantId, ownerId, token: accessToken, inboxId }
}

/** Creates contacts number `from` to `to`, each with `messages` messages in an open conversation. */
export async function addPeople(
  { db }: Deps,
  { tenantId, inboxId }: Accounts,
  { from, to, messages = 0 }: { from: number; to: number; messages?: number },
): Promise<void> {
  const range = sql`generate_series(${from}::int, ${to - 1}::int) as i`
  const id = (prefix: string) => sql`(${prefix}::text || lpad(i::text, 26, '0'))`
  const at = sql`(timestamptz '2026-01-01' + i * interval '1 s')`
  await db.unprepared(sql`
    insert into contacts (tenant_id, id, name, sort_name, search, created_at)
    select ${tenantId}, ${id('con_')}, 'Person ' || i, 'person ' || i, '', ${at} from ${range}`)
  await db.unprepared(sql`
    insert into contact_activity (tenant_id, contact_id, updated_at)
    select ${tenantId}, ${id('con_')}, ${at} from ${range}`)
  await db.unprepared(sql`
    insert into contact_identities (tenant_id, contact_id, id, channel, external_id, phone, created_at)
    select ${tenantId}, ${id('con_')}, ${id('idn_')}, 'chatapp', '+1415' || (5000000 + i), '+1415' || (5000000 + i), ${at}
    from ${range}`)
  await db.unprepared(sql`
    insert into conversations (tenant_id, id, channel, external_id, contact_id, name, search, created_at)
    select ${tenantId}, ${id('cnv_')}, 'chatapp', '+1415' || (5000000 + i), ${id('con_')}, 'Person ' || i,
      'person ' || i || chr(10) || '+1415' || (5000000 + i), ${at} from ${range}`)
  await db.unprepared(sql`
    insert into conversation_addresses (tenant_id, channel, address, conversation_id)
    select ${tenantId}, 'chatapp', '+1415' || (5000000 + i), ${id('cnv_')} from ${range}`)
  await db.unprepared(sql`
    insert into conversation_sessions (tenant_id, id, conversation_id, inbox_id, contact_id, opened_at)
    select ${tenantId}, ${id('ses_')}, ${id('cnv_')}, ${inboxId}, ${id('con_')}, ${at} from ${range}`)
  await db.unprepared(sql`
    insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, contact_id, message_count, last_message_at, last_message_preview, last_message_sender)
    select ${tenantId}, ${id('cnv_')}, 'open', ${id('ses_')}, ${inboxId}, ${id('con_')}, ${messages}, ${at}, 'Hello', 'user' from ${range}`)
  if (messages > 0)
    await db.unprepared(sql`
      insert into messages (tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type, sender_id, content, status, created_at, updated_at)
      select ${tenantId}, 'msg_' || lpad((i::bigint * ${messages} + n)::text, 26, '0'), ${id('cnv_')}, n, ${id('ses_')}, ${inboxId}, 'out', 'user', 'usr_1',
        '{"type":"text","text":{"body":"A message of ordinary length, as people write"}}', 'delivered', ${at}, ${at}
      from ${range}, generate_series(1, ${messages}::int) as n`)
}

export const toContactId = (i: number): string => `con_${String(i).padStart(26, '0')}`
export const toConversationId = (i: number): string => `cnv_${String(i).padStart(26, '0')}`
export const toSessionId = (i: number): string => `ses_${String(i).padStart(26, '0')}`
export const toPhone = (i: number): string => `+1415${5_000_000 + i}`
