import { hasOptedOut } from '../../../contacts/opt-outs.ts'
import { blockingIssues } from '../../../inboxes/health.ts'
import type { InboxIssues } from '../../../inboxes/schemas.ts'
import type { Channel } from '../../../platform/config.ts'
import { dbNow } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import { type MessageRow, messageColumns } from './messages.ts'

/** A message with the facts about its recipient and inbox that delivery needs, as read before the send was marked. */
export interface PendingSend extends MessageRow {
  channel: Channel
  externalId: string
  lastCustomerAt: string | null
  optedOut: boolean
  /** The contact was archived or deleted. */
  contactState: 'active' | 'archived' | 'deleted'
  /** Null when the inbox was deleted. */
  healthIssues: InboxIssues | null
  /** Number of the attempt that this call started; null when it started none. */
  attempt: number | null
}

/**
 * Marks sends as started, by the database clock, and returns the messages. A message that is finished, is already
 * started or has a blocked inbox is returned without being marked. Lateral joins look each row up by its key, also when
 * the planner has no statistics of a new table.
 */
export function markSendsStarted(
  tx: Tx,
  keys: readonly { tenantId: string; messageId: string }[],
): Promise<PendingSend[]> {
  return tx.rows(sql`
    with found as materialized (
      select ${messageColumns}, c.channel, c.external_id as "externalId",
        s.last_customer_at as "lastCustomerAt", ${hasOptedOut('c', 'm')} as "optedOut",
        coalesce(p.state, 'active') as "contactState", i.health_issues as "healthIssues"
      from unnest(${keys.map(key => key.tenantId)}::text[], ${keys.map(key => key.messageId)}::text[]) as k(tenant_id, id)
      cross join lateral (
        select * from messages m where m.tenant_id = k.tenant_id collate "C" and m.id = k.id collate "C" limit 1) m
      cross join lateral (
        select * from conversations c where c.tenant_id = m.tenant_id and c.id = m.conversation_id limit 1) c
      cross join lateral (
        select * from conversation_states s
        where s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id limit 1) s
      left join lateral (
        select case when p.deleted_at is not null then 'deleted' when p.archived_at is not null then 'archived' end as state
        from contacts p where p.tenant_id = c.tenant_id and p.id = c.contact_id limit 1) p on true
      left join lateral (
        select i.health_issues from inboxes i
        where i.tenant_id = m.tenant_id and i.id = m.inbox_id and i.deleted_at is null limit 1) i on true
    ), started as (
      update messages m set send_started_at = ${dbNow(tx.clock)}, send_attempts = m.send_attempts + 1
      from found f
      where m.tenant_id = f."tenantId" and m.id = f.id and m.status = 'pending' and m.send_started_at is null
        and not f."healthIssues" ?| ${blockingIssues}::text[]
      returning m.id, m.send_attempts
    )
    select found.*, started.send_attempts as "attempt" from found left join started using (id)`)
}

/** Makes a failed message pending, with another send and without the provider's id of the first one. */
export async function resetDelivery(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`
    update messages set status = 'pending', error = null, channel_message_id = null, send_started_at = null,
      retried_at = ${tx.now}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

/** Clears an attempt that did not reach the provider or was refused. A later attempt of another worker stays. */
export async function clearSendStarted(tx: Tx, tenantId: string, id: string, attempt: number): Promise<void> {
  await tx.run(sql`
    update messages set send_started_at = null
    where tenant_id = ${tenantId} and id = ${id} and send_attempts = ${attempt}`)
}
