/** Inserts many open conversations by SQL: a test of a long list does not wait for a hundred thousand messages. */
import { sql } from '../../../src/platform/db/sql.ts'
import type { TestService } from '../../harness/service.ts'
import type { Office } from './people.ts'

/** The customer with the highest number wrote last. */
export async function insertConversations(
  { deps: { db } }: TestService,
  { tenantId, inboxId }: Office,
  count: number,
): Promise<void> {
  const id = (prefix: string) => sql`(${prefix}::text || lpad(n::text, 26, '0'))`
  const at = sql`(timestamptz '2026-01-01' + n * interval '1 s')`
  const range = sql`generate_series(1, ${count}::int) as n`
  await db.run(sql`
    insert into contacts (tenant_id, id, name, sort_name, search, created_at)
    select ${tenantId}, ${id('con_')}, 'Customer ' || n, 'customer ' || n, '', ${at} from ${range}`)
  await db.run(sql`
    insert into contact_activity (tenant_id, contact_id, updated_at)
    select ${tenantId}, ${id('con_')}, ${at} from ${range}`)
  await db.run(sql`
    insert into conversations (tenant_id, id, channel, external_id, contact_id, created_at)
    select ${tenantId}, ${id('cnv_')}, 'chatapp', '+1415' || (5000000 + n), ${id('con_')}, ${at} from ${range}`)
  await db.run(sql`
    insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, contact_id, message_count,
      customer_count, last_message_at, last_message_preview, last_message_sender, updated_at, opened_at)
    select ${tenantId}, ${id('cnv_')}, 'open', ${id('ses_')}, ${inboxId}, ${id('con_')}, 1, 1, ${at}, 'message ' || n,
      'customer', ${at}, ${at}
    from ${range}`)
  await db.run(sql`
    insert into conversation_sessions (tenant_id, id, conversation_id, inbox_id, contact_id, opened_at)
    select tenant_id, session_id, conversation_id, inbox_id, contact_id, opened_at
    from conversation_states where tenant_id = ${tenantId}`)
}
