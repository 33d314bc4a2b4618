/**
 * Token buckets in the database, shared by all processes. Their state is the one of `token-bucket.ts`: the time until
 * which the rate is reserved, by the database's clock, so that a machine with a wrong clock gives no further tokens. The
 * table is unlogged: after a crash of the database all buckets are full.
 */
import { dbNow } from '../db/clock.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { cron } from '../jobs/cron.ts'
import type { TokenRate } from './token-bucket.ts'

const milliseconds = (count: number): Sql => sql`(${count}::float8 * interval '1 ms')`

/** Takes one token; returns false if the bucket is empty. */
export async function takeToken(db: Db, key: string, { perSecond, burst }: TokenRate): Promise<boolean> {
  const now = dbNow(db.clock)
  const intervalMs = 1_000 / perSecond
  const changed = await db.run(sql`
    insert into token_buckets as b (key, reserved_until) values (${key}, ${now} + ${milliseconds(intervalMs)})
    on conflict (key) do update set reserved_until = greatest(b.reserved_until, ${now}) + ${milliseconds(intervalMs)}
    where b.reserved_until <= ${now} + ${milliseconds((burst - 1) * intervalMs)}`)
  return changed > 0
}

export async function returnToken(db: Db, key: string, { perSecond }: TokenRate): Promise<void> {
  await db.run(sql`
    update token_buckets set reserved_until = reserved_until - ${milliseconds(1_000 / perSecond)} where key = ${key}`)
}

/** Reserves time of the bucket's rate, also in the future; returns in how many milliseconds the reservation begins. */
export async function reserveTime(db: Db, key: string, forMs: number): Promise<number> {
  const now = dbNow(db.clock)
  const { wait } = await db.one<{ wait: number }>(sql`
    insert into token_buckets as b (key, reserved_until) values (${key}, ${now} + ${milliseconds(forMs)})
    on conflict (key) do update set reserved_until = greatest(b.reserved_until, ${now}) + ${milliseconds(forMs)}
    returning extract(epoch from reserved_until - ${now})::float8 * 1000 - ${forMs}::float8 as wait`)
  return wait
}

/** Returns for how many milliseconds from now the rate is reserved, or 0. */
export async function getReservedMs(db: Db, key: string): Promise<number> {
  const row = await db.maybe<{ ms: number }>(sql`
    select extract(epoch from reserved_until - ${dbNow(db.clock)})::float8 * 1000 as ms
    from token_buckets where key = ${key}`)
  return Math.max(0, row?.ms ?? 0)
}

/** Deletes full buckets, which are as good as no bucket. */
export const purgeTokenBuckets = cron({
  name: 'platform.purge_token_buckets',
  schedule: '47 * * * *',
  handle: ({ db }) =>
    db.run(sql`delete from token_buckets where reserved_until < ${dbNow(db.clock)} - interval '1 minute'`),
})
