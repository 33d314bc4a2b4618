/**
 * A run that is played through: by the real engine, with the real effects, in a transaction that is undone, on a clock
 * of its own. Nothing leaves the database and nothing stays in it, so what it shows is what would happen.
 */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import { entryOf } from './definition.ts'
import { caseOfEvent } from './engine/cases.ts'
import type { Engine } from './engine/engine.ts'
import { newRun } from './engine/entering.ts'
import { hear } from './engine/hearing.ts'
import { isLive, type Run } from './engine/run.ts'
import { type WakeUp, wake } from './engine/waking.ts'
import { problemsOf } from './errors.ts'
import type { Effects, EventFacts, HttpResult, Json } from './nodes/kind.ts'
import { pathOf } from './runs.ts'
import { type Cast, castFor, messageOf } from './simulated-world.ts'
import type { Simulation, SimulationRequest } from './simulation-schemas.ts'
import { admitRuns, findRun, listSteps } from './store/runs.ts'
import { findVersion, insertVersion } from './store/versions.ts'
import type { WorkflowRow } from './store/workflows.ts'

const mostWakings = 500
/** It holds a connection, and the contact. */
const longestMs = 5_000
/** What a provider takes to say that a message is there. */
const deliveryMs = 1_000

class Undone extends Error {
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
      throw new Undone(await play(deps, tx, caller, workflow, request))
    })
  } catch (error) {
    if (error instanceof Undone) return error.result
    throw error
  }
}

interface Stage {
  engine: Engine
  run: Run
  now: number
  request: SimulationRequest
  cast: Cast
  effects: Simulation['effects']
}

async function play(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  workflow: WorkflowRow,
  request: SimulationRequest,
): Promise<Simulation> {
  const version = await versionOf(tx, workflow, request.version === 'published')
  const cast = await castFor(tx, caller, workflow, request)
  const event = factsOf(request.event)
  const active = { ...version, tenantId: caller.tenantId, kind: workflow.kind, workflowId: workflow.id }
  const run = await newRun(tx, {
    active: { ...active, triggerType: version.trigger.type, entryMode: 'every_time' },
    entry: { contactId: cast.contactId, conversationId: cast.conversationId, event },
    causeDepth: 0,
  })
  run.sessionId = cast.sessionId
  if (request.message !== undefined) run.message = await messageOf(tx, cast, { message: request.message })
  await admitRuns(tx, [run])
  const stage: Stage = {
    engine: { deps, tx, call: async () => ({ runId: newId('run') }) },
    run,
    now: Date.parse(tx.now),
    request,
    cast,
    effects: [],
  }
  stage.engine.wrap = (effects, moving) => noted(stage, effects, moving)
  await perform(stage)
  return resultOf(tx, stage, run.startedAt)
}

async function versionOf(tx: Tx, workflow: WorkflowRow, published: boolean) {
  const { tenantId, kind, publishedVersionId } = workflow
  if (published) {
    const found = publishedVersionId && (await findVersion(tx, tenantId, kind, publishedVersionId))
    const version = found || fail(problemsOf[kind].notPublished)
    return { versionId: version.id, trigger: version.triggerConfig }
  }
  const { triggerConfig, entryMode } = entryOf(kind, workflow.definition)
  const id = newId(kind === 'journey' ? 'journeyVersion' : 'chatbotVersion')
  const { definition } = workflow
  const version = { id, workflowId: workflow.id, definition, triggerConfig: triggerConfig!, entryMode }
  await insertVersion(tx, tenantId, { ...version, createdBy: '' })
  return { versionId: id, trigger: version.triggerConfig }
}

function factsOf(event: SimulationRequest['event']): EventFacts {
  const { name = 'simulated', key = null, data = {} } = event ?? {}
  return { name, key, data: data as Record<string, Json> }
}

/** Goes from one thing that happens to the next, whichever comes first. */
async function perform(stage: Stage): Promise<void> {
  const inputs = [...(stage.request.inputs ?? [])]
  let inputAt = stage.now
  const endsAt = performance.now() + longestMs
  await awaken(stage, 'go')
  for (let n = 0; n < mostWakings && isLive(stage.run) && performance.now() < endsAt; n++) {
    const own = ownInput(stage)
    const wakeAt = stage.run.wakeAt === null ? Number.POSITIVE_INFINITY : Date.parse(stage.run.wakeAt)
    const next = inputs[0] && Math.max(stage.now, inputAt + (inputs[0].afterSeconds ?? 0) * 1_000)
    if (own) {
      stage.now += own.afterMs
      await awaken(stage, own.why)
    } else if (next !== undefined && next <= wakeAt) {
      stage.now = next
      inputAt = next
      await feed(stage, inputs.shift()!)
    } else if (wakeAt < Number.POSITIVE_INFINITY) {
      stage.now = Math.max(stage.now, wakeAt)
      await awaken(stage, 'time')
    } else return
  }
}

/** What comes by itself: an answer, word of a message, the end of a journey that was called. */
function ownInput({ run, request }: Stage): { why: WakeUp['why']; afterMs: number } | undefined {
  if (run.status === 'running') return { why: 'go', afterMs: 0 }
  if (run.wait?.http) return { why: { type: 'response', result: answerTo(run, request) }, afterMs: 0 }
  if (run.wait?.delivery)
    return { why: { type: 'delivery', status: 'delivered', code: null }, afterMs: deliveryMs }
  if (run.wait?.run) return { why: { type: 'returned', status: 'completed' }, afterMs: 0 }
  return undefined
}

function answerTo({ nodeId }: Run, { http = {} }: SimulationRequest): HttpResult {
  const { status = 200, body = {} } = http[nodeId] ?? {}
  return { type: 'answered', status, headers: {}, body: body as Json }
}

async function feed(stage: Stage, input: NonNullable<SimulationRequest['inputs']>[number]): Promise<void> {
  const { run } = stage
  if (input.event) {
    const event = factsOf(input.event)
    const index = caseOfEvent(run.wait?.cases ?? [], event)
    return index === undefined ? undefined : awaken(stage, { type: 'case', index, event })
  }
  const tx = txAt(stage)
  const message = await messageOf(tx, stage.cast, input)
  await hear(tx, run, message)
  await look(stage)
}

async function awaken(stage: Stage, why: WakeUp['why']): Promise<void> {
  const { engine, run } = stage
  const tx = txAt(stage)
  const deps = Object.create(engine.deps, { clock: { value: tx.clock } }) as Deps
  await wake({ ...engine, tx, deps }, run.tenantId, { runId: run.id, turn: run.turn, why })
  await look(stage)
}

async function look(stage: Stage): Promise<void> {
  stage.run = (await findRun(stage.engine.tx, stage.run.tenantId, stage.run.id))!
}

/** The same transaction, at the time of the stage. */
function txAt({ engine, now }: Stage): Tx {
  const date = new Date(now)
  const clock = { now: () => date, offsetMs: () => now - Date.now() }
  return Object.create(engine.tx, { now: { value: date.toISOString() }, clock: { value: clock } }) as Tx
}

function noted(stage: Stage, effects: Effects, moving: Run): Effects {
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

async function resultOf(tx: Tx, { run, now, effects }: Stage, startedAt: string): Promise<Simulation> {
  return {
    status: run.status,
    endReason: run.endReason,
    error: run.error,
    nodeId: run.nodeId,
    startedAt,
    endedAt: new Date(now).toISOString(),
    variables: run.variables,
    path: pathOf(await listSteps(tx, run.tenantId, run.id)),
    effects,
  }
}
