/**
 * Evaluates expressions and patterns of workflows. An evaluation starts in this thread with a small budget, which nearly
 * all stay within. One that needs more steps runs in a worker thread with a limit of memory and time, so that it delays
 * nobody else; a workspace uses one thread at a time. An evaluation that exceeds the large budget fails.
 */
import { Worker } from 'node:worker_threads'
import { RetryLater } from '../../platform/jobs/job.ts'
import { createTurns } from '../../platform/yield.ts'
import type { Json } from '../nodes/node-type.ts'
import { BudgetExceeded, ExpressionError, evaluateExpression, maxSteps } from './expressions.ts'
import { getMatchCost, matchesPattern } from './regex.ts'

/** About two milliseconds. */
const inlineSteps = 20_000
const timeoutMs = 5_000
const maxThreads = 2
/** Evaluations of a workspace that wait for a thread while they hold a transaction. */
const maxPending = 2
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }

/**
 * `wait` waits for a thread. `bounded` throws RetryLater while the workspace has several evaluations waiting. `inline`
 * throws NeedsThread, for transactions that many runs share.
 */
export type EvaluationMode = 'wait' | 'bounded' | 'inline'

export class NeedsThread extends Error {}

export type EvaluationRequest =
  | { expression: string; scope: Readonly<Record<string, unknown>> }
  | { pattern: string; text: string }

export type EvaluationReply = { value: Json } | { error: string; exceeded: boolean }

/** Runs a piece of evaluation in this thread. */
export const inTurn = createTurns()

/** Throws ExpressionError if the expression cannot be evaluated, also if it takes too many steps. */
export async function evaluate(
  tenantId: string,
  expression: string,
  scope: Readonly<Record<string, unknown>>,
  mode: EvaluationMode,
): Promise<Json> {
  try {
    return await inTurn(() => evaluateExpression(expression, scope, inlineSteps))
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error
    return runInThread(tenantId, { expression, scope }, mode)
  }
}

/** Returns whether the pattern matches anywhere in the text; an invalid pattern never matches. */
export async function matches(
  tenantId: string,
  pattern: string,
  text: string,
  mode: EvaluationMode,
): Promise<boolean> {
  if (getMatchCost(pattern, text) <= inlineSteps) return inTurn(() => matchesPattern(pattern, text))
  return (await runInThread(tenantId, { pattern, text }, mode)) === true
}

interface Task {
  tenantId: string
  request: EvaluationRequest
  /** Whether a thread has already stopped while it ran the task. */
  isRetry: boolean
  resolve: (value: Json) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  isReady: boolean
  task?: Task | undefined
  timer?: NodeJS.Timeout
}

const waiting: Task[] = []
const threads = new Set<Thread>()

function runInThread(tenantId: string, request: EvaluationRequest, mode: EvaluationMode): Promise<Json> {
  if (mode === 'inline') throw new NeedsThread('the evaluation takes too many steps for a shared transaction')
  const pending = [...waiting, ...[...threads].flatMap(({ task }) => task ?? [])]
  if (mode === 'bounded' && pending.filter(task => task.tenantId === tenantId).length >= maxPending)
    throw new RetryLater(100 + Math.random() * 200, 'other evaluations of the workspace are waiting')
  return new Promise((resolve, reject) => {
    waiting.push({ tenantId, request, isRetry: false, resolve, reject })
    startNext()
  })
}

/** Starts the first waiting task whose workspace uses no thread. */
function startNext(): void {
  const busy = [...threads].filter(({ task }) => task)
  const tenants = new Set(busy.map(({ task }) => task!.tenantId))
  const index = waiting.findIndex(({ tenantId }) => !tenants.has(tenantId))
  if (index < 0 || busy.length >= maxThreads) return
  const [task] = waiting.splice(index, 1)
  const thread = [...threads].find(({ task: current }) => !current) ?? startThread()
  thread.task = task
  if (thread.isReady) startTimer(thread)
  thread.worker.ref()
  thread.worker.postMessage(task!.request)
  startNext()
}

function startTimer(thread: Thread): void {
  thread.timer = setTimeout(() => void thread.worker.terminate(), timeoutMs)
}

/** Sources are compiled in the thread, as tsx does in the main thread. */
function startWorker(): Worker {
  const options = { env: {}, execArgv: [], resourceLimits }
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./evaluation-thread.js', import.meta.url), options)
  const source = JSON.stringify(new URL('./evaluation-thread.ts', import.meta.url).href)
  const load = `import('tsx/esm/api').then(({ register }) => register() && import(${source}))`
  return new Worker(load, { ...options, eval: true })
}

function startThread(): Thread {
  const worker = startWorker()
  const thread: Thread = { worker, isReady: false }
  threads.add(thread)
  worker.on('message', (reply: EvaluationReply | 'ready') => {
    if (reply !== 'ready') return onReply(thread, reply)
    thread.isReady = true
    if (thread.task) startTimer(thread)
  })
  worker.on('error', () => {}) // 'exit' follows
  worker.on('exit', () => onExit(thread))
  return thread
}

function endTask(thread: Thread): Task | undefined {
  const { task } = thread
  clearTimeout(thread.timer)
  thread.worker.unref() // an idle thread does not keep the process running
  thread.task = undefined
  return task
}

function onReply(thread: Thread, reply: EvaluationReply): void {
  const task = endTask(thread)
  if ('value' in reply) task?.resolve(reply.value)
  else if (reply.exceeded)
    task?.reject(new ExpressionError(`takes more than ${maxSteps} steps on these values`))
  else task?.reject(new ExpressionError(reply.error))
  startNext()
}

/** A thread that used up its memory or time has ended. The task is tried once more: another load may have slowed it. */
function onExit(thread: Thread): void {
  threads.delete(thread)
  const task = endTask(thread)
  if (task?.isRetry)
    task.reject(new ExpressionError('was stopped twice because it used too much memory or time'))
  else if (task) waiting.unshift({ ...task, isRetry: true })
  startNext()
}
