import type { Content } from '../../../inboxes/content.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import type { DeliveryError, SenderType, StoredContext } from '../../schemas.ts'
import { contactColumn } from './messages.ts'

export interface ScheduledRow {
  id: string
  tenantId: string
  conversationId: string
  contactId: string | null
  inboxId: string | null
  senderType: SenderType
  senderId: string
  content: Content
  context: StoredContext[]
  clientMessageId: string | null
  clientFingerprint: string | null
  sendAt: string
  error: DeliveryError | null
  createdAt: string
  updatedAt: string
}

const columns = raw(`m.id, m.tenant_id as "tenantId", m.conversation_id as "conversationId", ${contactColumn},
  m.inbox_id as "inboxId", m.sender_type as "senderType", m.sender_id as "senderId", m.content, m.context,
  m.client_message_id as "clientMessageId", m.client_fingerprint as "clientFingerprint", m.send_at as "sendAt", m.error,
  m.created_at as "createdAt", m.updated_at as "updatedAt"`)

export type NewScheduledRow = Omit<
  ScheduledRow,
  'tenantId' | 'contactId' | 'error' | 'createdAt' | 'updatedAt'
> & { sessionId: string }

/** Returns false when the clientMessageId exists. */
export async function insertScheduled(tx: Tx, tenantId: string, row: NewScheduledRow): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into scheduled_messages (tenant_id, id, conversation_id, session_id, inbox_id, sender_type, sender_id, content,
      context, client_message_id, client_fingerprint, send_at, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.conversationId}, ${row.sessionId}, ${row.inboxId}, ${row.senderType},
      ${row.senderId}, ${JSON.stringify(row.content)}::json, ${JSON.stringify(row.context)}::json, ${row.clientMessageId},
      ${row.clientFingerprint}, ${row.sendAt}, ${tx.now}, ${tx.now})
    on conflict do nothing`)
  return inserted === 1
}

export function findScheduled(
  on: Queryable,
  tenantId: string,
  id: string,
): Promise<ScheduledRow | undefined> {
  return on.maybe(
    sql`select ${columns} from scheduled_messages m where m.tenant_id = ${tenantId} and m.id = ${id}`,
  )
}

export function lockScheduled(tx: Tx, tenantId: string, id: string): Promise<ScheduledRow | undefined> {
  return tx.maybe(
    sql`select ${columns} from scheduled_messages m where m.tenant_id = ${tenantId} and m.id = ${id} for update`,
  )
}

export function findScheduledByClientId(
  on: Queryable,
  tenantId: string,
  senderId: string,
  clientMessageId: string,
): Promise<ScheduledRow | undefined> {
  return on.maybe(sql`
    select ${columns} from scheduled_messages m
    where m.tenant_id = ${tenantId} and m.sender_id = ${senderId} and m.client_message_id = ${clientMessageId}`)
}

/** Lists one more than the page has, earliest first; none when the viewer may not see the conversation. */
export function listScheduled(
  on: Queryable,
  viewer: Viewer,
  {
    conversationId,
    limit,
    after,
  }: { conversationId: string; limit: number; after?: readonly unknown[] | undefined },
): Promise<ScheduledRow[]> {
  const { tenantId } = viewer
  const later = after ? sql`and (m.send_at, m.id) > (${after[0]}::timestamptz, ${after[1]}::text)` : raw('')
  return on.rows(sql`
    select ${columns} from scheduled_messages m
    where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} ${later}
      and exists (
        select from conversation_states s
        where s.tenant_id = ${tenantId} and s.conversation_id = ${conversationId} and ${visibleTo(viewer)})
    order by m.send_at, m.id limit ${inlineLimit(limit + 1)}`)
}

export async function updateSendAt(tx: Tx, tenantId: string, id: string, sendAt: string): Promise<void> {
  await tx.run(sql`
    update scheduled_messages set send_at = ${sendAt}, error = null, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

export async function updateScheduledError(
  tx: Tx,
  tenantId: string,
  id: string,
  error: DeliveryError,
): Promise<void> {
  await tx.run(sql`
    update scheduled_messages set error = ${JSON.stringify(error)}::json, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

export async function deleteScheduled(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`delete from scheduled_messages where tenant_id = ${tenantId} and id = ${id}`)
}
