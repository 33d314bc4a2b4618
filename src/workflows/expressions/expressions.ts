/**
 * CEL expressions over `contact`, `conversation`, `message`, `variables`, `event` and `now`. They cannot run code, and
 * their work is charged to a budget of steps before it is done: iterations of macros, sizes of compared, searched and
 * joined values, and matches of patterns. The same expression on the same values always takes the same steps.
 */
import { Environment } from '@marcbachmann/cel-js'
import { LRUCache } from 'lru-cache'
import type { Json } from '../nodes/node-type.ts'
import { type Ast, isAst, listNodes, listPaths } from './ast.ts'
import { tolerateNull } from './null-values.ts'
import { findPatternError, getMatchCost, matchesPattern } from './regex.ts'

export const maxExpressionLength = 2_000
/** Steps of an evaluation, about 150 milliseconds. */
export const maxSteps = 1_000_000
/** Values and characters of a result. */
const maxResultSize = 262_144

/** The expression cannot be evaluated on these values. */
export class ExpressionError extends Error {}
/** The expression takes more steps than the budget has. */
export class BudgetExceeded extends Error {}

type Evaluate = (scope: Record<string, unknown>) => unknown

/** Evaluation is synchronous, so one budget is in use at a time. */
let remainingSteps = 0
let exceeded = false
/** Sizes of the objects of the current evaluation. */
let sizes = new Map<object, number>()
const budgetExceeded = new BudgetExceeded('takes too many steps')

function charge(steps: number): void {
  remainingSteps -= steps
  if (remainingSteps >= 0) return
  exceeded = true
  throw budgetExceeded
}

/** Types of the values that expressions read: of all properties, or `dyn`. */
type ValueTypes = Record<'contact' | 'conversation' | 'message', Record<string, string> | 'dyn'>

/** Creates an environment to evaluate expressions in, or, with types of the values, to check them. */
export function createEnvironment(types: ValueTypes): Environment {
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    limits: {
      maxAstNodes: 500,
      maxDepth: 40,
      maxListElements: 100,
      maxMapEntries: 100,
      maxCallArguments: 10,
    },
  })
    .registerVariable('variables', 'dyn')
    .registerVariable('event', 'dyn')
    .registerVariable('now', 'google.protobuf.Timestamp')
    .registerFunction('string.matchesRe2(string): bool', matchText)
  for (const [name, type] of Object.entries(types))
    environment.registerVariable(name, type === 'dyn' ? { type } : { schema: type })
  // JSON does not distinguish integers from floats, so operators accept both together.
  for (const [operator, calculate] of arithmetic) {
    const mixed = (a: number | bigint, b: number | bigint) => calculate(Number(a), Number(b))
    environment.registerOperator(`double ${operator} int`, mixed)
    environment.registerOperator(`int ${operator} double`, mixed)
  }
  environment.registerOperator('double % double', (a: number, b: number) => a % b)
  return environment
}

const arithmetic = [
  ['+', (a: number, b: number) => a + b],
  ['-', (a: number, b: number) => a - b],
  ['*', (a: number, b: number) => a * b],
  ['/', (a: number, b: number) => a / b],
  ['%', (a: number, b: number) => a % b],
] as const

function matchText(text: string, pattern: string): boolean {
  charge(getMatchCost(pattern, text))
  const error = findPatternError(pattern)
  if (error !== undefined) throw new Error(`the pattern ${error}`)
  return matchesPattern(pattern, text)
}

const environment = createEnvironment({ contact: 'dyn', conversation: 'dyn', message: 'dyn' })

const cache = new LRUCache<string, Evaluate | { fault: string }>({ max: 1_000 })

const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** Returns the method calls in the tree with the number of macros that enclose each. */
function collectCalls(value: unknown, within = 0): { name: string; receiver: Ast; within: number }[] {
  if (Array.isArray(value)) return value.flatMap(item => collectCalls(item, within))
  if (!isAst(value)) return []
  if (value.op !== 'rcall') return collectCalls(value.args, within)
  const [name, receiver, args] = value.args as [string, Ast, unknown]
  const inside = within + (macros.has(name) ? 1 : 0)
  return [{ name, receiver, within }, ...collectCalls(receiver, within), ...collectCalls(args, inside)]
}

/** Replaces the library's `matches`, which uses backtracking regular expressions, with RE2. */
function replaceMatches(text: string, calls: readonly { name: string; receiver: Ast }[]): string {
  return calls
    .filter(call => call.name === 'matches')
    .map(call => call.receiver.end)
    .sort((a, b) => b - a)
    .reduce((out, end) => out.slice(0, end) + out.slice(end).replace('matches', 'matchesRe2'), text)
}

const linearOperators = new Set(['==', '!=', 'in', '+', '<', '<=', '>', '>='])
/** Methods that may compare each character of the text with each of the argument. */
const searches = new Set(['contains', 'indexOf', 'lastIndexOf', 'split'])

/** Makes the operators of a checked tree charge for their work before they do it. */
function meter(ast: Ast): void {
  for (const node of listNodes(ast)) {
    const loop = node.meta.alternate
    if (loop?.op === 'comprehension')
      wrap(loop, ([items]) => countItems(items) * (1 + listNodes(node.args).length))
    else if (linearOperators.has(node.op)) wrap(node, ([left, right]) => sizeOf(left) + sizeOf(right))
    else if (node.op === 'call' || node.op === 'rcall') wrap(node, ([values]) => getCallCost(node, values))
  }
}

function wrap(node: Ast, getCost: (values: unknown[]) => number): void {
  const { handle } = node
  if (!handle) return
  node.handle = (...values) => {
    charge(getCost(values))
    return handle(...values)
  }
}

function getCallCost(node: Ast, values: unknown): number {
  const operands = values as unknown[]
  const [receiver, argument] = operands
  const isSearch = node.op === 'rcall' && searches.has((node.args as [string])[0])
  const compared =
    isSearch && typeof receiver === 'string' && typeof argument === 'string'
      ? (receiver.length * argument.length) / 64
      : 0
  return operands.reduce<number>((sum, value) => sum + sizeOf(value), compared)
}

function countItems(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

/** Returns the number of values in a value, where sixteen characters count as one. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + (value.length >> 4)
  if (typeof value !== 'object' || value === null) return 1
  let size = sizes.get(value)
  if (size === undefined) {
    const items = value instanceof Map ? [...value.values()] : Object.values(value)
    size = ArrayBuffer.isView(value) ? value.byteLength : 1
    if (!ArrayBuffer.isView(value)) for (const item of items) size += sizeOf(item)
    sizes.set(value, size)
  }
  return size
}

function compile(text: string): Evaluate | { fault: string } {
  if (text.length > maxExpressionLength)
    return { fault: `must have at most ${maxExpressionLength} characters` }
  try {
    const calls = collectCalls(environment.parse(text).ast)
    if (calls.some(call => macros.has(call.name) && call.within > 0))
      return { fault: 'has a macro within a macro' }
    const parsed = environment.parse(replaceMatches(text, calls))
    const checked = parsed.check()
    if (!checked.valid) return { fault: firstLine(checked.error) }
    tolerateNull(parsed.ast as unknown as Ast)
    meter(parsed.ast as unknown as Ast)
    return parsed as Evaluate
  } catch (error) {
    return { fault: firstLine(error) }
  }
}

function firstLine(error: unknown): string {
  return `cannot be read: ${(error as Error).message.split('\n')[0]}`
}

function getCompiled(text: string): Evaluate | { fault: string } {
  let found = cache.get(text)
  if (!found) {
    found = compile(text)
    cache.set(text, found)
  }
  return found
}

export function findExpressionError(text: string): string | undefined {
  const found = getCompiled(text)
  return 'fault' in found ? found.fault : undefined
}

/** Returns the paths that a valid expression reads, such as `['contact', 'name']`. */
export function listExpressionPaths(text: string): string[][] {
  return listPaths(environment.parse(text).ast)
}

/** Throws BudgetExceeded after `maxSteps`, and ExpressionError for an expression that cannot be evaluated. */
export function evaluateExpression(
  text: string,
  scope: Readonly<Record<string, unknown>>,
  maxSteps: number,
): Json {
  const found = getCompiled(text)
  if ('fault' in found) throw new ExpressionError(found.fault)
  remainingSteps = maxSteps
  exceeded = false
  sizes = new Map()
  try {
    const result = found(scope)
    // Quantifiers and logical operators ignore errors of their operands.
    if (!exceeded) return toJson(result, { remaining: maxResultSize })
  } catch (error) {
    if (!exceeded) throw new ExpressionError((error as Error).message.split('\n')[0])
  } finally {
    sizes = new Map()
  }
  throw budgetExceeded
}

/** Copies a result. The copy may be much larger than the result, which can contain one list many times. */
function toJson(value: unknown, budget: { remaining: number }): Json {
  budget.remaining -= typeof value === 'string' ? 1 + value.length : 1
  if (budget.remaining < 0) throw new Error('the result is too large')
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(item => toJson(item, budget))
  if (value instanceof Map) return toJson(Object.fromEntries(value), budget)
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Json
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item, budget)]))
  return String(value)
}
