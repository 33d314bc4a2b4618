/** Advances the time that runs of a sandbox workspace wait for, so that a delay of days can be seen immediately. */
import type { Tx } from '../platform/db/db.ts'
import { timerSet } from './events.ts'
import { moveDeadlines } from './store/advance-clock.ts'

export async function advanceWorkflowClock(tx: Tx, tenantId: string, seconds: number): Promise<void> {
  await moveDeadlines(tx, tenantId, seconds)
  tx.signal(timerSet, tx.now)
}
