/** Advances the time of a sandbox workspace: what its runs and schedules wait for, so that days can be seen immediately. */
import type { Tx } from '../platform/db/db.ts'
import { startScheduledBetween } from './engine/schedules/schedules.ts'
import { timerSet } from './events.ts'
import { moveDeadlines, moveSandboxClock } from './store/advance-clock.ts'

export async function advanceWorkflowClock(tx: Tx, tenantId: string, seconds: number): Promise<void> {
  await moveDeadlines(tx, tenantId, seconds)
  const aheadMs = (await moveSandboxClock(tx, tenantId, seconds)) * 1_000
  const until = Date.parse(tx.now) + aheadMs
  await startScheduledBetween(tx, tenantId, new Date(until - seconds * 1_000), new Date(until))
  tx.signal(timerSet, tx.now)
}
