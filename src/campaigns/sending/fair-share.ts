/**
 * Shares the dispatch capacity of a process: one batch at a time, workspaces in round robin and first in, first out
 * within a workspace. Batches are limited to the free capacity, so that agents' messages do not queue behind campaigns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { processProviderEvent } from '../../conversations/inbound/process-provider-event.ts'
import { deliverMessage } from '../../conversations/outbound/deliver-message.ts'
import { defineCache } from '../../platform/caches.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { countActive } from '../../platform/jobs/queue-depth.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

const countedJobs = [deliverMessage, processProviderEvent]
const pollMs = 10

type Resume = () => void

interface FairShareQueue {
  isBusy: boolean
  /** By workspace, in round-robin order. */
  waiting: Map<string, Resume[]>
  limit: ConcurrencyLimit
}

const getQueue = defineCache(
  (): FairShareQueue => ({ isBusy: false, waiting: new Map(), limit: createConcurrencyLimit() }),
)

/** Runs a batch when the workspace is next and capacity is free; undefined if none became free within the timeout. */
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
    const capacity = await waitForCapacity(deps.db, queue.limit, timeoutMs)
    const batch = capacity > 0 ? await run(capacity) : undefined
    queue.limit.recordDispatched(batch?.messages ?? 0)
    return batch
  } finally {
    resumeNext(queue)
  }
}

async function waitForCapacity(db: Db, limit: ConcurrencyLimit, timeoutMs: number): Promise<number> {
  for (const end = performance.now() + timeoutMs; ; await sleep(pollMs)) {
    const inFlight = await countActive(db, countedJobs, 2 * limit.size())
    limit.observe(inFlight, performance.now())
    if (inFlight <= limit.size() / 2) return Math.ceil((limit.size() - inFlight) / 3)
    if (performance.now() > end) return 0
  }
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
