/**
 * Gives null a meaning in expressions, so that a missing value leads to the `else` branch instead of an error. A missing
 * key or index is null. Comparing null is false, except `==` and `!=`; other operators, functions and methods return null
 * for it. Null is false where a bool is required, and has no items.
 */
import type { Ast } from './ast.ts'
import { listNodes } from './ast.ts'

type Handle = NonNullable<Ast['handle']>

const comparisons = new Set(['<', '<=', '>', '>='])
const arithmetic = new Set(['+', '-', '*', '/', '%', '-_'])
/** Functions that are defined for null. */
const totalFunctions = new Set(['type', 'dyn'])

/** Changes a checked tree. */
export function tolerateNull(ast: Ast): void {
  for (const node of listNodes(ast)) {
    const { op, handle } = node
    if (node.meta.macro) tolerateMissing(node.meta.macro)
    const loop = node.meta.alternate
    if (loop?.op === 'comprehension') tolerateLoop(loop)
    else if (handle) node.handle = wrapHandle(node, op, handle)
    readAsBool(node)
  }
}

function wrapHandle(node: Ast, op: string, handle: Handle): Handle {
  if (op === '.' || op === '[]')
    return (value, name, ...rest) => (hasMember(value, name) ? handle(value, name, ...rest) : null)
  if (op === '==' || op === '!=')
    return (left, right, ...rest) =>
      left === null || right === null ? (left === right) === (op === '==') : handle(left, right, ...rest)
  if (op === 'in')
    return (item, items, ...rest) =>
      item === null || items === null ? isIn(item, items) : handle(item, items, ...rest)
  if (op === '!_') return (value, ...rest) => (value === null ? true : handle(value, ...rest))
  if (comparisons.has(op)) return unlessNull(handle, false)
  if (arithmetic.has(op)) return unlessNull(handle, null)
  if ((op === 'call' || op === 'rcall') && !totalFunctions.has((node.args as [string])[0]))
    return (values, ...rest) => ((values as unknown[]).includes(null) ? null : handle(values, ...rest))
  return handle
}

/** The last two arguments of a handle are the tree and the evaluator; operands come before them. */
function unlessNull(handle: Handle, result: false | null): Handle {
  return (...values) => (values[0] === null || values[1] === null ? result : handle(...values))
}

function hasMember(value: unknown, name: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value[Number(name)] !== undefined
  if (value instanceof Map) return value.get(name) !== undefined
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return true // a type of the library checks it
  return Object.hasOwn(value, String(name)) && (value as Record<string, unknown>)[String(name)] !== undefined
}

function isIn(item: unknown, items: unknown): boolean {
  return Array.isArray(items) && items.includes(item)
}

function tolerateLoop(loop: Ast): void {
  const { handle } = loop
  if (handle) loop.handle = (items, ...rest) => handle(items ?? [], ...rest)
  const { step } = loop.args as { step: Ast }
  readAsBool(step)
}

/** `has(a.b.c)` is false also if `a.b` is missing. */
function tolerateMissing(macro: NonNullable<Ast['meta']['macro']>): void {
  const { evaluate } = macro
  if (!('macroHasProps' in macro)) return
  macro.evaluate = (...args) => {
    try {
      return evaluate(...args)
    } catch (error) {
      if ((error as { code?: string }).code === 'no_such_key') return false
      throw error
    }
  }
}

/** Makes operands that must be bool false if they are null. */
function readAsBool(node: Ast): void {
  const { op } = node
  if (op === '?:' && node.condition) node.condition = toBool(node.condition)
  if ((op !== '&&' && op !== '||') || !node.left || !node.right) return
  node.left = toBool(node.left)
  node.right = toBool(node.right)
}

function toBool(operand: Ast): Ast {
  const evaluate: Ast['evaluate'] = (evaluator, _ast, context) =>
    operand.evaluate(evaluator, operand, context) ?? false
  const { op, args, end, meta } = operand
  return { ...operand, op, args, end, meta, evaluate }
}
