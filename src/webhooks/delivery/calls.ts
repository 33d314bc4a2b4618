/** Calls endpoints with claimed deliveries and reports the results. */
import { setMaxListeners } from 'node:events'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { disableEndpoint } from '../endpoints.ts'
import type { DisableReason } from '../schemas.ts'
import type { Completion } from '../store/completions.ts'
import type { ClaimedDelivery } from '../store/deliveries.ts'
import { type CallResult, callEndpoint, type Endpoint, internalFailure } from './call-endpoint.ts'
import { shouldDisable } from './circuit-breaker.ts'
import type { CompletionWriter } from './completions.ts'
import {
  type EndpointState,
  getConcurrency,
  invalidateEndpoint,
  recordFailure,
  recordSuccess,
  resetCircuit,
} from './endpoint-state.ts'
import { buildBody } from './envelope.ts'
import { dropped, isGone, returned, toCompletion } from './outcomes.ts'

export interface CallsOptions {
  deps: Deps
  completions: CompletionWriter
  isLeaseValid(state: EndpointState): boolean
  /** Called when an endpoint may claim more or be released. */
  onChange(): void
}

export interface Calls {
  /** Starts as many queued deliveries as the endpoint's concurrency allows. */
  start(state: EndpointState): void
  /** Returns queued deliveries without an attempt. */
  returnQueued(state: EndpointState): void
  countRunning(): number
  /** Waits for running calls, then aborts them. */
  stop(graceMs: number): Promise<void>
}

export function openCalls({ deps, completions, isLeaseValid, onChange }: CallsOptions): Calls {
  const { clock, log } = deps
  const running = new Set<Promise<void>>()
  const cancel = new AbortController()
  setMaxListeners(0, cancel.signal)

  function complete(state: EndpointState, completion: Completion): void {
    completions.add(completion, () => {
      state.unfinished--
      state.idleSince = performance.now()
      onChange()
    })
  }

  function start(state: EndpointState): void {
    const now = clock.now()
    while (state.queue.length > 0 && state.inFlight < getConcurrency(state, now)) {
      if (!isLeaseValid(state)) return
      const call = runCall(state, state.queue.shift()!).finally(() => running.delete(call))
      running.add(call)
    }
    if (state.queue.length > 0 && getConcurrency(state, now) === 0) returnQueued(state)
  }

  function returnQueued(state: EndpointState): void {
    const now = clock.now().toISOString()
    for (const delivery of state.queue.splice(0)) complete(state, returned(delivery, state.token, now))
  }

  async function runCall(state: EndpointState, delivery: ClaimedDelivery): Promise<void> {
    if (!delivery.isRetained) {
      log.warn(
        { tenantId: state.tenantId, eventId: delivery.eventId },
        'webhook delivery dropped: its event has expired',
      )
      return complete(state, dropped(delivery, state.token))
    }
    const endpoint = state.endpoint!
    state.inFlight++
    const result = await send(deps, endpoint, delivery, cancel.signal)
    state.inFlight--
    state.completed++
    complete(state, toCompletion(delivery, state.token, result, clock.now()))
    if (state.endpoint?.url === endpoint.url) updateCircuit(state, endpoint.url, result)
    start(state)
    onChange()
  }

  function updateCircuit(state: EndpointState, url: string, result: CallResult): void {
    if (result.notSent || result.interrupted) return
    if (result.succeeded) recordSuccess(state)
    else recordFailure(state, clock.now())
    if (isGone(result)) void disable(deps, state, url, 'gone').then(onChange)
    else if (shouldDisable(state.circuit, clock.now()))
      void disable(deps, state, url, 'failing').then(onChange)
  }

  return {
    start,
    returnQueued,
    countRunning: () => running.size,
    async stop(graceMs) {
      const allEnded = Promise.all(running)
      const timer = setTimeout(() => cancel.abort(), graceMs)
      await allEnded
      clearTimeout(timer)
    },
  }
}

async function send(
  deps: Deps,
  endpoint: Endpoint,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<CallResult> {
  const { tenantId, endpointId, eventId, eventType } = delivery
  const body = buildBody({ ...delivery, id: eventId, type: eventType })
  try {
    return await callEndpoint(deps, endpoint, { eventId, body, group: `${tenantId} ${endpointId}`, signal })
  } catch (error) {
    deps.log.error({ err: error, tenantId, endpointId }, 'webhook call failed unexpectedly')
    return internalFailure
  }
}

async function disable(
  { db, log }: Deps,
  state: EndpointState,
  url: string,
  reason: DisableReason,
): Promise<void> {
  const { tenantId, endpointId } = state
  state.endpoint = undefined
  state.unfinished++ // keeps the lease until this is done
  try {
    const disabled = await transact(db, tx => disableEndpoint(tx, { tenantId, endpointId, url }, reason))
    if (!disabled) return
    resetCircuit(state)
    log.warn({ tenantId, endpointId, reason }, 'webhook endpoint disabled')
  } catch (error) {
    log.error({ err: error, tenantId, endpointId }, 'disabling a webhook endpoint failed')
  } finally {
    state.unfinished--
    invalidateEndpoint(state)
  }
}
