/** Claims due deliveries for all endpoints with free slots in one statement and starts their calls. */
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

/** Limit over all endpoints, because claimed deliveries are held in memory. */
const maxUnfinished = 2_000

export interface ClaimOptions {
  db: Db
  clock: Clock
  endpoints: Map<string, EndpointState>
  calls: Calls
  loadEndpoints: LoadEndpoints
}

export async function claimDeliveries(options: ClaimOptions): Promise<void> {
  const { db, clock, endpoints, calls } = options
  const requests = planClaims([...endpoints.values()], clock.now())
  const claims = requests.map(({ endpointId, limit }) => {
    const state = endpoints.get(endpointId)!
    state.mayHaveMore = false // a notice may set it again during the claim
    return { state, limit, completedBefore: state.completed }
  })
  const results = requests.length > 0 ? await claimDue(db, requests, clock.now().toISOString()) : undefined
  for (const { state, limit, completedBefore } of claims) {
    const deliveries = results!.get(state.endpointId)
    if (deliveries) addClaimed(state, deliveries, completedBefore)
    // Endpoints without a result are locked by another transaction.
    if (!deliveries || deliveries.length >= limit) state.mayHaveMore = true
  }
  await refreshEndpoints(options)
  for (const { state } of claims) calls.start(state)
}

function addClaimed(
  state: EndpointState,
  deliveries: readonly ClaimedDelivery[],
  completedBefore: number,
): void {
  adjustPrefetch(state, state.completed - completedBefore)
  advanceScan(state, deliveries)
  state.queue.push(...deliveries)
  state.unfinished += deliveries.length
  if (deliveries.length > 0) state.idleSince = performance.now()
}

/** Must run after the claim, which reads `has_new`: changes of an endpoint set it. */
async function refreshEndpoints({ endpoints, loadEndpoints, calls }: ClaimOptions): Promise<void> {
  const stale = [...endpoints.values()].filter(state => state.queue.length > 0 && isEndpointStale(state))
  if (stale.length === 0) return
  const loaded = await loadEndpoints(stale)
  for (const state of stale) {
    setEndpoint(state, loaded.get(state.endpointId))
    calls.start(state)
  }
}

/** Returns no requests until one endpoint is running low; then includes all endpoints with free slots. */
function planClaims(endpoints: readonly EndpointState[], now: Date): ClaimRequest[] {
  let free = maxUnfinished - endpoints.reduce((sum, state) => sum + state.unfinished, 0)
  const candidates = endpoints.map(state => ({ state, slots: getFreeSlots(state, now) }))
  if (!candidates.some(({ state, slots }) => shouldClaim(state, slots))) return []
  const requests: ClaimRequest[] = []
  for (const { state, slots } of candidates) {
    const limit = Math.min(slots, free)
    if (limit <= 0) continue
    const { tenantId, endpointId, token } = state
    requests.push({ tenantId, endpointId, token, limit, scanFrom: startScan(state) })
    free -= limit
  }
  return requests
}
