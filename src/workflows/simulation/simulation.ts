/**
 * A run that is played through: by the real engine, with the real effects, in a transaction that is undone, on a clock
 * of its own. Nothing leaves the database and nothing stays in it, so what it shows is what would happen.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { getEntryConfig } from '../definition/definition.ts'
import type { EngineContext } from '../engine/engine.ts'
import { buildRun } from '../engine/enrollment/enroll.ts'
import { type Resume, resumeRun } from '../engine/run/resume.ts'
import { isInProgress, type Run } from '../engine/run/run.ts'
import { findCaseForEvent } from '../engine/waits/conditions.ts'
import { bufferReply } from '../engine/waits/reply-buffer.ts'
import { workflowProblems } from '../errors.ts'
import type { Effects, HttpResult, Json, RunEvent } from '../nodes/node-type.ts'
import { toPath } from '../runs.ts'
import { ChatbotVersionId, JourneyVersionId, RunId } from '../schemas.ts'
import { admitRuns, findRun, listSteps } from '../store/runs.ts'
import { findVersion, insertVersion } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import type { Simulation, SimulationRequest } from './schemas.ts'
import { buildMessage, createSimulationContext, type SimulationContext } from './simulation-data.ts'

const maxResumes = 500
/** It holds a connection, and the contact. */
const maxDurationMs = 5_000
/** What a provider takes to say that a message is there. */
const deliveryMs = 1_000

class SimulationFinished extends Error {
  readonly result: Simulation
  constructor(result: Simulation) {
    super('the simulation is over')
    this.result = result
  }
}

export async function simulate(
  deps: Deps,
  caller: Caller,
  workflow: WorkflowRow,
  request: SimulationRequest,
): Promise<Simulation> {
  try {
    return await transact(deps.db, async tx => {
      throw new SimulationFinished(await runSimulation(deps, tx, caller, workflow, request))
    })
  } catch (error) {
    if (error instanceof SimulationFinished) return error.result
    throw error
  }
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
  const cast = await createSimulationContext(tx, caller, workflow, request)
  const event = toRunEvent(request.event)
  const active = { ...version, tenantId: caller.tenantId, kind: workflow.kind, workflowId: workflow.id }
  const run = await buildRun(tx, {
    active: { ...active, triggerType: version.trigger.type, entryMode: 'every_time' },
    entry: { contactId: cast.contactId, conversationId: cast.conversationId, event },
    causationDepth: 0,
  })
  run.sessionId = cast.sessionId
  if (request.message !== undefined) run.message = await buildMessage(tx, cast, { message: request.message })
  await admitRuns(tx, [run])
  const stage: SimulationState = {
    engine: { deps, tx, call: async () => ({ runId: RunId.create() }) },
    run,
    now: Date.parse(tx.now),
    request,
    context: cast,
    effects: [],
  }
  stage.engine.wrap = (effects, moving) => recordEffects(stage, effects, moving)
  await playInputs(stage)
  return toResult(tx, stage, run.startedAt)
}

async function resolveVersion(tx: Tx, workflow: WorkflowRow, published: boolean) {
  const { tenantId, kind, publishedVersionId } = workflow
  if (published) {
    const found = publishedVersionId && (await findVersion(tx, tenantId, kind, publishedVersionId))
    const version = found || fail(workflowProblems[kind].notPublished)
    return { versionId: version.id, trigger: version.triggerConfig }
  }
  const { triggerConfig, entryMode } = getEntryConfig(kind, workflow.definition)
  const id = (kind === 'journey' ? JourneyVersionId : ChatbotVersionId).create()
  const { definition } = workflow
  const version = { id, workflowId: workflow.id, definition, triggerConfig: triggerConfig!, entryMode }
  await insertVersion(tx, tenantId, { ...version, createdBy: '' })
  return { versionId: id, trigger: version.triggerConfig }
}

function toRunEvent(event: SimulationRequest['event']): RunEvent {
  const { name = 'simulated', key = null, data = {} } = event ?? {}
  return { name, key, data: data as Record<string, Json> }
}

/** Goes from one thing that happens to the next, whichever comes first. */
async function playInputs(stage: SimulationState): Promise<void> {
  const inputs = [...(stage.request.inputs ?? [])]
  let inputAt = stage.now
  const endsAt = performance.now() + maxDurationMs
  await resume(stage, 'go')
  for (let n = 0; n < maxResumes && isInProgress(stage.run) && performance.now() < endsAt; n++) {
    const own = findAutomaticInput(stage)
    const wakeAt = stage.run.wakeAt === null ? Number.POSITIVE_INFINITY : Date.parse(stage.run.wakeAt)
    const next = inputs[0] && Math.max(stage.now, inputAt + (inputs[0].afterSeconds ?? 0) * 1_000)
    if (own) {
      stage.now += own.afterMs
      await resume(stage, own.why)
    } else if (next !== undefined && next <= wakeAt) {
      stage.now = next
      inputAt = next
      await applyInput(stage, inputs.shift()!)
    } else if (wakeAt < Number.POSITIVE_INFINITY) {
      stage.now = Math.max(stage.now, wakeAt)
      await resume(stage, 'time')
    } else return
  }
}

/** What comes by itself: an answer, word of a message, the end of a journey that was called. */
function findAutomaticInput({
  run,
  request,
}: SimulationState): { why: Resume['why']; afterMs: number } | undefined {
  if (run.status === 'running') return { why: 'go', afterMs: 0 }
  if (run.wait?.http) return { why: { type: 'response', result: buildHttpResult(run, request) }, afterMs: 0 }
  if (run.wait?.delivery)
    return { why: { type: 'delivery', status: 'delivered', code: null }, afterMs: deliveryMs }
  if (run.wait?.run) return { why: { type: 'returned', status: 'completed' }, afterMs: 0 }
  return undefined
}

function buildHttpResult({ nodeId }: Run, { http = {} }: SimulationRequest): HttpResult {
  const { status = 200, body = {} } = http[nodeId] ?? {}
  return { type: 'answered', status, headers: {}, body: body as Json }
}

async function applyInput(
  stage: SimulationState,
  input: NonNullable<SimulationRequest['inputs']>[number],
): Promise<void> {
  const { run } = stage
  if (input.event) {
    const event = toRunEvent(input.event)
    const index = findCaseForEvent(run.wait?.cases ?? [], event)
    return index === undefined ? undefined : resume(stage, { type: 'case', index, event })
  }
  const tx = getTxAtTime(stage)
  const message = await buildMessage(tx, stage.context, input)
  await bufferReply(tx, run, message)
  await reloadRun(stage)
}

async function resume(stage: SimulationState, why: Resume['why']): Promise<void> {
  const { engine, run } = stage
  const tx = getTxAtTime(stage)
  const deps = Object.create(engine.deps, { clock: { value: tx.clock } }) as Deps
  await resumeRun({ ...engine, tx, deps }, run.tenantId, { runId: run.id, turn: run.turn, why })
  await reloadRun(stage)
}

async function reloadRun(stage: SimulationState): Promise<void> {
  stage.run = (await findRun(stage.engine.tx, stage.run.tenantId, stage.run.id))!
}

/** The same transaction, at the time of the stage. */
function getTxAtTime({ engine, now }: SimulationState): Tx {
  const date = new Date(now)
  const clock = { now: () => date, offsetMs: () => now - Date.now() }
  return Object.create(engine.tx, { now: { value: date.toISOString() }, clock: { value: clock } }) as Tx
}

function recordEffects(stage: SimulationState, effects: Effects, moving: Run): Effects {
  const entries = Object.entries(effects).map(([name, effect]) => [
    name,
    async (...input: unknown[]) => {
      const result = await (effect as (...args: unknown[]) => Promise<unknown>)(...input)
      const at = new Date(stage.now).toISOString()
      stage.effects.push({ at, nodeId: moving.nodeId, effect: name, input, result: result ?? null })
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
