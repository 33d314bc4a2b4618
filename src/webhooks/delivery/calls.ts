/** Makes the calls of a lane and says how they went. */
import { setMaxListeners } from 'node:events'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { callReceiver, type Outcome, type Receiver, unexplained } from '../attempt.ts'
import { bodyOf } from '../envelope.ts'
import { isHopeless } from '../health.ts'
import { type DisableReason, disableReceiver } from '../settings.ts'
import type { Taken } from '../store/deliveries.ts'
import type { Settlement } from '../store/settling.ts'
import { beginAnew, type Lane, makeStale, noteFailure, noteSuccess, width } from './lane.ts'
import { dropped, isGone, settlementOf, untouched } from './outcomes.ts'
import type { Settler } from './settler.ts'

export interface CallsOptions {
  deps: Deps
  settler: Settler
  /** A lane may want more, or be let go. */
  changed(): void
}

export interface Calls {
  /** Begins as many of what was taken as may run now. */
  pump(lane: Lane): void
  /** What was taken and not yet called goes back. */
  putBack(lane: Lane): void
  running(): number
  /** Waits for calls to end, then cuts them off. */
  stop(graceMs: number): Promise<void>
}

export function openCalls({ deps, settler, changed }: CallsOptions): Calls {
  const { clock, log } = deps
  const running = new Set<Promise<void>>()
  const cancel = new AbortController()
  setMaxListeners(0, cancel.signal)

  function settle(lane: Lane, settlement: Settlement): void {
    settler.report(settlement, () => {
      lane.open--
      lane.idleSince = performance.now()
      changed()
    })
  }

  function pump(lane: Lane): void {
    const now = clock.now()
    while (lane.queue.length > 0 && lane.calls < width(lane, now)) {
      if (performance.now() >= lane.until) return // another process may have it
      const call = make(lane, lane.queue.shift()!).finally(() => running.delete(call))
      running.add(call)
    }
    if (lane.queue.length > 0 && width(lane, now) === 0) putBack(lane)
  }

  function putBack(lane: Lane): void {
    const now = clock.now().toISOString()
    for (const taken of lane.queue.splice(0)) settle(lane, untouched(taken, lane.token, now))
  }

  async function make(lane: Lane, taken: Taken): Promise<void> {
    if (!taken.kept) {
      log.warn({ tenantId: lane.tenantId, eventId: taken.eventId }, 'an event is too old to be delivered')
      return settle(lane, dropped(taken, lane.token))
    }
    const receiver = lane.receiver!
    lane.calls++
    const outcome = await deliver(deps, receiver, taken, cancel.signal)
    lane.calls--
    lane.ended++
    settle(lane, settlementOf(taken, lane.token, outcome, clock.now()))
    if (lane.receiver?.url === receiver.url) learn(lane, receiver.url, outcome)
    pump(lane)
    changed()
  }

  function learn(lane: Lane, url: string, outcome: Outcome): void {
    if (outcome.unsent || outcome.interrupted) return
    if (outcome.arrived) noteSuccess(lane)
    else noteFailure(lane, clock.now())
    if (isGone(outcome)) void disable(deps, lane, url, 'gone').then(changed)
    else if (isHopeless(lane.health, clock.now())) void disable(deps, lane, url, 'failing').then(changed)
  }

  return {
    pump,
    putBack,
    running: () => running.size,
    async stop(graceMs) {
      const ended = Promise.all(running)
      const timer = setTimeout(() => cancel.abort(), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

async function deliver(deps: Deps, receiver: Receiver, taken: Taken, signal: AbortSignal): Promise<Outcome> {
  const { tenantId, eventId, eventType, seq } = taken
  const body = bodyOf({ ...taken, id: eventId, type: eventType, sequence: seq })
  try {
    return await callReceiver(deps, receiver, { eventId, body, group: tenantId, signal })
  } catch (error) {
    deps.log.error({ err: error, tenantId }, 'a webhook call failed in a way it must not')
    return unexplained
  }
}

async function disable({ db, log }: Deps, lane: Lane, url: string, reason: DisableReason): Promise<void> {
  const { tenantId } = lane
  lane.receiver = undefined
  lane.open++ // not to be let go before this is decided
  try {
    const done = await transact(db, tx => disableReceiver(tx, tenantId, url, reason))
    if (!done) return
    beginAnew(lane)
    log.warn({ tenantId, reason }, 'a webhook was disabled')
  } catch (error) {
    log.error({ err: error, tenantId }, 'a webhook could not be disabled')
  } finally {
    lane.open--
    makeStale(lane)
  }
}
