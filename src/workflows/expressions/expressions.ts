/**
 * CEL expressions over `contact`, `conversation`, `message`, `variables`, `event` and `now`. They cannot run code and
 * always terminate: their size is limited, macros cannot be nested, and patterns use RE2.
 */
import { Environment } from '@marcbachmann/cel-js'
import { LRUCache } from 'lru-cache'
import type { Json } from '../nodes/node-type.ts'
import { matchesPattern } from './regex.ts'

export const maxExpressionLength = 2_000

export class ExpressionError extends Error {}

type Evaluate = (scope: Record<string, unknown>) => unknown

const environment = new Environment({
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 500, maxDepth: 40, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 10 },
})
  .registerVariable('contact', 'dyn')
  .registerVariable('conversation', 'dyn')
  .registerVariable('message', 'dyn')
  .registerVariable('variables', 'dyn')
  .registerVariable('event', 'dyn')
  .registerVariable('now', 'google.protobuf.Timestamp')
  .registerFunction('string.matchesRe2(string): bool', (text: string, pattern: string) =>
    matchesPattern(pattern, text),
  )

// JSON does not distinguish integers from floats, so operators accept both together.
for (const [operator, calculate] of [
  ['+', (a: number, b: number) => a + b],
  ['-', (a: number, b: number) => a - b],
  ['*', (a: number, b: number) => a * b],
  ['/', (a: number, b: number) => a / b],
] as const) {
  const mixed = (a: number | bigint, b: number | bigint) => calculate(Number(a), Number(b))
  environment.registerOperator(`double ${operator} int`, mixed)
  environment.registerOperator(`int ${operator} double`, mixed)
}

const cache = new LRUCache<string, Evaluate | { fault: string }>({ max: 1_000 })

interface Ast {
  op: string
  args: unknown
  end: number
}

const macros = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function isAst(value: unknown): value is Ast {
  return typeof value === 'object' && value !== null && 'op' in value
}

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

function compile(text: string): Evaluate | { fault: string } {
  if (text.length > maxExpressionLength)
    return { fault: `must have at most ${maxExpressionLength} characters` }
  try {
    const calls = collectCalls(environment.parse(text).ast)
    if (calls.some(call => macros.has(call.name) && call.within > 0))
      return { fault: 'has a macro within a macro' }
    const safe = replaceMatches(text, calls)
    const checked = environment.check(safe)
    return checked.valid ? (environment.parse(safe) as Evaluate) : { fault: firstLine(checked.error) }
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

export function evaluateExpression(text: string, scope: Readonly<Record<string, unknown>>): Json {
  const found = getCompiled(text)
  if ('fault' in found) throw new ExpressionError(found.fault)
  try {
    return toJson(found(scope))
  } catch (error) {
    throw new ExpressionError((error as Error).message.split('\n')[0])
  }
}

function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(toJson)
  if (value instanceof Map) return toJson(Object.fromEntries(value))
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Json
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item)]))
  return String(value)
}
