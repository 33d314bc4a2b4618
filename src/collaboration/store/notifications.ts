import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { inlineLimit, raw, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import { type Notification, type NotificationType, notificationTypes } from '../notifications/schemas.ts'

export interface NewNotification {
  id: string
  userId: string
  type: NotificationType
  conversationId: string
  sourceId: string | null
  actorId: string | null
}

export type NotificationRow = Notification & { userId: string }

export interface Recipient {
  tenantId: string
  userId: string
}

const columns =
  raw(`n.id, n.user_id as "userId", n.type, n.conversation_id as "conversationId", n.source_id as "sourceId",
  n.actor_id as "actorId", n.count, n.created_at as "createdAt", n.updated_at as "updatedAt", n.read_at as "readAt"`)

export function notificationToApi({ userId: _, ...notification }: NotificationRow): Notification {
  return notification
}

/** Leaves out notifications that their users muted, and those to users who are disabled. */
export async function filterMuted<N extends { userId: string; type: NotificationType }>(
  tx: Tx,
  tenantId: string,
  drafts: readonly N[],
): Promise<N[]> {
  const rows = await tx.rows<{ userId: string; muted: string[] | null }>(sql`
    select u.id as "userId", p.muted from users u
    left join notification_preferences p on p.tenant_id = u.tenant_id and p.user_id = u.id
    where u.tenant_id = ${tenantId} and u.id = any(${[...new Set(drafts.map(draft => draft.userId))]}) and not u.disabled`)
  const mutedBy = new Map(rows.map(({ userId, muted }) => [userId, muted ?? []]))
  return drafts.filter(({ userId, type }) => mutedBy.get(userId)?.includes(type) === false)
}

/** Inserts notifications and returns them. A message adds to the unread notification of its conversation. */
export async function insertNotifications(
  tx: Tx,
  tenantId: string,
  rows: readonly NewNotification[],
): Promise<NotificationRow[]> {
  if (rows.length === 0) return []
  const column = <K extends keyof NewNotification>(name: K) => rows.map(row => row[name])
  // Several messages of one conversation in a batch are one row: a statement cannot update a row twice.
  return tx.rows(sql`
    insert into notifications as n (tenant_id, user_id, id, type, conversation_id, source_id, actor_id, count, created_at,
      updated_at)
    select ${tenantId}, user_id, (array_agg(id order by ord desc))[1], type, conversation_id,
      (array_agg(source_id order by ord desc))[1], (array_agg(actor_id order by ord desc))[1], count(*), ${tx.now}, ${tx.now}
    from unnest(${column('userId')}::text[], ${column('id')}::text[], ${column('type')}::text[],
        ${column('conversationId')}::text[], ${column('sourceId')}::text[], ${column('actorId')}::text[])
      with ordinality as i(user_id, id, type, conversation_id, source_id, actor_id, ord)
    group by user_id, type, conversation_id, case when type = 'message' then '' else id end
    order by user_id, conversation_id
    on conflict (tenant_id, user_id, conversation_id) where type = 'message' and read_at is null do update
      set source_id = excluded.source_id, count = n.count + excluded.count, updated_at = excluded.updated_at
    returning ${columns}`)
}

export function listNotifications(
  on: Queryable,
  { tenantId, userId }: Recipient,
  { unread, limit, after }: { unread: boolean; limit: number; after: SortKey | undefined },
): Promise<NotificationRow[]> {
  const older = after ? sql`and (n.updated_at, n.id) < (${after[0]}::timestamptz, ${after[1]})` : raw('')
  return on.rows(sql`
    select ${columns} from notifications n
    where n.tenant_id = ${tenantId} and n.user_id = ${userId} ${raw(unread ? 'and n.read_at is null' : '')} ${older}
    order by n.updated_at desc, n.id desc limit ${inlineLimit(limit + 1)}`)
}

/** Returns the conversation of each unread notification, at most `max`. */
export function listUnreadConversations(
  on: Queryable,
  { tenantId, userId }: Recipient,
  max: number,
): Promise<string[]> {
  return on.values(sql`
    select conversation_id from notifications where tenant_id = ${tenantId} and user_id = ${userId} and read_at is null
    limit ${inlineLimit(max)}`)
}

export function findUnreadNotification(
  on: Queryable,
  { tenantId, userId }: Recipient,
  id: string,
): Promise<NotificationRow | undefined> {
  return on.maybe(sql`
    select ${columns} from notifications n
    where n.tenant_id = ${tenantId} and n.user_id = ${userId} and n.id = ${id} and n.read_at is null`)
}

/** Returns the ids of the notifications that were unread. */
export function markNotificationsRead(
  tx: Tx,
  { tenantId, userId }: Recipient,
  { ids, messagesOf }: { ids?: readonly string[]; messagesOf?: string },
): Promise<string[]> {
  return tx.values(sql`
    update notifications set read_at = ${tx.now}
    where tenant_id = ${tenantId} and user_id = ${userId} and read_at is null
      and (${ids ?? null}::text[] is null or id = any(${ids ?? null}::text[]))
      and (${messagesOf ?? null}::text is null or (type = 'message' and conversation_id = ${messagesOf ?? null}))
    returning id`)
}

export async function deleteNotificationsOf(
  tx: Tx,
  tenantId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    delete from notifications where tenant_id = ${tenantId} and conversation_id = any(${conversationIds})`)
}

export function deleteOldNotifications(db: Db, before: string): Promise<number> {
  return db.run(
    sql`delete from notifications where updated_at < ${before} and ${notMoving('notifications.tenant_id')}`,
  )
}

export async function listMuted(on: Queryable, { tenantId, userId }: Recipient): Promise<string[]> {
  const muted = await on.value<string[]>(sql`
    select muted from notification_preferences where tenant_id = ${tenantId} and user_id = ${userId}`)
  return muted ?? []
}

/** Returns whether the muted kinds are others than before. */
export async function replaceMuted(
  tx: Tx,
  { tenantId, userId }: Recipient,
  muted: readonly string[],
): Promise<boolean> {
  const count = await tx.run(sql`
    insert into notification_preferences as p (tenant_id, user_id, muted) values (${tenantId}, ${userId}, ${muted})
    on conflict (tenant_id, user_id) do update set muted = excluded.muted where p.muted <> excluded.muted`)
  return count > 0
}

export function toPreferences(muted: readonly string[]): Record<NotificationType, boolean> {
  const entries = notificationTypes.map(type => [type, !muted.includes(type)])
  return Object.fromEntries(entries) as Record<NotificationType, boolean>
}
