import { dbNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

const milliseconds = (count: number) => sql`(${count}::float8 * interval '1 ms')`

/** Books `forMs` of the inbox's time; answers in how many milliseconds what was booked begins. */
export async function reserveInbox(
  db: Db,
  tenantId: string,
  inboxId: string,
  forMs: number,
): Promise<number> {
  const { clock } = db
  const row = await db.one<{ wait: number }>(sql`
    insert into send_rate_limits as p (tenant_id, inbox_id, reserved_until)
    values (${tenantId}, ${inboxId}, ${dbNow(clock)} + ${milliseconds(forMs)})
    on conflict (tenant_id, inbox_id, conversation_id) do update
      set reserved_until = greatest(p.reserved_until, ${dbNow(clock)}) + ${milliseconds(forMs)}
    returning extract(epoch from reserved_until - ${dbNow(clock)})::float8 * 1000 - ${forMs}::float8 as wait`)
  return row.wait
}

export interface RateLimit {
  everyMs: number
  /** How far ahead of that one may be. */
  aheadMs: number
}

/** Takes one of a pair's sends, if it has one left. */
export async function reserveRecipient(
  db: Db,
  tenantId: string,
  recipient: { inboxId: string; conversationId: string },
  { everyMs, aheadMs }: RateLimit,
): Promise<boolean> {
  const { clock } = db
  const taken = await db.run(sql`
    insert into send_rate_limits as p (tenant_id, inbox_id, conversation_id, reserved_until)
    values (${tenantId}, ${recipient.inboxId}, ${recipient.conversationId}, ${dbNow(clock)} + ${milliseconds(everyMs)})
    on conflict (tenant_id, inbox_id, conversation_id) do update
      set reserved_until = greatest(p.reserved_until, ${dbNow(clock)}) + ${milliseconds(everyMs)}
      where p.reserved_until <= ${dbNow(clock)} + ${milliseconds(aheadMs - everyMs)}`)
  return taken > 0
}

/** For how many milliseconds it is booked from now on; 0 when it is not. */
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

/** What is not booked needs no row. */
export function deleteExpiredRateLimits(db: Db): Promise<number> {
  const { clock } = db
  return db.run(
    sql`delete from send_rate_limits where reserved_until < ${dbNow(clock)} - interval '1 minute'`,
  )
}
