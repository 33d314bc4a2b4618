/** Takes what is due from the lanes that have room for it, all in one statement, and hands it to the calls. */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type ClaimedDelivery, type ClaimRequest, claimDue } from '../store/deliveries.ts'
import type { Calls } from './calls.ts'
import {
  adjustPrefetch,
  advanceScan,
  type EndpointState,
  getFreeSlots,
  isEndpointStale,
  setEndpoint,
  shouldClaim,
  startScan,
} from './endpoint-state.ts'
import type { LoadEndpoints } from './endpoints.ts'

/** In all lanes together: what was taken is in memory. */
const maxUnfinished = 2_000

export interface ClaimOptions {
  db: Db
  clock: Clock
  lanes: Map<string, EndpointState>
  calls: Calls
  readReceivers: LoadEndpoints
}

export async function claimDeliveries(options: ClaimOptions): Promise<void> {
  const { db, clock, lanes, calls } = options
  const wishes = planClaims([...lanes.values()], clock.now())
  const asking = wishes.map(({ tenantId, limit: places }) => {
    const lane = lanes.get(tenantId)!
    lane.mayHaveMore = false // unless told otherwise meanwhile
    return { lane, places, endedBefore: lane.completed }
  })
  const found = wishes.length > 0 ? await claimDue(db, wishes, clock.now().toISOString()) : undefined
  for (const { lane, places, endedBefore } of asking) {
    const taken = found!.get(lane.tenantId)
    if (taken) addClaimed(lane, taken, endedBefore)
    // Without an answer it is locked by somebody this moment.
    if (!taken || taken.length === places) lane.mayHaveMore = true
  }
  await refreshEndpoints(options)
  for (const { lane } of asking) calls.start(lane)
}

function addClaimed(lane: EndpointState, taken: readonly ClaimedDelivery[], endedBefore: number): void {
  adjustPrefetch(lane, lane.completed - endedBefore)
  advanceScan(lane, taken)
  lane.queue.push(...taken)
  lane.unfinished += taken.length
  if (taken.length > 0) lane.idleSince = performance.now()
}

/** After the lanes' news were taken note of: whoever changes a receiver leaves news in its lane. */
async function refreshEndpoints({ lanes, readReceivers, calls }: ClaimOptions): Promise<void> {
  const stale = [...lanes.values()].filter(lane => lane.queue.length > 0 && isEndpointStale(lane))
  if (stale.length === 0) return
  const receivers = await readReceivers(stale.map(lane => lane.tenantId))
  for (const lane of stale) {
    setEndpoint(lane, receivers.get(lane.tenantId))
    calls.start(lane)
  }
}

/** When one lane is low, all that have room join in. */
function planClaims(lanes: readonly EndpointState[], now: Date): ClaimRequest[] {
  let free = maxUnfinished - lanes.reduce((sum, lane) => sum + lane.unfinished, 0)
  const rooms = lanes.map(lane => ({ lane, room: getFreeSlots(lane, now) }))
  if (!rooms.some(({ lane, room }) => shouldClaim(lane, room))) return []
  const wishes: ClaimRequest[] = []
  for (const { lane, room } of rooms) {
    const places = Math.min(room, free)
    if (places <= 0) continue
    wishes.push({ tenantId: lane.tenantId, token: lane.token, limit: places, scanFrom: startScan(lane) })
    free -= places
  }
  return wishes
}
