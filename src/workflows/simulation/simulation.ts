/**
 * Simulates a run: on the real engine, with the real effects, in a transaction that is rolled back, with a simulated
 * clock. Nothing is sent or stored, and the result is what a real run would do.
 */

import { defineCache } from '../../platform/caches.ts'
import { slowConnections, type Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, type Violation, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { limitPerTenant } from '../../platform/limits/limit-per-tenant.ts'
import { getEntryConfig } from '../definition/definition.ts'
import { getPlan, hasFallback, type Plan } from '../definition/plan.ts'
import { collectRights } from '../definition/rights.ts'
import { buildFallbackEntry } from '../engine/enrollment/bot-sessions.ts'
import { buildRun, filterByConditions } from '../engine/enrollment/enroll.ts'
import type { EventTiming } from '../engine/enrollment/restarts.ts'
import type { Run } from '../engine/run/run.ts'
import { workflowProblems } from '../errors.ts'
import { findDataViolation } from '../events.ts'
import { toMs } from '../nodes/node-fields.ts'
import { toPath, toWaitingFor } from '../runs/runs.ts'
import { ChatbotVersionId, JourneyVersionId, RunId } from '../schemas.ts'
import { listSteps } from '../store/runs/run-lists.ts'
import { admitRuns } from '../store/runs/runs.ts'
import { findVersion, insertVersion } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import { moveClock, playInputs, recordEffects, type SimulationState } from './playback.ts'
import type { Simulation, SimulationRequest } from './schemas.ts'
import { createSimulationContext } from './simulation-data.ts'
import { buildEntry, receiveFirst } from './simulation-events.ts'

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
    rollBack(deps, tx => runSimulation(deps, startClock(tx, request), caller, workflow, request)),
  )
}

/** A simulation holds a connection for seconds. */
const simulations = defineCache(({ config }: Pick<Deps, 'config'>) =>
  limitPerTenant('simulations', config.simulationsPerWorkspace, slowConnections),
)

async function rollBack(deps: Deps, work: (tx: Tx) => Promise<Simulation>): Promise<Simulation> {
  try {
    return await transact(deps.db.slow, async tx => {
      throw new SimulationFinished(await work(tx))
    })
  } catch (error) {
    if (error instanceof SimulationFinished) return error.result
    throw error
  }
}

function findTooLarge({ event, variables, inputs = [] }: SimulationRequest): Violation[] {
  const violations = inputs.map((input, i) => findDataViolation(input.event?.data, `inputs[${i}].event.data`))
  return [
    findDataViolation(event?.data, 'event.data'),
    findDataViolation(variables, 'variables'),
    ...violations,
  ].filter(found => found !== undefined)
}

function startClock(tx: Tx, { startsAt }: SimulationRequest): Tx {
  return startsAt === undefined ? tx : moveClock(tx, Date.parse(startsAt))
}

async function runSimulation(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  workflow: WorkflowRow,
  request: SimulationRequest,
): Promise<Simulation> {
  const { id: workflowId, kind } = workflow
  const version = await resolveVersion(tx, caller, workflow, request.version === 'published')
  const { trigger } = version
  const context = await createSimulationContext(tx, caller, { kind, workflowId, trigger }, request)
  const first = await receiveFirst(tx, context, request)
  const isMidway = request.startNodeId !== undefined
  const source = { kind, trigger, request, events: isMidway ? [] : first.events }
  const found = await buildEntry(tx, context, source)
  const plan = await getPlan(tx, caller.tenantId, version.versionId)
  const entry = found ?? (hasFallback(plan) && first.message ? buildFallbackEntry(first.message) : undefined)
  if (!entry) return buildNotEntered(tx, plan.startId, 'trigger_not_matched')
  const active = { ...version, tenantId: caller.tenantId, kind, workflowId }
  const enrollment = {
    active: { ...active, triggerType: trigger.type, entryMode: 'every_time' as const },
    entry,
    causationDepth: 0,
  }
  const allowed =
    found && !isMidway ? await filterByConditions(tx, caller.tenantId, [enrollment]) : [enrollment]
  if (allowed.length === 0) return buildNotEntered(tx, plan.startId, 'conditions_not_met')
  const { debounce } = trigger as EventTiming
  const isPostponed = debounce && request.event && !isMidway
  const run = await buildRun(tx, { ...enrollment, ...(isPostponed ? { debounceMs: toMs(debounce) } : {}) })
  run.sessionId = context.sessionId
  startAt(run, plan, request)
  await admitRuns(tx, [run])
  const state: SimulationState = {
    caller,
    engine: {
      deps: withWindows(deps, request),
      tx,
      evaluation: 'wait',
      startJourney: async () => ({ runId: RunId.create() }),
    },
    run,
    ...(kind === 'journey' && !isMidway
      ? { enrollment: { ...enrollment, active: { ...enrollment.active, entryMode: version.entryMode } } }
      : {}),
    now: Date.parse(tx.now),
    request,
    context,
    effects: [],
    lastSeq: first.lastSeq,
  }
  state.engine.wrapEffects = ({ build }, current) => recordEffects(state, build(), current)
  await playInputs(state)
  return toResult(tx, state, run.startedAt)
}

function startAt(run: Run, plan: Plan, { startNodeId, variables }: SimulationRequest): void {
  if (variables) run.variables = variables as Run['variables']
  if (startNodeId === undefined) return
  if (!plan.nodes.has(startNodeId))
    invalid(violation('startNodeId', 'unknown_node', 'is not a node of the definition'))
  run.nodeId = startNodeId
}

/** Applies the providers' windows also on a lenient sandbox, unless the request opens them. */
function withWindows(deps: Deps, { window = 'real' }: SimulationRequest): Deps {
  const entries = Object.entries(deps.channels).map(([name, channel]) => [
    name,
    Object.create(channel, { isLenient: { value: window === 'open' } }),
  ])
  return Object.create(deps, { channels: { value: Object.fromEntries(entries) } }) as Deps
}

function buildNotEntered(tx: Tx, nodeId: string, endReason: string): Simulation {
  const times = { startedAt: tx.now, endedAt: tx.now }
  const nothing = { error: null, waitingFor: null, variables: {}, path: [], effects: [] }
  return { entered: false, status: 'completed', endReason, nodeId, ...times, ...nothing }
}

async function resolveVersion(tx: Tx, caller: Caller, workflow: WorkflowRow, published: boolean) {
  const { tenantId, kind, definition, publishedVersionId } = workflow
  if (published) {
    const found = publishedVersionId && (await findVersion(tx, tenantId, kind, publishedVersionId))
    const version = found || fail(workflowProblems[kind].notPublished)
    return { versionId: version.id, trigger: version.triggerConfig, entryMode: version.entryMode }
  }
  const { triggerConfig, entryMode } = getEntryConfig(kind, definition)
  const id = (kind === 'journey' ? JourneyVersionId : ChatbotVersionId).create()
  const version = { id, workflowId: workflow.id, definition, triggerConfig: triggerConfig!, entryMode }
  const rights = { ...collectRights(definition), publisherId: caller.id }
  await insertVersion(tx, tenantId, { ...version, ...rights, createdBy: caller.id, note: null })
  return { versionId: id, trigger: version.triggerConfig, entryMode }
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
    waitingFor: toWaitingFor(run),
    startedAt,
    endedAt: new Date(now).toISOString(),
    variables: run.variables,
    path: toPath(await listSteps(tx, run.tenantId, run.id)),
    effects,
  }
}
