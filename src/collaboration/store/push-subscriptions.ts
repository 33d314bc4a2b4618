import type { Db, Queryable, Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Recipient } from './notifications.ts'

export interface NewSubscription {
  id: string
  sessionId: string | null
  endpoint: string
  p256dh: Buffer
  auth: Buffer
  serverKey: string
}

export interface SubscriptionRow extends NewSubscription {
  createdAt: string
}

/** Inserts the subscription, or replaces that of the same endpoint, and deletes all but the newest `max`. */
export async function saveSubscription(
  tx: Tx,
  { tenantId, userId }: Recipient,
  row: NewSubscription,
  max: number,
): Promise<string> {
  const { id } = await tx.one<{ id: string }>(sql`
    insert into push_subscriptions (tenant_id, user_id, id, session_id, endpoint, p256dh, auth, server_key, created_at)
    values (${tenantId}, ${userId}, ${row.id}, ${row.sessionId}, ${row.endpoint}, ${row.p256dh}, ${row.auth},
      ${row.serverKey}, ${tx.now})
    on conflict (tenant_id, user_id, md5(endpoint)) do update set session_id = excluded.session_id,
      endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key,
      created_at = excluded.created_at
    returning id`)
  await tx.run(sql`
    delete from push_subscriptions where tenant_id = ${tenantId} and user_id = ${userId} and id in (
      select id from push_subscriptions where tenant_id = ${tenantId} and user_id = ${userId}
      order by created_at desc, id desc offset ${max})`)
  return id
}

/** Whether the session of `p` has not ended. */
const isOpen = (now: string) => sql`(p.session_id is null or exists (
  select from auth_sessions s where s.tenant_id = p.tenant_id and s.id = p.session_id and s.revoked_at is null
    and s.expires_at > ${now}))`

export function listSubscriptions(db: Db, { tenantId, userId }: Recipient): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select p.id, p.session_id as "sessionId", p.endpoint, p.p256dh, p.auth, p.server_key as "serverKey",
      p.created_at as "createdAt"
    from push_subscriptions p
    where p.tenant_id = ${tenantId} and p.user_id = ${userId} and ${isOpen(db.clock.now().toISOString())}
    order by p.created_at desc, p.id desc`)
}

/** Lists the ids of the subscriptions of users, by user. */
export function listSubscriptionIds(
  tx: Tx,
  tenantId: string,
  userIds: readonly string[],
): Promise<{ userId: string; id: string }[]> {
  return tx.rows(sql`
    select user_id as "userId", id from push_subscriptions
    where tenant_id = ${tenantId} and user_id = any(${userIds}) order by user_id, id`)
}

export async function deleteSubscription(
  on: Queryable,
  { tenantId, userId }: Recipient,
  id: string,
): Promise<boolean> {
  const deleted = await on.run(sql`
    delete from push_subscriptions where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id}`)
  return deleted === 1
}

/** Deletes the subscriptions of sessions that have ended. */
export function deleteEndedSubscriptions(db: Db): Promise<number> {
  return db.run(
    sql`delete from push_subscriptions p where not ${isOpen(db.clock.now().toISOString())} and ${notMoving('p.tenant_id')}`,
  )
}
