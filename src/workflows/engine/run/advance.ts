/**
 * Advances a run in one transaction: node after node until it waits, sends an HTTP request or ends. The effects of the
 * nodes, the step rows and the next job are one commit, so each takes effect exactly once if a process dies.
 */
import { findMessage } from '../../../conversations/messages/messages.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { withCausationDepth } from '../../../platform/db/transact.ts'
import { getPlan, type PlanNode } from '../../definition/plan.ts'
import { ExpressionError } from '../../expressions/expressions.ts'
import type { HttpRequest, Input, Json, Outcome, Wait } from '../../nodes/node-type.ts'
import { liveEffects } from '../effects/live.ts'
import { limitEffects, NotVisible } from '../publisher/limit-effects.ts'
import { findTrueCase } from '../waits/conditions.ts'
import { awaitExits, findExit, resolveExits, toExitOutcome } from './exits.ts'
import { type EngineContext, notWaiting, type Run, type StepRow, type WaitState } from './run.ts'
import { createScope, PermanentStepError } from './scope.ts'
import { buildCommonStep, buildStep, type StepContext } from './step.ts'

/** Work that remains once the run is saved. */
export interface AdvanceResult {
  stepRows: StepRow[]
  http?: HttpRequest
  /** The run has more steps than fit in one transaction. */
  hasMoreSteps?: boolean
}

export const maxStepsPerTransaction = 50
export const maxStepsPerRun = 1_000

interface AdvanceContext extends StepContext {
  common: ReturnType<typeof buildCommonStep>
  stepRows: StepRow[]
  /** When the run entered its current node. */
  enteredAt: Date
}

/** Thrown when a node throws; the transaction must be rolled back. `code` is the code of the cause, for retries. */
export class StepError extends Error {
  readonly nodeId: string
  readonly code?: string
  constructor(nodeId: string, cause: unknown) {
    super((cause as Error).message, { cause })
    this.nodeId = nodeId
    this.code = (cause as { code?: string }).code
  }
}

/** Changes the run, which must be locked or new; the caller saves it. */
export async function advance(engine: EngineContext, run: Run, input: Input): Promise<AdvanceResult> {
  const context = await buildContext(engine, run)
  const { stepRows } = context
  Object.assign(run, notWaiting, { status: 'running', revision: run.revision + 1, error: null })
  const exit = await findExit(context, input)
  if (exit) return leaveByExit(context, exit)
  let next: Input = input
  for (let executed = 0; ; executed++) {
    if (run.steps >= maxStepsPerRun) {
      finishRun(context, 'failed', { code: 'too_many_steps', message: `took ${maxStepsPerRun} steps` })
      return { stepRows }
    }
    if (executed === maxStepsPerTransaction && next.type === 'arrived') {
      awaitExits(run, await resolveExits(context))
      return { stepRows, hasMoreSteps: true }
    }
    const action = await executeNode(context, next)
    if ('done' in action) return { stepRows, ...action.done }
    next = action.next
  }
}

function leaveByExit(context: AdvanceContext, exit: Extract<Input, { type: 'exit' }>): AdvanceResult {
  const { run, plan, stepRows } = context
  const outcome = toExitOutcome(plan, exit.index)
  const node = plan.nodes.get(run.nodeId)
  if (node) recordStep(context, node, exit, outcome)
  complete(context, outcome.end)
  return { stepRows }
}

async function buildContext(engine: EngineContext, run: Run): Promise<AdvanceContext> {
  const tx = withCausationDepth(engine.tx, run.causationDepth)
  const now = new Date(tx.now)
  const scope = createScope(tx, run, now, engine.evaluation)
  const plan = await getPlan(tx, run.tenantId, run.versionId)
  const { invalidate } = scope
  const build = () => liveEffects(engine, tx, run, invalidate)
  const viewer = engine.publishers?.get(run.versionId)?.viewer
  const effects = limitEffects(
    tx,
    viewer,
    run.contactId,
    engine.wrapEffects?.({ build, invalidate }, run) ?? build(),
  )
  const common = buildCommonStep({ tx, run, scope, effects, now })
  const since = run.wait?.enteredAt ?? run.waitingSince
  const enteredAt = since === null ? now : new Date(since)
  return { tx, run, plan, scope, effects, now, common, stepRows: [], enteredAt }
}

type NextAction = { next: Input } | { done: Omit<AdvanceResult, 'stepRows'> }

async function executeNode(context: AdvanceContext, input: Input): Promise<NextAction> {
  const { run, plan } = context
  const node = plan.nodes.get(run.nodeId)
  if (!node) {
    finishRun(context, 'failed', { code: 'unknown_node', message: `node ${run.nodeId} not found` })
    return { done: {} }
  }
  if (input.type === 'arrived') {
    context.enteredAt = context.now
    run.state = null
    run.visits[node.id] = (run.visits[node.id] ?? 0) + 1
  }
  if (input.type === 'message') run.message = input.messages.at(-1) ?? run.message
  const outcome = await runNode(context, node, input)
  recordStep(context, node, input, outcome)
  return applyOutcome(context, node, input, outcome)
}

async function runNode(context: AdvanceContext, node: PlanNode, input: Input): Promise<Outcome> {
  try {
    return await node.nodeType.run(buildStep(context, context.common, node, input) as never)
  } catch (error) {
    if (error instanceof ExpressionError)
      return { fail: { code: 'expression_failed', message: error.message } }
    if (error instanceof NotVisible) return { end: 'not_visible', detail: { message: error.message } }
    if (error instanceof PermanentStepError) return { fail: { code: error.code, message: error.message } }
    throw new StepError(node.id, error)
  }
}

function recordStep(
  { run, now, stepRows, enteredAt }: AdvanceContext,
  node: PlanNode,
  input: Input,
  outcome: Outcome,
): void {
  const outcomes = ['to', 'wait', 'http', 'jump', 'end', 'fail'] as const
  const output = 'to' in outcome ? outcome.to : 'jump' in outcome ? outcome.jump : null
  const error = 'fail' in outcome ? { error: outcome.fail } : undefined
  run.updatedAt = now.toISOString()
  stepRows.push({
    tenantId: run.tenantId,
    runId: run.id,
    n: ++run.steps,
    nodeId: node.id,
    type: node.type,
    at: run.updatedAt,
    input: toLoggedInput(input),
    outcome: outcomes.find(name => name in outcome)!,
    output: 'end' in outcome ? outcome.end : output,
    detail: outcome.detail || error ? { ...outcome.detail, ...error } : null,
    staySeconds: Math.round((now.getTime() - enteredAt.getTime()) / 1_000),
  })
}

/** Keeps only ids and text of messages: their content is in the conversation. */
function toLoggedInput(input: Input): Json {
  if (input.type !== 'message') return input as unknown as Json
  return { type: 'message', text: input.text, messageIds: input.messages.map(message => message.id) }
}

async function applyOutcome(
  context: AdvanceContext,
  node: PlanNode,
  input: Input,
  outcome: Outcome,
): Promise<NextAction> {
  const { run } = context
  if ('to' in outcome) return leaveBy(context, node, outcome.to)
  if ('jump' in outcome) return moveTo(context, outcome.jump)
  if ('end' in outcome) return complete(context, outcome.end)
  if ('fail' in outcome) {
    finishRun(context, 'failed', outcome.fail)
    return { done: {} }
  }
  run.state = outcome.state ?? null
  if ('http' in outcome) {
    await suspend(context, { http: true })
    return { done: { http: outcome.http } }
  }
  return startWait(context, outcome.wait, input)
}

/** A run that ends because its message was not delivered must not look like one that reached its end. */
function leaveBy(context: AdvanceContext, { id, nodeType }: PlanNode, output: string): NextAction {
  const target = context.plan.next(id, output)
  if (target === undefined && nodeType.undelivered?.includes(output)) return complete(context, 'undelivered')
  return moveTo(context, target)
}

function moveTo(context: AdvanceContext, nodeId: string | undefined): NextAction {
  if (nodeId === undefined) return complete(context, 'end_of_path')
  context.run.nodeId = nodeId
  return { next: { type: 'arrived' } }
}

function complete(context: AdvanceContext, reason: string): NextAction {
  context.run.endReason = reason
  finishRun(context, 'completed')
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

/** Suspends the run unless the wait is over already: a case is true, or the deadline has passed. */
async function startWait(context: AdvanceContext, wait: Wait, input: Input): Promise<NextAction> {
  const { cases = [], until } = wait
  const delivery = wait.delivery && (await findNewDeliveryStatus(context, wait.delivery, input))
  if (delivery) return { next: delivery }
  const index = await findTrueCase(context.tx, context.run, context.scope, cases)
  if (index !== undefined) return { next: { type: 'case', index, event: null } }
  if (until && until <= context.now) return { next: { type: 'timeout' } }
  await suspend(context, {
    ...(wait.message ? { message: true } : {}),
    ...(wait.question ? { question: wait.question } : {}),
    ...(cases.length > 0 ? { cases } : {}),
    ...(wait.delivery ? { delivery: wait.delivery } : {}),
    ...(wait.run ? { run: wait.run } : {}),
    ...(until ? { until: until.toISOString() } : {}),
  })
  return { done: {} }
}

async function suspend(context: AdvanceContext, wait: WaitState): Promise<void> {
  const { run, now, enteredAt } = context
  const exits = await resolveExits(context)
  run.status = 'waiting'
  run.wait = enteredAt < now ? { ...wait, enteredAt: enteredAt.toISOString() } : wait
  run.wakeAt = wait.until ?? null
  run.waitingSince = now.toISOString()
  run.updatedAt = run.waitingSince
  run.waitsForEvent = Boolean(wait.message || wait.cases || wait.delivery)
  awaitExits(run, exits)
}

type DeliveryInput = Extract<Input, { type: 'delivery' }>
const reportedStatuses = ['sent', 'failed', 'delivered', 'read'] as const

/** Returns a status that the message reached while the run handled its previous one: no further event reports it. */
async function findNewDeliveryStatus(
  { tx, run }: AdvanceContext,
  messageId: string,
  input: Input,
): Promise<Input | undefined> {
  const delivery = await findDeliveryStatus(tx, run.tenantId, messageId)
  return input.type === 'delivery' && input.status === delivery?.status ? undefined : delivery
}

/** Returns the current delivery status of a message, or undefined if there is nothing to report yet. */
export async function findDeliveryStatus(
  tx: Tx,
  tenantId: string,
  messageId: string,
): Promise<DeliveryInput | undefined> {
  const message = await findMessage(tx, tenantId, messageId)
  const status = reportedStatuses.find(name => name === message?.status)
  return status && { type: 'delivery', status, code: message?.error?.code ?? null }
}
