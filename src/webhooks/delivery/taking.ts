/** Takes what is due from the lanes that have room for it, all in one statement, and hands it to the calls. */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Taken, takeDue, type Wish } from '../store/deliveries.ts'
import type { Calls } from './calls.ts'
import { floorOf, isLow, isStale, type Lane, noteEnded, raiseFloor, roomOf, useReceiver } from './lane.ts'
import type { ReadReceivers } from './receivers.ts'

/** In all lanes together: what was taken is in memory. */
const mostOpen = 2_000

export interface TakingOptions {
  db: Db
  clock: Clock
  lanes: Map<string, Lane>
  calls: Calls
  readReceivers: ReadReceivers
}

export async function takeForAll(options: TakingOptions): Promise<void> {
  const { db, clock, lanes, calls } = options
  const wishes = wishesOf([...lanes.values()], clock.now())
  const asking = wishes.map(({ tenantId, places }) => {
    const lane = lanes.get(tenantId)!
    lane.hungry = false // unless told otherwise meanwhile
    return { lane, places, endedBefore: lane.ended }
  })
  const found = wishes.length > 0 ? await takeDue(db, wishes, clock.now().toISOString()) : undefined
  for (const { lane, places, endedBefore } of asking) {
    const taken = found!.get(lane.tenantId)
    if (taken) fill(lane, taken, endedBefore)
    // Without an answer it is locked by somebody this moment.
    if (!taken || taken.length === places) lane.hungry = true
  }
  await refreshReceivers(options)
  for (const { lane } of asking) calls.pump(lane)
}

function fill(lane: Lane, taken: readonly Taken[], endedBefore: number): void {
  noteEnded(lane, lane.ended - endedBefore)
  raiseFloor(lane, taken)
  lane.queue.push(...taken)
  lane.open += taken.length
  if (taken.length > 0) lane.idleSince = performance.now()
}

/** After the lanes' news were taken note of: whoever changes a receiver leaves news in its lane. */
async function refreshReceivers({ lanes, readReceivers, calls }: TakingOptions): Promise<void> {
  const stale = [...lanes.values()].filter(lane => lane.queue.length > 0 && isStale(lane))
  if (stale.length === 0) return
  const receivers = await readReceivers(stale.map(lane => lane.tenantId))
  for (const lane of stale) {
    useReceiver(lane, receivers.get(lane.tenantId))
    calls.pump(lane)
  }
}

/** When one lane is low, all that have room join in. */
function wishesOf(lanes: readonly Lane[], now: Date): Wish[] {
  let free = mostOpen - lanes.reduce((sum, lane) => sum + lane.open, 0)
  const rooms = lanes.map(lane => ({ lane, room: roomOf(lane, now) }))
  if (!rooms.some(({ lane, room }) => isLow(lane, room))) return []
  const wishes: Wish[] = []
  for (const { lane, room } of rooms) {
    const places = Math.min(room, free)
    if (places <= 0) continue
    wishes.push({ tenantId: lane.tenantId, token: lane.token, places, floor: floorOf(lane) })
    free -= places
  }
  return wishes
}
