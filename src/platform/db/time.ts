import type { Clock } from '../clock.ts'
import { type Sql, sql } from './sql.ts'

/** The database's clock, which all processes share, moved as ours is in tests. */
export const dbNow = (clock: Clock): Sql =>
  sql`(clock_timestamp() + ${clock.offsetMs()}::float8 * interval '1 ms')`
