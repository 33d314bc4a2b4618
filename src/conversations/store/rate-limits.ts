/** Rate limits of inboxes, and of inboxes with one recipient: until when their time is reserved. */
import { dbNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

const milliseconds = (count: number) => sql`(${count}::float8 * interval '1 ms')`

/** Reserves `forMs` of the inbox's time; returns in how many milliseconds the reservation begins. */
export async function reserveInbox(
  db: Db,
  tenantId: string,
  inboxId: string,
  forMs: number,
): Promise<number> {
  const { clock } = db
  const row = await db.one<{ wait: number }>(sql`
    insert into send_rate_limits as l (tenant_id, inbox_id, reserved_until)
    values (${tenantId}, ${inboxId}, ${dbNow(clock)} + ${milliseconds(forMs)})
    on conflict (tenant_id, inbox_id, conversation_id) do update
      set reserved_until = greatest(l.reserved_until, ${dbNow(clock)}) + ${milliseconds(forMs)}
    returning extract(epoch from reserved_until - ${dbNow(clock)})::float8 * 1000 - ${forMs}::float8 as wait`)
  return row.wait
}

export interface RateLimit {
  intervalMs: number
  /** How far ahead reservations may be. */
  burstMs: number
}

/** Reserves one send to a recipient; returns false when the burst is used up. */
export async function reserveRecipient(
  db: Db,
  tenantId: string,
  recipient: { inboxId: string; conversationId: string },
  { intervalMs, burstMs }: RateLimit,
): Promise<boolean> {
  const { clock } = db
  const changed = await db.run(sql`
    insert into send_rate_limits as l (tenant_id, inbox_id, conversation_id, reserved_until)
    values (${tenantId}, ${recipient.inboxId}, ${recipient.conversationId}, ${dbNow(clock)} + ${milliseconds(intervalMs)})
    on conflict (tenant_id, inbox_id, conversation_id) do update
      set reserved_until = greatest(l.reserved_until, ${dbNow(clock)}) + ${milliseconds(intervalMs)}
      where l.reserved_until <= ${dbNow(clock)} + ${milliseconds(burstMs - intervalMs)}`)
  return changed > 0
}

/** Returns for how many milliseconds from now it is reserved, or 0. */
export async function getReservedMs(
  db: Db,
  tenantId: string,
  inboxId: string,
  conversationId = '',
): Promise<number> {
  const { clock } = db
  const row = await db.maybe<{ ms: number }>(sql`
    select extract(epoch from reserved_until - ${dbNow(clock)})::float8 * 1000 as ms from send_rate_limits
    where tenant_id = ${tenantId} and inbox_id = ${inboxId} and conversation_id = ${conversationId}`)
  return Math.max(0, row?.ms ?? 0)
}

export function deleteExpiredRateLimits(db: Db): Promise<number> {
  const { clock } = db
  return db.run(
    sql`delete from send_rate_limits where reserved_until < ${dbNow(clock)} - interval '1 minute'`,
  )
}
