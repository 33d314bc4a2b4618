/** The syntax tree of the CEL library, as far as expressions read and change it. */

export interface Ast {
  op: string
  args: unknown
  end: number
  meta: { alternate?: Ast; macro?: Macro }
  /** Applies the operator to its evaluated operands; set by the type check. */
  handle?: (...values: unknown[]) => unknown
  /** Operands, set by the type check. */
  left?: Ast
  right?: Ast
  condition?: Ast
  evaluate: (evaluator: unknown, ast: Ast, context: unknown) => unknown
}

/** Evaluates a call such as `has(…)` whose arguments are not values. */
interface Macro {
  evaluate: (evaluator: unknown, macro: Macro, context: unknown) => unknown
}

export function isAst(value: unknown): value is Ast {
  return typeof value === 'object' && value !== null && 'op' in value
}

/** Returns the nodes of the tree as they were written, parents first. */
export function listNodes(value: unknown): Ast[] {
  if (Array.isArray(value)) return value.flatMap(listNodes)
  return isAst(value) ? [value, ...listNodes(value.args)] : []
}

/** Returns the paths that the tree reads, such as `['contact', 'name']`: members and texts in brackets. */
export function listPaths(value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap(listPaths)
  if (!isAst(value)) return []
  return toPath(value) ? [toPath(value)!] : listPaths(value.args)
}

function toPath({ op, args }: Ast): string[] | undefined {
  if (op === 'id') return [String(args)]
  if (op !== '.' && op !== '[]') return undefined
  const [left, right] = args as [Ast, unknown]
  const names = toPath(left)
  const name = isAst(right) ? (right.op === 'value' ? right.args : undefined) : right
  return names && typeof name === 'string' ? [...names, name] : undefined
}
