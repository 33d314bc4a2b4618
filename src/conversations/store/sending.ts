/** What the sender of messages asks for, many at a time. */
import { hasOptedOut } from '../../contacts/store/opt-outs.ts'
import type { Channel } from '../../platform/channels.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type MessageRow, messageShown } from './messages.ts'

/** A message with what there is to know of the person it goes to. */
export interface ToSend extends MessageRow {
  channel: Channel
  externalId: string
  contactId: string
  lastCustomerAt: string | null
  optedOut: boolean
}

/** One by one through their keys, whatever the planner believes of tables that have just begun to fill. */
export function listToSend(
  on: Queryable,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<ToSend[]> {
  return on.rows(sql`
    select ${messageShown}, c.channel, c.external_id as "externalId", c.contact_id as "contactId",
      s.last_customer_at as "lastCustomerAt", ${hasOptedOut('c')} as "optedOut"
    from unnest(${keys.map(one => one.tenantId)}::text[], ${keys.map(one => one.messageId)}::text[]) as k(tenant_id, id)
    cross join lateral (
      select * from messages m where m.tenant_id = k.tenant_id collate "C" and m.id = k.id collate "C" limit 1) m
    cross join lateral (
      select * from conversations c where c.tenant_id = m.tenant_id and c.id = m.conversation_id limit 1) c
    cross join lateral (
      select * from conversation_states s
      where s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id limit 1) s`)
}
