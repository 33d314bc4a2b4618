/**
 * The pause: stops the jobs of the workspace, then its writes, applies what is left, and switches. A pause that takes too
 * long is ended and repeated later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { rehearseActivation } from './activate.ts'
import { assertSameShape, readTables } from './catalog.ts'
import { applyChanges } from './changes.ts'
import { hasRunningJobs, holdLanes, resumeWork, takeConsumers, takeLanes } from './queues.ts'
import { limitStalls, lockKey, type Session } from './session.ts'
import { PauseTooLong, stageTables } from './stage.ts'
import { changeState, setHeld } from './store.ts'
import type { MoveObserver, MoveSessions } from './types.ts'

/** Requests wait a little longer than this. */
const maxPauseMs = 4_500
const maxLockWaitMs = 2_000
const maxStallMs = 6_000
/** Jobs that run longer are repeated in the target, once their lease has ended. */
const maxJobWaitMs = 1_500
const maxAttempts = 20
const retryDelayMs = 3_000

/** Returns when the pause began; it ends when the workspace is active in the target. */
export async function pauseAndSwitch(
  move: MoveSessions,
  { observer, catchUp }: { observer: MoveObserver; catchUp: () => Promise<void> },
): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    await catchUp()
    observer.onStep('pausing')
    const startedAt = performance.now()
    try {
      await pauseOnce(move)
      return startedAt
    } catch (error) {
      await unfence(move.source, move.tenantId).catch(() => {}) // a lost session gives up the fence, see watch.ts
      const ms = Math.round(performance.now() - startedAt)
      observer.onPaused({ ms, switched: false, reason: (error as Error).message })
      if (!(error instanceof PauseTooLong) || attempt === maxAttempts) throw error
    }
    await sleep(retryDelayMs)
  }
}

async function pauseOnce(move: MoveSessions): Promise<void> {
  const { source, tenantId } = move
  await limitStalls(source, maxStallMs)
  await setHeld(source, tenantId)
  await stopJobs(source, tenantId)
  const deadline = performance.now() + maxPauseMs
  await fence(source, tenantId)
  const lanes = await takeLanes(source, tenantId)
  await waitForSequencer(source, tenantId, deadline)
  await takeConsumers(source, tenantId)
  while ((await applyChanges(move, { isFinal: true })) > 0) assertInTime(deadline)
  await stageTables(move, lanes)
  await rehearseActivation(move.target, tenantId, move.tables)
  // A migration may have run in the meantime.
  assertSameShape(await readTables(source), move.tables)
  assertInTime(deadline)
  if (!(await changeState(source, tenantId, 'copying', 'switched')))
    throw new Error('the move is not in progress')
}

/** Lets jobs that run end, as most do within milliseconds. Jobs that they enqueue may start. */
async function stopJobs(source: Session, tenantId: string): Promise<void> {
  for (const until = performance.now() + maxJobWaitMs; performance.now() < until; await sleep(20)) {
    await holdLanes(source, tenantId)
    if (!(await hasRunningJobs(source, tenantId))) return
  }
}

/** Refuses further writes, and waits for transactions that have written. */
async function fence(source: Session, tenantId: string): Promise<void> {
  await source.run(`set lock_timeout = ${maxLockWaitMs}`)
  try {
    await source.rows(`select pg_advisory_lock(${lockKey('fence', tenantId)})`)
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    throw new PauseTooLong('a transaction of the workspace took too long')
  } finally {
    await source.run('set lock_timeout = 0')
  }
}

async function unfence(source: Session, tenantId: string): Promise<void> {
  await resumeWork(source, tenantId)
  await limitStalls(source, 0)
  await source.rows(`select pg_advisory_unlock(${lockKey('fence', tenantId)})`)
}

/** Events that were emitted get their numbers in the source. */
async function waitForSequencer(source: Session, tenantId: string, deadline: number): Promise<void> {
  for (;;) {
    const { waiting } = await source.one<{ waiting: boolean }>(
      'select exists (select from outbox where tenant_id = $1) as waiting',
      [tenantId],
    )
    if (!waiting) return
    assertInTime(deadline)
    await sleep(10)
  }
}

function assertInTime(deadline: number): void {
  if (performance.now() > deadline) throw new PauseTooLong('the last changes took too long')
}
