import type { Static } from 'typebox'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import type { Reaction } from '../../schemas.ts'

export type ReactionRow = Static<typeof Reaction>

const columns = raw(
  `id, message_id as "messageId", sender_type as "senderType", sender_id as "senderId", emoji, created_at as "createdAt"`,
)

/** A customer has one reaction on a message, also after the conversation was linked to another contact. */
export function upsertReaction(tx: Tx, tenantId: string, row: ReactionRow): Promise<ReactionRow> {
  return tx.one(sql`
    with replaced as (
      delete from reactions where tenant_id = ${tenantId} and message_id = ${row.messageId}
        and sender_type = 'customer' and sender_type = ${row.senderType} and sender_id <> ${row.senderId})
    insert into reactions (tenant_id, id, message_id, sender_type, sender_id, emoji, created_at)
    values (${tenantId}, ${row.id}, ${row.messageId}, ${row.senderType}, ${row.senderId}, ${row.emoji}, ${row.createdAt})
    on conflict (tenant_id, message_id, sender_id) do update set emoji = excluded.emoji, created_at = excluded.created_at
    returning ${columns}`)
}

/** Deletes the sender's reaction if it has this emoji, in text or emoji presentation; undefined: any emoji. */
export function deleteReaction(
  tx: Tx,
  tenantId: string,
  {
    messageId,
    senderType,
    senderId,
    emoji,
  }: Pick<ReactionRow, 'messageId' | 'senderType' | 'senderId'> & {
    emoji: string | undefined
  },
): Promise<ReactionRow | undefined> {
  const plain = emoji?.replaceAll(emojiPresentation, '') ?? null
  return tx.maybe(sql`
    delete from reactions where tenant_id = ${tenantId} and message_id = ${messageId} and sender_type = ${senderType}
      and (sender_type = 'customer' or sender_id = ${senderId})
      and (${plain}::text is null or replace(emoji, ${emojiPresentation}, '') = ${plain})
    returning ${columns}`)
}

const emojiPresentation = '\ufe0f'

/** Returns the latest emoji of our side: a provider shows the customer one. */
export function findLatestOwnEmoji(
  on: Queryable,
  tenantId: string,
  messageId: string,
): Promise<string | undefined> {
  return on.value<string>(sql`
    select emoji from reactions where tenant_id = ${tenantId} and message_id = ${messageId} and sender_type <> 'customer'
    order by created_at desc, id desc limit 1`)
}

export function listReactions(on: Queryable, tenantId: string, messageId: string): Promise<ReactionRow[]> {
  return on.rows(sql`
    select ${columns} from reactions where tenant_id = ${tenantId} and message_id = ${messageId} order by created_at, id`)
}
