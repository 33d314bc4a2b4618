/**
 * Plays a simulated run: inputs of the request, responses and deliveries that nobody provides, timers, and the events that
 * the run itself causes, in the order of their simulated times.
 */
import { recordContactEvent } from '../../contacts/activity.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { emit } from '../../platform/events/event.ts'
import { listEmitted } from '../../platform/events/log.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { handleConversationEvent } from '../engine/enrollment/bot-sessions.ts'
import type { Enrollment } from '../engine/enrollment/enroll.ts'
import { type PendingResume, resumeRun } from '../engine/run/resume.ts'
import { type EngineContext, isInProgress, type Resume, type Run } from '../engine/run/run.ts'
import { findResumes, getContactId } from '../engine/waits/event-waits.ts'
import { endUndelivered } from '../engine/waits/late-failures.ts'
import { eventReceived } from '../events.ts'
import type { Effects, HttpResult, Json } from '../nodes/node-type.ts'
import { listSteps } from '../store/runs/run-lists.ts'
import { findRun } from '../store/runs/runs.ts'
import { workflowEventTypes } from '../subscriptions.ts'
import { followNewestEvent } from './newest-event.ts'
import type { Simulation, SimulationInput, SimulationRequest } from './schemas.ts'
import { applyFacts, receiveSimulatedMessage, type SimulationContext } from './simulation-data.ts'

const maxResumes = 500
/** A simulation holds a connection and locks the contact. */
const maxDurationMs = 5_000
/** Longer than replies are buffered, so that each input is a reply of its own. */
const defaultSpacingSeconds = 5
/** Simulated time until a message is reported as delivered. */
const deliveryMs = 1_000

export interface SimulationState {
  caller: Caller
  engine: EngineContext
  run: Run
  /** The runs that further events start which match the trigger; undefined if they have no effect on the run. */
  enrollment?: Enrollment
  now: number
  request: SimulationRequest
  context: SimulationContext
  effects: Simulation['effects']
  /** Position of the last event that was handled. */
  lastSeq: number
}

export async function playInputs(state: SimulationState): Promise<void> {
  const inputs = [...(state.request.inputs ?? []).entries()]
  let lastInputAt = state.now
  const deadline = performance.now() + maxDurationMs
  if (state.run.status === 'running') await resume(state, 'continue')
  for (let n = 0; n < maxResumes && isInProgress(state.run) && performance.now() < deadline; n++) {
    if (await applyConsequences(state)) continue
    const automatic = findAutomaticInput(state)
    const wakeAt = getWakeTime(state, inputs.length > 0)
    const inputAt = inputs[0] && Math.max(state.now, lastInputAt + getSpacingMs(inputs[0][1]))
    if (automatic) {
      state.now += automatic.afterMs
      await resume(state, automatic.reason)
    } else if (inputAt !== undefined && inputAt <= wakeAt) {
      state.now = inputAt
      lastInputAt = inputAt
      await applyInput(state, ...inputs.shift()!)
    } else if (wakeAt < Number.POSITIVE_INFINITY) {
      state.now = Math.max(state.now, wakeAt)
      await resume(state, 'timer')
    } else return
  }
  await failUnawaited(state)
}

/** After the last input, a simulation until its inputs delivers buffered replies only. */
function getWakeTime({ run, request }: SimulationState, hasInputs: boolean): number {
  const mayPass = hasInputs || request.until !== 'inputs' || run.bufferedReplies !== null
  return run.wakeAt === null || !mayPass ? Number.POSITIVE_INFINITY : Date.parse(run.wakeAt)
}

function getSpacingMs({ afterSeconds = defaultSpacingSeconds }: SimulationInput): number {
  return afterSeconds * 1_000
}

/** Applies what the simulation has caused, failures of messages after the events. Returns false if nothing changed the run. */
async function applyConsequences(state: SimulationState): Promise<boolean> {
  if (await applyNewEvents(state)) return true
  await failUnawaited(state)
  return !isInProgress(state.run)
}

/** Reports the failed messages of nodes that do not wait for their delivery. */
async function failUnawaited(state: SimulationState): Promise<void> {
  const { deliveries = {} } = state.request
  if (Object.keys(deliveries).length === 0) return
  const { tenantId, id: runId, workflowId, contactId } = state.run
  const steps = await listSteps(state.engine.tx, tenantId, runId)
  const failed = steps.flatMap(({ nodeId, at, detail }) =>
    deliveries[nodeId] && typeof detail?.messageId === 'string'
      ? [{ messageId: detail.messageId, workflowId, contactId, at, code: deliveries[nodeId].failed }]
      : [],
  )
  if (failed.length === 0) return
  await endUndelivered(getTxAtTime({ ...state, now: state.now + deliveryMs }), tenantId, failed)
  await reloadRun(state)
}

/** Returns an input that the request does not provide: an HTTP response, a delivery status, the end of a called run. */
function findAutomaticInput({
  run,
  request,
}: SimulationState): { reason: Resume['reason']; afterMs: number } | undefined {
  if (run.status === 'running') return { reason: 'continue', afterMs: 0 }
  if (run.wait?.http)
    return { reason: { type: 'response', result: buildHttpResult(run, request) }, afterMs: 0 }
  if (run.wait?.delivery) return { reason: buildDelivery(run, request), afterMs: deliveryMs }
  if (run.wait?.run) return { reason: { type: 'returned', status: 'completed' }, afterMs: 0 }
  return undefined
}

function buildDelivery({ nodeId }: Run, { deliveries = {} }: SimulationRequest): Resume['reason'] {
  const failure = deliveries[nodeId]
  return failure
    ? { type: 'delivery', status: 'failed', code: failure.failed }
    : { type: 'delivery', status: 'delivered', code: null }
}

function buildHttpResult({ nodeId }: Run, { http = {} }: SimulationRequest): HttpResult {
  const { status = 200, body = {}, timeout, error } = http[nodeId] ?? {}
  if (timeout) return { type: 'timeout' }
  if (error !== undefined) return { type: 'error', code: error, message: 'simulated error' }
  return { type: 'answered', status, headers: {}, body: body as Json }
}

async function applyInput(state: SimulationState, index: number, input: SimulationInput): Promise<void> {
  const { context, caller } = state
  const { message, replyId, media, event, afterSeconds: _, ...facts } = input
  const tx = getTxAtTime(state)
  if (event) await emitCustomEvent(tx, context, event)
  else if (message !== undefined || replyId !== undefined || media)
    await receiveSimulatedMessage(tx, context, input)
  await applyFacts(tx, caller, context.contactId, facts, `inputs[${index}].`)
  await reloadRun(state)
}

export async function emitCustomEvent(
  tx: Tx,
  { tenantId, contactId }: SimulationContext,
  { name, key = null, data = {} }: { name: string; key?: string | null; data?: Record<string, unknown> },
): Promise<void> {
  const event = { name, key, data: data as Record<string, Json> }
  await recordContactEvent(tx, tenantId, { contactId, name })
  await emit(tx, eventReceived, { tenantId, data: { contactId, event } })
}

/**
 * Applies the events that the simulation has caused since the last time, as the engine applies those of one commit: of
 * several that resume the run, the first takes effect. Returns false if there are none.
 */
async function applyNewEvents(state: SimulationState): Promise<boolean> {
  const { contactId, tenantId } = state.context
  const emitted = await listEmitted(state.engine.tx, tenantId, state.lastSeq)
  state.lastSeq = emitted.at(-1)?.seq ?? state.lastSeq
  const events = emitted.filter(
    event => workflowEventTypes.includes(event.type) && getContactId(event) === contactId,
  )
  if (events.length === 0) return false
  const tx = getTxAtTime(state)
  const newest = state.enrollment && (await followNewestEvent(tx, state.enrollment, state.run, events))
  if (newest) {
    state.run = newest
    return true
  }
  const { resumes, answers } = await findResumes(tx, [state.run], events)
  if (state.run.kind === 'chatbot')
    for (const event of events) await handleConversationEvent(tx, event, answers)
  for (const pending of resumes) await resumeAt(state, pending)
  await reloadRun(state)
  return true
}

async function resume(state: SimulationState, reason: Resume['reason']): Promise<void> {
  await resumeAt(state, { run: state.run, reason })
  await reloadRun(state)
}

async function resumeAt(state: SimulationState, { run, reason, causationDepth }: PendingResume) {
  const { engine } = state
  const tx = getTxAtTime(state)
  const deps = Object.create(engine.deps, { clock: { value: tx.clock } }) as Deps
  const depth = causationDepth === undefined ? {} : { causationDepth }
  await resumeRun({ ...engine, tx, deps }, run.tenantId, {
    runId: run.id,
    revision: run.revision,
    reason,
    ...depth,
  })
}

async function reloadRun(state: SimulationState): Promise<void> {
  state.run = (await findRun(state.engine.tx, state.run.tenantId, state.run.id))!
}

function getTxAtTime({ engine, now }: SimulationState): Tx {
  return moveClock(engine.tx, now)
}

/** Returns the transaction with another time. */
export function moveClock(tx: Tx, now: number): Tx {
  const date = new Date(now)
  const clock = { now: () => date, offsetMs: () => now - Date.now() }
  return Object.create(tx, { now: { value: date.toISOString() }, clock: { value: clock } }) as Tx
}

export function recordEffects(state: SimulationState, effects: Effects, run: Run): Effects {
  const entries = Object.entries(effects).map(([name, effect]) => [
    name,
    async (...input: unknown[]) => {
      const result = await (effect as (...args: unknown[]) => Promise<unknown>)(...input)
      const at = new Date(state.now).toISOString()
      state.effects.push({ at, nodeId: run.nodeId, effect: name, input, result: result ?? null })
      return result
    },
  ])
  return Object.fromEntries(entries) as Effects
}
