/**
 * Moves a run on, in one transaction: node after node until it waits, calls out, or ends. What the nodes do, the lines
 * of the log and the next wake-up are one commit, so each happens once however often a process dies on the way.
 */
import { findMessage } from '../../conversations/messages.ts'
import type { Tx } from '../../platform/db/db.ts'
import { causedAt } from '../../platform/db/transact.ts'
import { ExpressionError } from '../expressions.ts'
import type { Effects, HttpRequest, Input, Json, Outcome, Wait } from '../nodes/kind.ts'
import { firstTrueCase } from './cases.ts'
import { liveEffects } from './effects.ts'
import type { Engine } from './engine.ts'
import { type Plan, type PlanNode, planOf } from './plan.ts'
import type { Run, StepLine, StoredWait } from './run.ts'
import { type RunScope, scopeOf } from './scope.ts'
import { makeStep, StepRefused } from './step.ts'

/** What is left to do once the run is saved. */
export interface Advanced {
  lines: StepLine[]
  http?: HttpRequest
  /** It has more steps than one transaction should hold. */
  goesOn?: boolean
}

export const mostStepsAtOnce = 50
export const mostStepsOfRun = 1_000

interface Moving {
  engine: Engine
  tx: Tx
  run: Run
  plan: Plan
  scope: RunScope
  effects: Effects
  now: Date
  lines: StepLine[]
}

/** A node threw. Nothing of its transaction stands; `code` lets what is worth another try be seen. */
export class StepFailed extends Error {
  readonly nodeId: string
  readonly code?: string
  constructor(nodeId: string, cause: unknown) {
    super((cause as Error).message, { cause })
    this.nodeId = nodeId
    this.code = (cause as { code?: string }).code
  }
}

/** The run is locked, or new. Changes it; the caller saves it. */
export async function advance(engine: Engine, run: Run, input: Input): Promise<Advanced> {
  const moving = await begin(engine, run)
  run.status = 'running'
  run.turn++
  rest(run)
  let next: Input = input
  for (let taken = 0; ; taken++) {
    if (run.steps >= mostStepsOfRun) {
      stop(moving, 'failed', { code: 'too_many_steps', message: `took ${mostStepsOfRun} steps` })
      return { lines: moving.lines }
    }
    if (taken === mostStepsAtOnce && next.type === 'arrived') return { lines: moving.lines, goesOn: true }
    const after = await takeStep(moving, next)
    if ('done' in after) return { lines: moving.lines, ...after.done }
    next = after.next
  }
}

async function begin(engine: Engine, run: Run): Promise<Moving> {
  const tx = causedAt(engine.tx, run.causeDepth)
  const now = new Date(tx.now)
  const scope = scopeOf(tx, run, now)
  const plan = await planOf(tx, run.tenantId, run.versionId)
  const live = liveEffects(engine, tx, run, () => scope.forget())
  const effects = engine.wrap?.(live, run) ?? live
  return { engine, tx, run, plan, scope, effects, now, lines: [] }
}

/** Nothing wakes it any more. */
function rest(run: Run): void {
  run.wait = null
  run.waitingSince = null
  run.wakeAt = null
  run.listens = false
  run.heard = null
  run.heardSince = null
  run.error = null
}

type After = { next: Input } | { done: Omit<Advanced, 'lines'> }

async function takeStep(moving: Moving, input: Input): Promise<After> {
  const { run, plan } = moving
  const node = plan.nodes.get(run.nodeId)
  if (!node) {
    stop(moving, 'failed', { code: 'unknown_node', message: `there is no node ${run.nodeId}` })
    return { done: {} }
  }
  if (input.type === 'arrived') {
    run.state = null
    run.visits[node.id] = (run.visits[node.id] ?? 0) + 1
  }
  if (input.type === 'message') run.message = input.messages.at(-1) ?? run.message
  const outcome = await outcomeOf(moving, node, input)
  return follow(moving, node, input, outcome)
}

async function outcomeOf(moving: Moving, node: PlanNode, input: Input): Promise<Outcome> {
  try {
    return await node.kind.run(makeStep(moving, node, input) as never)
  } catch (error) {
    if (error instanceof ExpressionError)
      return { fail: { code: 'expression_failed', message: error.message } }
    if (error instanceof StepRefused) return { fail: { code: error.code, message: error.message } }
    throw new StepFailed(node.id, error)
  }
}

async function follow(moving: Moving, node: PlanNode, input: Input, outcome: Outcome): Promise<After> {
  const { run } = moving
  write(moving, node, input, outcome)
  if ('to' in outcome) return goTo(moving, moving.plan.next(node.id, outcome.to), 'end_of_path')
  if ('jump' in outcome) return goTo(moving, outcome.jump, 'end_of_path')
  if ('end' in outcome) return end(moving, outcome.end)
  if ('fail' in outcome) {
    stop(moving, 'failed', outcome.fail)
    return { done: {} }
  }
  run.state = outcome.state ?? null
  if ('http' in outcome) {
    sleep(moving, { http: true })
    return { done: { http: outcome.http } }
  }
  return waitFor(moving, outcome.wait, input)
}

function goTo(moving: Moving, nodeId: string | undefined, reason: string): After {
  if (nodeId === undefined) return end(moving, reason)
  moving.run.nodeId = nodeId
  return { next: { type: 'arrived' } }
}

function end(moving: Moving, reason: string): After {
  moving.run.endReason = reason
  stop(moving, 'completed')
  return { done: {} }
}

function stop(
  { run, now }: Moving,
  status: 'completed' | 'failed',
  error?: { code: string; message: string },
): void {
  run.status = status
  run.endedAt = now.toISOString()
  run.updatedAt = run.endedAt
  run.error = error ? { ...error, nodeId: run.nodeId } : null
  if (error) run.endReason = error.code
}

/** What is true already, and a time that is past, do not make it wait. */
async function waitFor(moving: Moving, wait: Wait, input: Input): Promise<After> {
  const { cases = [], until } = wait
  const word = wait.delivery === undefined ? undefined : await newWord(moving, wait.delivery, input)
  if (word) return { next: word }
  const index = await firstTrueCase(moving.tx, moving.run, moving.scope, cases)
  if (index !== undefined) return { next: { type: 'case', index, event: null } }
  if (until && until <= moving.now) return { next: { type: 'timeout' } }
  sleep(moving, {
    ...(wait.message ? { message: true } : {}),
    ...(cases.length > 0 ? { cases } : {}),
    ...(wait.delivery ? { delivery: wait.delivery } : {}),
    ...(wait.run ? { run: wait.run } : {}),
    ...(until ? { until: until.toISOString() } : {}),
  })
  return { done: {} }
}

type Delivery = Extract<Input, { type: 'delivery' }>
const told = ['sent', 'failed', 'delivered', 'read'] as const

/** Word of a message that came while its last word was being told: nobody tells it again. */
async function newWord({ tx, run }: Moving, messageId: string, input: Input): Promise<Input | undefined> {
  const word = await wordOf(tx, run.tenantId, messageId)
  return input.type === 'delivery' && input.status === word?.status ? undefined : word
}

/** What there is to tell of a message now. */
export async function wordOf(tx: Tx, tenantId: string, messageId: string): Promise<Delivery | undefined> {
  const message = await findMessage(tx, tenantId, messageId)
  const status = told.find(one => one === message?.status)
  return status && { type: 'delivery', status, code: message?.error?.code ?? null }
}

function sleep({ run, now }: Moving, wait: StoredWait): void {
  run.status = 'waiting'
  run.wait = wait
  run.wakeAt = wait.until ?? null
  run.waitingSince = now.toISOString()
  run.updatedAt = run.waitingSince
  run.listens = Boolean(wait.message || wait.cases || wait.delivery)
}

function write({ run, now, lines }: Moving, node: PlanNode, input: Input, outcome: Outcome): void {
  const kinds = ['to', 'wait', 'http', 'jump', 'end', 'fail'] as const
  const kind = kinds.find(one => one in outcome)!
  const output = 'to' in outcome ? outcome.to : 'jump' in outcome ? outcome.jump : null
  const fault = 'fail' in outcome ? { error: outcome.fail } : undefined
  run.updatedAt = now.toISOString()
  lines.push({
    tenantId: run.tenantId,
    runId: run.id,
    n: ++run.steps,
    nodeId: node.id,
    type: node.type,
    at: run.updatedAt,
    input: shownInput(input),
    outcome: kind,
    output: 'end' in outcome ? outcome.end : output,
    detail: outcome.detail || fault ? { ...outcome.detail, ...fault } : null,
  })
}

/** Of messages their ids and text: the rest is in the conversation. */
function shownInput(input: Input): Json {
  if (input.type !== 'message') return input as unknown as Json
  return { type: 'message', text: input.text, messageIds: input.messages.map(message => message.id) }
}
