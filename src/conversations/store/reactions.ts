import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { ReactionRow } from '../reactions.ts'

const columns = raw(
  `id, message_id as "messageId", sender_type as "senderType", sender_id as "senderId", emoji, created_at as "createdAt"`,
)

export function upsertReaction(tx: Tx, tenantId: string, row: ReactionRow): Promise<ReactionRow> {
  return tx.one(sql`
    insert into reactions (tenant_id, id, message_id, sender_type, sender_id, emoji, created_at)
    values (${tenantId}, ${row.id}, ${row.messageId}, ${row.senderType}, ${row.senderId}, ${row.emoji}, ${row.createdAt})
    on conflict (tenant_id, message_id, sender_id) do update set emoji = excluded.emoji, created_at = excluded.created_at
    returning ${columns}`)
}

export function deleteReaction(
  tx: Tx,
  tenantId: string,
  messageId: string,
  senderId: string,
): Promise<ReactionRow | undefined> {
  return tx.maybe(sql`
    delete from reactions where tenant_id = ${tenantId} and message_id = ${messageId} and sender_id = ${senderId}
    returning ${columns}`)
}

export function listReactions(on: Queryable, tenantId: string, messageId: string): Promise<ReactionRow[]> {
  return on.rows(sql`
    select ${columns} from reactions where tenant_id = ${tenantId} and message_id = ${messageId} order by created_at, id`)
}
