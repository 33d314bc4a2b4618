/** Makes the calls of a lane and says how they went. */
import { setMaxListeners } from 'node:events'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { type CallResult, callEndpoint, type Endpoint, internalFailure } from '../call-endpoint.ts'
import { shouldDisable } from '../circuit-breaker.ts'
import { buildBody } from '../envelope.ts'
import { type DisableReason, disableEndpoint } from '../settings.ts'
import type { Completion } from '../store/completions.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import type { CompletionWriter } from './completions.ts'
import {
  type EndpointState,
  getConcurrency,
  invalidateEndpoint,
  recordFailure,
  recordSuccess,
  resetCircuit,
} from './endpoint-state.ts'
import { dropped, isGone, returned, toCompletion } from './outcomes.ts'

export interface CallsOptions {
  deps: Deps
  completions: CompletionWriter
  /** A lane may want more, or be let go. */
  onChange(): void
}

export interface Calls {
  /** Begins as many of what was taken as may run now. */
  start(lane: EndpointState): void
  /** What was taken and not yet called goes back. */
  returnQueued(lane: EndpointState): void
  countRunning(): number
  /** Waits for calls to end, then cuts them off. */
  stop(graceMs: number): Promise<void>
}

export function openCalls({ deps, completions: settler, onChange: changed }: CallsOptions): Calls {
  const { clock, log } = deps
  const running = new Set<Promise<void>>()
  const cancel = new AbortController()
  setMaxListeners(0, cancel.signal)

  function settle(lane: EndpointState, settlement: Completion): void {
    settler.add(settlement, () => {
      lane.unfinished--
      lane.idleSince = performance.now()
      changed()
    })
  }

  function pump(lane: EndpointState): void {
    const now = clock.now()
    while (lane.queue.length > 0 && lane.inFlight < getConcurrency(lane, now)) {
      if (performance.now() >= lane.leaseUntil) return // another process may have it
      const call = make(lane, lane.queue.shift()!).finally(() => running.delete(call))
      running.add(call)
    }
    if (lane.queue.length > 0 && getConcurrency(lane, now) === 0) putBack(lane)
  }

  function putBack(lane: EndpointState): void {
    const now = clock.now().toISOString()
    for (const taken of lane.queue.splice(0)) settle(lane, returned(taken, lane.token, now))
  }

  async function make(lane: EndpointState, taken: ClaimedDelivery): Promise<void> {
    if (!taken.isRetained) {
      log.warn({ tenantId: lane.tenantId, eventId: taken.eventId }, 'an event is too old to be delivered')
      return settle(lane, dropped(taken, lane.token))
    }
    const receiver = lane.endpoint!
    lane.inFlight++
    const outcome = await deliver(deps, receiver, taken, cancel.signal)
    lane.inFlight--
    lane.completed++
    settle(lane, toCompletion(taken, lane.token, outcome, clock.now()))
    if (lane.endpoint?.url === receiver.url) learn(lane, receiver.url, outcome)
    pump(lane)
    changed()
  }

  function learn(lane: EndpointState, url: string, outcome: CallResult): void {
    if (outcome.notSent || outcome.interrupted) return
    if (outcome.succeeded) recordSuccess(lane)
    else recordFailure(lane, clock.now())
    if (isGone(outcome)) void disable(deps, lane, url, 'gone').then(changed)
    else if (shouldDisable(lane.circuit, clock.now())) void disable(deps, lane, url, 'failing').then(changed)
  }

  return {
    start: pump,
    returnQueued: putBack,
    countRunning: () => running.size,
    async stop(graceMs) {
      const ended = Promise.all(running)
      const timer = setTimeout(() => cancel.abort(), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

async function deliver(
  deps: Deps,
  receiver: Endpoint,
  taken: ClaimedDelivery,
  signal: AbortSignal,
): Promise<CallResult> {
  const { tenantId, eventId, eventType, seq } = taken
  const body = buildBody({ ...taken, id: eventId, type: eventType, sequence: seq })
  try {
    return await callEndpoint(deps, receiver, { eventId, body, group: tenantId, signal })
  } catch (error) {
    deps.log.error({ err: error, tenantId }, 'a webhook call failed in a way it must not')
    return internalFailure
  }
}

async function disable(
  { db, log }: Deps,
  lane: EndpointState,
  url: string,
  reason: DisableReason,
): Promise<void> {
  const { tenantId } = lane
  lane.endpoint = undefined
  lane.unfinished++ // not to be let go before this is decided
  try {
    const done = await transact(db, tx => disableEndpoint(tx, tenantId, url, reason))
    if (!done) return
    resetCircuit(lane)
    log.warn({ tenantId, reason }, 'a webhook was disabled')
  } catch (error) {
    log.error({ err: error, tenantId }, 'a webhook could not be disabled')
  } finally {
    lane.unfinished--
    invalidateEndpoint(lane)
  }
}
