/** The daily partitions of the attempt log; an attempt's id determines its day. */
import type { Tx } from '../../platform/db/db.ts'
import { dailyPartitions } from '../../platform/db/partitions.ts'
import { sql } from '../../platform/db/sql.ts'
import { AttemptId } from '../schemas.ts'

export const attemptPartitions = dailyPartitions({
  table: 'webhook_attempts',
  lowerBound: day => `'${AttemptId.firstAt(day)}'`,
  storage: 'autovacuum_vacuum_insert_threshold = -1, autovacuum_vacuum_insert_scale_factor = 0',
})

/** One process at a time creates or drops partitions. */
export async function lockPartitions(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended('parley webhook partitions', 0))`)
}
