/**
 * Shares the dispatch capacity of a process: one batch at a time, workspaces in round robin and first in, first out
 * within a workspace. The size of batches follows the time they take, so that their locks and statements do not delay
 * people. The next batch waits until the workers have nearly delivered the last one, so that pausing a campaign takes
 * effect soon.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { deliverMessage } from '../../conversations/outbound/deliver-message.ts'
import { defineCache } from '../../platform/caches.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { countBackground } from '../../platform/jobs/queue-depth.ts'

const [minSize, maxSize] = [50, 500]
const targetMs = 250
const pollMs = 10

type Resume = () => void

interface FairShareQueue {
  isBusy: boolean
  /** By workspace, in round-robin order. */
  waiting: Map<string, Resume[]>
  batchSize: number
}

const getQueue = defineCache(
  (): FairShareQueue => ({ isBusy: false, waiting: new Map(), batchSize: 2 * minSize }),
)

/** Runs a batch when the workspace is next and few deliveries wait; undefined if too many wait until the timeout. */
export async function withFairShare<T extends { messages: number }>(
  deps: Pick<Deps, 'db' | 'caches'>,
  tenantId: string,
  timeoutMs: number,
  run: (maxMessages: number) => Promise<T>,
): Promise<T | undefined> {
  const queue = getQueue(deps)
  if (queue.isBusy) await new Promise<void>(resume => enqueueWaiter(queue, tenantId, resume))
  queue.isBusy = true
  try {
    if (!(await waitForDeliveries(deps.db, queue.batchSize, timeoutMs))) return undefined
    const startedAt = performance.now()
    const batch = await run(queue.batchSize)
    adaptBatchSize(queue, batch.messages, performance.now() - startedAt)
    return batch
  } finally {
    resumeNext(queue)
  }
}

async function waitForDeliveries(db: Db, max: number, timeoutMs: number): Promise<boolean> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(pollMs))
    if ((await countBackground(db, deliverMessage, max)) < max) return true
  return false
}

/** The time of small batches does not predict that of large ones. */
function adaptBatchSize(queue: FairShareQueue, messages: number, ms: number): void {
  if (messages < queue.batchSize / 2 && ms < targetMs) return
  const factor = Math.max(0.5, Math.min(2, targetMs / ms))
  queue.batchSize = Math.round(Math.max(minSize, Math.min(maxSize, queue.batchSize * factor)))
}

function enqueueWaiter({ waiting }: FairShareQueue, tenantId: string, resume: Resume): void {
  const waiters = waiting.get(tenantId)
  if (waiters) waiters.push(resume)
  else waiting.set(tenantId, [resume])
}

/** Resumes the next workspace and moves it to the end of the queue. */
function resumeNext(queue: FairShareQueue): void {
  const [next] = queue.waiting
  if (!next) {
    queue.isBusy = false
    return
  }
  const [tenantId, waiters] = next
  const resume = waiters.shift()!
  queue.waiting.delete(tenantId)
  if (waiters.length > 0) queue.waiting.set(tenantId, waiters)
  resume()
}
