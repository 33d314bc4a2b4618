/**
 * The database's time, so that all processes agree whatever the clocks of their machines say. Between two queries the
 * monotonic clock counts. A response proves that the database's time lies within its round trip: the offset stays as it
 * is while that holds, and otherwise moves no further than it must.
 */
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Queryable } from './db.ts'
import { type Sql, sql } from './sql.ts'

const syncIntervalMs = 5_000

export interface DatabaseClock extends Clock {
  /** Queries the time now and every few seconds until stopped. While the database is away the clock counts on. */
  sync(db: Queryable, log: Logger): Promise<() => void>
}

export function databaseClock(): DatabaseClock {
  const monotonic = () => performance.now()
  let offset = Date.now() - monotonic()

  async function query(db: Queryable): Promise<void> {
    const sent = monotonic()
    const { at } = await db.one<{ at: number }>(
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    )
    offset = Math.min(Math.max(offset, at - monotonic()), at - sent)
  }

  return {
    now: () => new Date(offset + monotonic()),
    offsetMs: () => 0,
    async sync(db, log) {
      const update = () =>
        query(db).catch(error => log.warn({ err: error }, 'querying the database time failed'))
      await update()
      const timer = setInterval(update, syncIntervalMs).unref()
      return () => clearInterval(timer)
    },
  }
}

/** The database's clock in SQL, with the offset by which tests move time. */
export const dbNow = (clock: Clock): Sql =>
  sql`(clock_timestamp() + ${clock.offsetMs()}::float8 * interval '1 ms')`
