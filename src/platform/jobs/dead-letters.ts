/** Dead letters: jobs that used up their attempts stay listed until an operator retries or discards them. */
import type { Db, Tx } from '../db/db.ts'
import {
  type DeadFilter,
  type DeadJob,
  deleteDeadJobs,
  deleteDeadJobsContaining,
  removeDeadJobs,
  selectDeadJobs,
} from './store/dead-letters.ts'
import { insertJobs } from './store/insert.ts'

export type { DeadFilter, DeadJob }

const retryBatchSize = 1_000

/** Lists dead jobs, oldest first; `after` is the id of the last job of the previous page. */
export function listDeadJobs(
  db: Db,
  filter: DeadFilter & { after?: number; limit?: number } = {},
): Promise<DeadJob[]> {
  const { after = 0, limit = 100, ...rest } = filter
  return selectDeadJobs(db, rest, after, limit)
}

/** Enqueues dead jobs again, at the end of their lanes and with all attempts; returns their number. */
export async function retryDeadJobs(tx: Tx, which: DeadFilter | 'all'): Promise<number> {
  let total = 0
  for (;;) {
    const dead = await removeDeadJobs(tx, which === 'all' ? {} : which, retryBatchSize)
    if (dead.length === 0) return total
    total += dead.length
    await insertJobs(
      tx,
      dead.map(({ name, tenantId, orderingKey, payload }) => ({
        name,
        tenantId,
        orderingKey,
        ordered: orderingKey !== null,
        background: false,
        state: 'ready',
        runAt: null,
        delayMs: 0,
        payload: JSON.stringify(payload),
      })),
    )
  }
}

export function discardDeadJobs(tx: Tx, which: DeadFilter | 'all'): Promise<number> {
  return deleteDeadJobs(tx, which === 'all' ? {} : which)
}

/** Discards the dead jobs of a workspace that contain one of these words. */
export const discardDeadJobsContaining = deleteDeadJobsContaining
