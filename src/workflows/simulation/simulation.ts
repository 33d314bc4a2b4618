/**
 * Simulates a run: on the real engine, with the real effects, in a transaction that is rolled back, with a simulated
 * clock. Nothing is sent or stored, and the result is what a real run would do.
 */

import { defineCache } from '../../platform/caches.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, type Violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { limitPerTenant } from '../../platform/limits/limit-per-tenant.ts'
import { getEntryConfig } from '../definition/definition.ts'
import { getPlan, hasFallback } from '../definition/plan.ts'
import { buildRun, filterByConditions } from '../engine/enrollment/enroll.ts'
import { type Resume, resumeRun } from '../engine/run/resume.ts'
import { type EngineContext, fallbackEvent, isInProgress, type Run } from '../engine/run/run.ts'
import { findReason } from '../engine/waits/event-waits.ts'
import { bufferReply } from '../engine/waits/reply-buffer.ts'
import { workflowProblems } from '../errors.ts'
import { findDataViolation } from '../events.ts'
import type { Effects, HttpResult, Json } from '../nodes/node-type.ts'
import { toPath } from '../runs.ts'
import { ChatbotVersionId, JourneyVersionId, RunId } from '../schemas.ts'
import { admitRuns, findRun, listSteps } from '../store/runs.ts'
import { findVersion, insertVersion } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import type { Simulation, SimulationRequest } from './schemas.ts'
import { buildMessage, createSimulationContext, type SimulationContext } from './simulation-data.ts'
import { buildCustomEvent, buildEntry, buildMessageEvent } from './simulation-events.ts'

const maxResumes = 500
/** A simulation holds a connection and locks the contact. */
const maxDurationMs = 5_000
/** Longer than replies are buffered, so that each input is a reply of its own. */
const defaultSpacingSeconds = 5
/** Simulated time until a message is reported as delivered. */
const deliveryMs = 1_000

/** Thrown to roll the transaction back. */
class SimulationFinished extends Error {
  readonly result: Simulation
  constructor(result: Simulation) {
    super('the simulation has finished')
    this.result = result
  }
}

export async function simulate(
  deps: Deps,
  caller: Caller,
  workflow: WorkflowRow,
  request: SimulationRequest,
): Promise<Simulation> {
  const tooLarge = findTooLarge(request)
  if (tooLarge.length > 0) invalid(...tooLarge)
  return simulations(deps).run(caller.tenantId, () =>
    rollBack(deps, tx => runSimulation(deps, tx, caller, workflow, request)),
  )
}

/** A simulation holds a connection of the writers for seconds. */
const simulations = defineCache(({ config }: Pick<Deps, 'config'>) =>
  limitPerTenant(
    'simulations',
    config.simulationsPerWorkspace,
    Math.max(1, Math.floor(config.databaseWriters / 4)),
  ),
)

async function rollBack(deps: Deps, work: (tx: Tx) => Promise<Simulation>): Promise<Simulation> {
  try {
    return await transact(deps.db, async tx => {
      throw new SimulationFinished(await work(tx))
    })
  } catch (error) {
    if (error instanceof SimulationFinished) return error.result
    throw error
  }
}

function findTooLarge({ event, inputs = [] }: SimulationRequest): Violation[] {
  const violations = inputs.map((input, i) => findDataViolation(input.event?.data, `inputs[${i}].event.data`))
  return [findDataViolation(event?.data, 'event.data'), ...violations].filter(found => found !== undefined)
}

interface SimulationState {
  engine: EngineContext
  run: Run
  now: number
  request: SimulationRequest
  context: SimulationContext
  effects: Simulation['effects']
}

async function runSimulation(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  workflow: WorkflowRow,
  request: SimulationRequest,
): Promise<Simulation> {
  const version = await resolveVersion(tx, workflow, request.version === 'published')
  const context = await createSimulationContext(tx, caller, workflow, request)
  const active = { ...version, tenantId: caller.tenantId, kind: workflow.kind, workflowId: workflow.id }
  const found = await buildEntry(tx, context, { kind: workflow.kind, trigger: version.trigger }, request)
  const plan = await getPlan(tx, caller.tenantId, version.versionId)
  const entry = found ?? (hasFallback(plan) ? await buildFallback(tx, context, request) : undefined)
  if (!entry) return buildNotEntered(tx, plan.startId, 'trigger_not_matched')
  const enrollment = {
    active: { ...active, triggerType: version.trigger.type, entryMode: 'every_time' as const },
    entry,
    causationDepth: 0,
  }
  const allowed = found ? await filterByConditions(tx, caller.tenantId, [enrollment]) : [enrollment]
  if (allowed.length === 0) return buildNotEntered(tx, plan.startId, 'conditions_not_met')
  const run = await buildRun(tx, enrollment)
  run.sessionId = context.sessionId
  await admitRuns(tx, [run])
  const state: SimulationState = {
    engine: {
      deps: withWindows(deps, request),
      tx,
      evaluation: 'wait',
      startJourney: async () => ({ runId: RunId.create() }),
    },
    run,
    now: Date.parse(tx.now),
    request,
    context,
    effects: [],
  }
  state.engine.wrapEffects = (effects, current) => recordEffects(state, effects, current)
  await playInputs(state)
  return toResult(tx, state, run.startedAt)
}

/** Applies the providers' windows also on a lenient sandbox, unless the request opens them. */
function withWindows(deps: Deps, { window = 'real' }: SimulationRequest): Deps {
  const entries = Object.entries(deps.channels).map(([name, channel]) => [
    name,
    Object.create(channel, { isLenient: { value: window === 'open' } }),
  ])
  return Object.create(deps, { channels: { value: Object.fromEntries(entries) } }) as Deps
}

/** The entry of a chatbot whose trigger does not match the message. */
async function buildFallback(tx: Tx, context: SimulationContext, request: SimulationRequest) {
  const { contactId, conversationId } = context
  const message = await buildMessage(tx, context, { message: request.message ?? '' })
  return { contactId, conversationId, message, event: { name: fallbackEvent, key: null, data: {} } }
}

function buildNotEntered(tx: Tx, nodeId: string, endReason: string): Simulation {
  const times = { startedAt: tx.now, endedAt: tx.now }
  const nothing = { error: null, variables: {}, path: [], effects: [] }
  return { entered: false, status: 'completed', endReason, nodeId, ...times, ...nothing }
}

async function resolveVersion(tx: Tx, workflow: WorkflowRow, published: boolean) {
  const { tenantId, kind, definition, publishedVersionId } = workflow
  if (published) {
    const found = publishedVersionId && (await findVersion(tx, tenantId, kind, publishedVersionId))
    const version = found || fail(workflowProblems[kind].notPublished)
    return { versionId: version.id, trigger: version.triggerConfig }
  }
  const { triggerConfig, entryMode } = getEntryConfig(kind, definition)
  const id = (kind === 'journey' ? JourneyVersionId : ChatbotVersionId).create()
  const version = { id, workflowId: workflow.id, definition, triggerConfig: triggerConfig!, entryMode }
  await insertVersion(tx, tenantId, { ...version, createdBy: '' })
  return { versionId: id, trigger: version.triggerConfig }
}

/** Applies automatic inputs, inputs of the request and timers in the order of their simulated times. */
async function playInputs(state: SimulationState): Promise<void> {
  const inputs = [...(state.request.inputs ?? [])]
  let lastInputAt = state.now
  const deadline = performance.now() + maxDurationMs
  await resume(state, 'continue')
  for (let n = 0; n < maxResumes && isInProgress(state.run) && performance.now() < deadline; n++) {
    const automatic = findAutomaticInput(state)
    const wakeAt = state.run.wakeAt === null ? Number.POSITIVE_INFINITY : Date.parse(state.run.wakeAt)
    const inputAt =
      inputs[0] &&
      Math.max(state.now, lastInputAt + (inputs[0].afterSeconds ?? defaultSpacingSeconds) * 1_000)
    if (automatic) {
      state.now += automatic.afterMs
      await resume(state, automatic.reason)
    } else if (inputAt !== undefined && inputAt <= wakeAt) {
      state.now = inputAt
      lastInputAt = inputAt
      await applyInput(state, inputs.shift()!)
    } else if (wakeAt < Number.POSITIVE_INFINITY) {
      state.now = Math.max(state.now, wakeAt)
      await resume(state, 'timer')
    } else return
  }
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

async function applyInput(
  state: SimulationState,
  input: NonNullable<SimulationRequest['inputs']>[number],
): Promise<void> {
  const { run, context } = state
  const tx = getTxAtTime(state)
  const message = input.event ? undefined : await buildMessage(tx, context, input)
  if (message && (await bufferReply(tx, run, message))) return reloadRun(state)
  const event = message
    ? await buildMessageEvent(tx, context, message)
    : buildCustomEvent(tx, context, input.event!)
  const reason = findReason(run, event)
  if (reason) await resume(state, reason)
}

async function resume(state: SimulationState, reason: Resume['reason']): Promise<void> {
  const { engine, run } = state
  const tx = getTxAtTime(state)
  const deps = Object.create(engine.deps, { clock: { value: tx.clock } }) as Deps
  const { id: runId, revision } = run
  await resumeRun({ ...engine, tx, deps }, run.tenantId, { runId, revision, reason })
  await reloadRun(state)
}

async function reloadRun(state: SimulationState): Promise<void> {
  state.run = (await findRun(state.engine.tx, state.run.tenantId, state.run.id))!
}

function getTxAtTime({ engine, now }: SimulationState): Tx {
  const date = new Date(now)
  const clock = { now: () => date, offsetMs: () => now - Date.now() }
  return Object.create(engine.tx, { now: { value: date.toISOString() }, clock: { value: clock } }) as Tx
}

function recordEffects(state: SimulationState, effects: Effects, run: Run): Effects {
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

async function toResult(
  tx: Tx,
  { run, now, effects }: SimulationState,
  startedAt: string,
): Promise<Simulation> {
  return {
    entered: true,
    status: run.status,
    endReason: run.endReason,
    error: run.error,
    nodeId: run.nodeId,
    startedAt,
    endedAt: new Date(now).toISOString(),
    variables: run.variables,
    path: toPath(await listSteps(tx, run.tenantId, run.id)),
    effects,
  }
}
