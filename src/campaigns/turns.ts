/**
 * Whose turn it is in this process, and how much they may hand over: only as much as there is room for, so that a
 * person's message that comes in between does not stand behind a campaign. Workspaces take turns, and within a workspace
 * its campaigns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { processHappening } from '../conversations/inbound.ts'
import { sendMessage } from '../conversations/send.ts'
import type { Db } from '../platform/db/db.ts'
import { countUnderWay } from '../platform/jobs/backlog.ts'
import { openWindow, type Window } from './window.ts'

const watched = [sendMessage, processHappening]
const lookAgainMs = 10

type Begin = () => void

interface Turns {
  busy: boolean
  /** By workspace, in the order of their turns. */
  waiting: Map<string, Begin[]>
  window: Window
}

const turns = new WeakMap<Db, Turns>()

function turnsOf(db: Db): Turns {
  let mine = turns.get(db)
  if (!mine) {
    mine = { busy: false, waiting: new Map(), window: openWindow() }
    turns.set(db, mine)
  }
  return mine
}

export interface Turn {
  /** How many messages were handed over. */
  messages: number
}

/** Runs when it is this workspace's turn and there is room; undefined when there was none for so long. */
export async function inTurn<T extends Turn>(
  db: Db,
  tenantId: string,
  patienceMs: number,
  run: (room: number) => Promise<T>,
): Promise<T | undefined> {
  const mine = turnsOf(db)
  if (mine.busy) await new Promise<void>(begin => join(mine, tenantId, begin))
  mine.busy = true
  try {
    const room = await roomIn(db, mine, patienceMs)
    const turn = room > 0 ? await run(room) : undefined
    mine.window.handedOver(turn?.messages ?? 0)
    return turn
  } finally {
    passOn(mine)
  }
}

async function roomIn(db: Db, { window }: Turns, patienceMs: number): Promise<number> {
  for (const end = performance.now() + patienceMs; ; await sleep(lookAgainMs)) {
    const underWay = await countUnderWay(db, watched, 2 * window.size())
    window.saw(underWay, performance.now())
    if (underWay <= window.size() / 2) return Math.ceil((window.size() - underWay) / 3)
    if (performance.now() > end) return 0
  }
}

function join({ waiting }: Turns, tenantId: string, begin: Begin): void {
  const queue = waiting.get(tenantId)
  if (queue) queue.push(begin)
  else waiting.set(tenantId, [begin])
}

/** The next workspace, which then stands at the end of the line if it has more. */
function passOn(mine: Turns): void {
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
