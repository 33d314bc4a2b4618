/**
 * Whose turn it is in this process, and how much they may hand over: only as much as there is room for, so that a
 * person's message that comes in between does not stand behind a campaign. Workspaces take turns, and within a workspace
 * its campaigns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { processProviderEvent } from '../../conversations/inbound/process-provider-event.ts'
import { deliverMessage } from '../../conversations/outbound/deliver-message.ts'
import type { Db } from '../../platform/db/db.ts'
import { countActive } from '../../platform/jobs/queue-depth.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

const countedJobs = [deliverMessage, processProviderEvent]
const pollMs = 10

type Resume = () => void

interface FairShareQueue {
  busy: boolean
  /** By workspace, in the order of their turns. */
  waiting: Map<string, Resume[]>
  window: ConcurrencyLimit
}

const queues = new WeakMap<Db, FairShareQueue>()

function getQueue(db: Db): FairShareQueue {
  let mine = queues.get(db)
  if (!mine) {
    mine = { busy: false, waiting: new Map(), window: createConcurrencyLimit() }
    queues.set(db, mine)
  }
  return mine
}

export interface DispatchedBatch {
  /** How many messages were handed over. */
  messages: number
}

/** Runs when it is this workspace's turn and there is room; undefined when there was none for so long. */
export async function withFairShare<T extends DispatchedBatch>(
  db: Db,
  tenantId: string,
  patienceMs: number,
  run: (room: number) => Promise<T>,
): Promise<T | undefined> {
  const mine = getQueue(db)
  if (mine.busy) await new Promise<void>(begin => enqueueWaiter(mine, tenantId, begin))
  mine.busy = true
  try {
    const room = await waitForCapacity(db, mine, patienceMs)
    const turn = room > 0 ? await run(room) : undefined
    mine.window.recordDispatched(turn?.messages ?? 0)
    return turn
  } finally {
    startNext(mine)
  }
}

async function waitForCapacity(db: Db, { window }: FairShareQueue, patienceMs: number): Promise<number> {
  for (const end = performance.now() + patienceMs; ; await sleep(pollMs)) {
    const underWay = await countActive(db, countedJobs, 2 * window.size())
    window.observe(underWay, performance.now())
    if (underWay <= window.size() / 2) return Math.ceil((window.size() - underWay) / 3)
    if (performance.now() > end) return 0
  }
}

function enqueueWaiter({ waiting }: FairShareQueue, tenantId: string, begin: Resume): void {
  const queue = waiting.get(tenantId)
  if (queue) queue.push(begin)
  else waiting.set(tenantId, [begin])
}

/** The next workspace, which then stands at the end of the line if it has more. */
function startNext(mine: FairShareQueue): void {
  const [next] = mine.waiting
  if (!next) {
    mine.busy = false
    return
  }
  const [tenantId, queue] = next
  const begin = queue.shift()!
  mine.waiting.delete(tenantId)
  if (queue.length > 0) mine.waiting.set(tenantId, queue)
  begin()
}
