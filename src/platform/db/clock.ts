/**
 * Time as the database tells it, so that all processes agree whatever the clocks of their machines say or do. From one
 * answer to the next the monotonic clock counts. What an answer proves is that the database's time is within its round
 * trip: ours stays where it is as long as that holds, and otherwise moves no further than it must.
 */
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Queryable } from './db.ts'
import { sql } from './sql.ts'

const syncIntervalMs = 5_000

export interface DatabaseClock extends Clock {
  /** Asks once, and again from time to time until stopped. While the database is away the clock counts on. */
  sync(db: Queryable, log: Logger): Promise<() => void>
}

export function databaseClock(): DatabaseClock {
  const own = () => performance.now()
  let zero = Date.now() - own()

  async function ask(db: Queryable): Promise<void> {
    const sent = own()
    const { at } = await db.one<{ at: number }>(
      sql`select extract(epoch from clock_timestamp())::float8 * 1000 as at`,
    )
    zero = Math.min(Math.max(zero, at - own()), at - sent)
  }

  return {
    now: () => new Date(zero + own()),
    offsetMs: () => 0,
    async sync(db, log) {
      const patiently = () => ask(db).catch(error => log.warn({ err: error }, 'could not ask for the time'))
      await patiently()
      const timer = setInterval(patiently, syncIntervalMs).unref()
      return () => clearInterval(timer)
    },
  }
}
