/**
 * Moves a run on, in one transaction: node after node until it waits, calls out, or ends. What the nodes do, the lines
 * of the log and the next wake-up are one commit, so each happens once however often a process dies on the way.
 */
import { findMessage } from '../../../conversations/messages.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { withCausationDepth } from '../../../platform/db/transact.ts'
import { ExpressionError } from '../../expressions/expressions.ts'
import type { Effects, HttpRequest, Input, Json, Outcome, Wait } from '../../nodes/node-type.ts'
import { liveEffects } from '../effects/live.ts'
import type { EngineContext } from '../engine.ts'
import { findTrueCase } from '../waits/conditions.ts'
import { getPlan, type Plan, type PlanNode } from './plan.ts'
import type { Run, StepRow, WaitState } from './run.ts'
import { createScope, type RunScope } from './scope.ts'
import { buildStep, PermanentStepError } from './step.ts'

/** What is left to do once the run is saved. */
export interface AdvanceResult {
  lines: StepRow[]
  http?: HttpRequest
  /** It has more steps than one transaction should hold. */
  goesOn?: boolean
}

export const maxStepsPerTransaction = 50
export const maxStepsPerRun = 1_000

interface AdvanceContext {
  engine: EngineContext
  tx: Tx
  run: Run
  plan: Plan
  scope: RunScope
  effects: Effects
  now: Date
  lines: StepRow[]
}

/** A node threw. Nothing of its transaction stands; `code` lets what is worth another try be seen. */
export class StepError extends Error {
  readonly nodeId: string
  readonly code?: string
  constructor(nodeId: string, cause: unknown) {
    super((cause as Error).message, { cause })
    this.nodeId = nodeId
    this.code = (cause as { code?: string }).code
  }
}

/** The run is locked, or new. Changes it; the caller saves it. */
export async function advance(engine: EngineContext, run: Run, input: Input): Promise<AdvanceResult> {
  const moving = await buildContext(engine, run)
  run.status = 'running'
  run.turn++
  clearWait(run)
  let next: Input = input
  for (let taken = 0; ; taken++) {
    if (run.steps >= maxStepsPerRun) {
      finishRun(moving, 'failed', { code: 'too_many_steps', message: `took ${maxStepsPerRun} steps` })
      return { lines: moving.lines }
    }
    if (taken === maxStepsPerTransaction && next.type === 'arrived')
      return { lines: moving.lines, goesOn: true }
    const after = await executeNode(moving, next)
    if ('done' in after) return { lines: moving.lines, ...after.done }
    next = after.next
  }
}

async function buildContext(engine: EngineContext, run: Run): Promise<AdvanceContext> {
  const tx = withCausationDepth(engine.tx, run.causationDepth)
  const now = new Date(tx.now)
  const scope = createScope(tx, run, now)
  const plan = await getPlan(tx, run.tenantId, run.versionId)
  const live = liveEffects(engine, tx, run, () => scope.invalidate())
  const effects = engine.wrap?.(live, run) ?? live
  return { engine, tx, run, plan, scope, effects, now, lines: [] }
}

/** Nothing wakes it any more. */
function clearWait(run: Run): void {
  run.wait = null
  run.waitingSince = null
  run.wakeAt = null
  run.listens = false
  run.heard = null
  run.heardSince = null
  run.error = null
}

type NextAction = { next: Input } | { done: Omit<AdvanceResult, 'lines'> }

async function executeNode(moving: AdvanceContext, input: Input): Promise<NextAction> {
  const { run, plan } = moving
  const node = plan.nodes.get(run.nodeId)
  if (!node) {
    finishRun(moving, 'failed', { code: 'unknown_node', message: `there is no node ${run.nodeId}` })
    return { done: {} }
  }
  if (input.type === 'arrived') {
    run.state = null
    run.visits[node.id] = (run.visits[node.id] ?? 0) + 1
  }
  if (input.type === 'message') run.message = input.messages.at(-1) ?? run.message
  const outcome = await runNode(moving, node, input)
  return applyOutcome(moving, node, input, outcome)
}

async function runNode(moving: AdvanceContext, node: PlanNode, input: Input): Promise<Outcome> {
  try {
    return await node.kind.run(buildStep(moving, node, input) as never)
  } catch (error) {
    if (error instanceof ExpressionError)
      return { fail: { code: 'expression_failed', message: error.message } }
    if (error instanceof PermanentStepError) return { fail: { code: error.code, message: error.message } }
    throw new StepError(node.id, error)
  }
}

async function applyOutcome(
  moving: AdvanceContext,
  node: PlanNode,
  input: Input,
  outcome: Outcome,
): Promise<NextAction> {
  const { run } = moving
  recordStep(moving, node, input, outcome)
  if ('to' in outcome) return moveTo(moving, moving.plan.next(node.id, outcome.to), 'end_of_path')
  if ('jump' in outcome) return moveTo(moving, outcome.jump, 'end_of_path')
  if ('end' in outcome) return complete(moving, outcome.end)
  if ('fail' in outcome) {
    finishRun(moving, 'failed', outcome.fail)
    return { done: {} }
  }
  run.state = outcome.state ?? null
  if ('http' in outcome) {
    suspend(moving, { http: true })
    return { done: { http: outcome.http } }
  }
  return waitFor(moving, outcome.wait, input)
}

function moveTo(moving: AdvanceContext, nodeId: string | undefined, reason: string): NextAction {
  if (nodeId === undefined) return complete(moving, reason)
  moving.run.nodeId = nodeId
  return { next: { type: 'arrived' } }
}

function complete(moving: AdvanceContext, reason: string): NextAction {
  moving.run.endReason = reason
  finishRun(moving, 'completed')
  return { done: {} }
}

function finishRun(
  { run, now }: AdvanceContext,
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
async function waitFor(moving: AdvanceContext, wait: Wait, input: Input): Promise<NextAction> {
  const { cases = [], until } = wait
  const word =
    wait.delivery === undefined ? undefined : await findNewDeliveryStatus(moving, wait.delivery, input)
  if (word) return { next: word }
  const index = await findTrueCase(moving.tx, moving.run, moving.scope, cases)
  if (index !== undefined) return { next: { type: 'case', index, event: null } }
  if (until && until <= moving.now) return { next: { type: 'timeout' } }
  suspend(moving, {
    ...(wait.message ? { message: true } : {}),
    ...(cases.length > 0 ? { cases } : {}),
    ...(wait.delivery ? { delivery: wait.delivery } : {}),
    ...(wait.run ? { run: wait.run } : {}),
    ...(until ? { until: until.toISOString() } : {}),
  })
  return { done: {} }
}

type DeliveryInput = Extract<Input, { type: 'delivery' }>
const reportedStatuses = ['sent', 'failed', 'delivered', 'read'] as const

/** Word of a message that came while its last word was being told: nobody tells it again. */
async function findNewDeliveryStatus(
  { tx, run }: AdvanceContext,
  messageId: string,
  input: Input,
): Promise<Input | undefined> {
  const word = await findDeliveryStatus(tx, run.tenantId, messageId)
  return input.type === 'delivery' && input.status === word?.status ? undefined : word
}

/** What there is to tell of a message now. */
export async function findDeliveryStatus(
  tx: Tx,
  tenantId: string,
  messageId: string,
): Promise<DeliveryInput | undefined> {
  const message = await findMessage(tx, tenantId, messageId)
  const status = reportedStatuses.find(one => one === message?.status)
  return status && { type: 'delivery', status, code: message?.error?.code ?? null }
}

function suspend({ run, now }: AdvanceContext, wait: WaitState): void {
  run.status = 'waiting'
  run.wait = wait
  run.wakeAt = wait.until ?? null
  run.waitingSince = now.toISOString()
  run.updatedAt = run.waitingSince
  run.listens = Boolean(wait.message || wait.cases || wait.delivery)
}

function recordStep(
  { run, now, lines }: AdvanceContext,
  node: PlanNode,
  input: Input,
  outcome: Outcome,
): void {
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
    input: toLoggedInput(input),
    outcome: kind,
    output: 'end' in outcome ? outcome.end : output,
    detail: outcome.detail || fault ? { ...outcome.detail, ...fault } : null,
  })
}

/** Of messages their ids and text: the rest is in the conversation. */
function toLoggedInput(input: Input): Json {
  if (input.type !== 'message') return input as unknown as Json
  return { type: 'message', text: input.text, messageIds: input.messages.map(message => message.id) }
}
