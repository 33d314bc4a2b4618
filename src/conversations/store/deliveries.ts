/** What the sender of messages asks for, many at a time. */
import { hasOptedOut } from '../../contacts/opt-outs.ts'
import { blockingIssues } from '../../inboxes/health.ts'
import type { InboxIssues } from '../../inboxes/schemas.ts'
import type { Channel } from '../../platform/config.ts'
import { dbNow } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type MessageRow, messageColumns } from './messages.ts'

/** A message as it was found, with what there is to know of the person it goes to and of its inbox. */
export interface PendingSend extends MessageRow {
  channel: Channel
  externalId: string
  contactId: string
  lastCustomerAt: string | null
  optedOut: boolean
  /** Null: the inbox was deleted. */
  healthIssues: InboxIssues | null
  /** Which try it is that was begun by this; null when it could not begin. */
  attempt: number | null
}

/**
 * Puts on record that these sends begin, by the clock that all share, and gives what is to be sent. Nothing begins that
 * is over, that was begun before, or whose inbox cannot send. One by one through their keys, whatever the planner
 * believes of tables that have just begun to fill.
 */
export function markSendsStarted(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<PendingSend[]> {
  return tx.rows(sql`
    with found as materialized (
      select ${messageColumns}, c.channel, c.external_id as "externalId", c.contact_id as "contactId",
        s.last_customer_at as "lastCustomerAt", ${hasOptedOut('c')} as "optedOut", i.health_issues as "healthIssues"
      from unnest(${keys.map(one => one.tenantId)}::text[], ${keys.map(one => one.messageId)}::text[]) as k(tenant_id, id)
      cross join lateral (
        select * from messages m where m.tenant_id = k.tenant_id collate "C" and m.id = k.id collate "C" limit 1) m
      cross join lateral (
        select * from conversations c where c.tenant_id = m.tenant_id and c.id = m.conversation_id limit 1) c
      cross join lateral (
        select * from conversation_states s
        where s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id limit 1) s
      left join lateral (
        select i.health_issues from inboxes i
        where i.tenant_id = m.tenant_id and i.id = m.inbox_id and i.deleted_at is null limit 1) i on true
    ), begun as (
      update messages m set send_started_at = ${dbNow(tx.clock)}, send_attempts = m.send_attempts + 1
      from found f
      where m.tenant_id = f."tenantId" and m.id = f.id and m.status = 'pending' and m.send_started_at is null
        and not f."healthIssues" ?| ${blockingIssues}::text[]
      returning m.id, m.send_attempts
    )
    select found.*, begun.send_attempts as "attempt" from found left join begun using (id)`)
}

/** Nothing was said to the provider in this try, or it refused. A later try, of whoever took over, stays. */
export async function clearSendStarted(tx: Tx, tenantId: string, id: string, attempt: number): Promise<void> {
  await tx.run(sql`
    update messages set send_started_at = null
    where tenant_id = ${tenantId} and id = ${id} and send_attempts = ${attempt}`)
}
