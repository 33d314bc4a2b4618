/** Cancels many runs; those of a deleted workflow partly in the transaction that deletes it, the others by a job. */
import type { Tx } from '../../../platform/db/db.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { job } from '../../../platform/jobs/job.ts'
import { cancelRunsInProgress, type RunFilter } from '../../store/runs/run-lists.ts'
import { countEnded } from '../../store/runs/runs.ts'
import { enqueueFollowUps } from './resume.ts'

const batchSize = 200

/** Cancels one batch of runs and returns their number. */
export async function cancelRuns(
  tx: Tx,
  tenantId: string,
  filter: RunFilter,
  reason: string,
  limit = batchSize,
): Promise<number> {
  const runs = await cancelRunsInProgress(tx, tenantId, filter, { reason, limit })
  await countEnded(tx, runs)
  for (const run of runs) await enqueueFollowUps(tx, run, {})
  return runs.length
}

export const cancelRemainingRuns = job<{ workflowId: string }>({
  name: 'workflows.cancel_runs',
  priority: 'bulk',
  handle: (deps, { workflowId }, work) =>
    transact(deps.db, async tx => {
      await cancelRunsOfDeleted(tx, work.tenantId, workflowId)
      await work.finish(tx)
    }),
})

export async function cancelRunsOfDeleted(tx: Tx, tenantId: string, workflowId: string): Promise<void> {
  const count = await cancelRuns(tx, tenantId, { workflowId }, 'deleted')
  if (count === batchSize)
    await enqueue(tx, cancelRemainingRuns, { tenantId, orderingKey: workflowId, payload: { workflowId } })
}
