/** The problems of a draft by node and field, from the paths of violations such as `definition.nodes[3].data.tagId`. */
import type { Violation } from '../../api/errors.ts'
import type { Definition } from './definition.ts'

export interface Problem {
  /** Undefined: concerns the workflow as a whole. */
  nodeId: string | undefined
  /** Path within the data of the node, such as `cases[0].expression`; empty: the node itself. */
  field: string
  code: string
  message: string
  isWarning: boolean
}

function toProblem(
  { field, code, message }: Violation,
  { nodes, edges }: Definition,
  isWarning: boolean,
): Problem {
  const [, list, index, rest = ''] = /^(?:definition|draft)\.(nodes|edges)\[(\d+)\]\.?(.*)$/.exec(field) ?? []
  const position = Number(index)
  const nodeId =
    list === 'nodes' ? nodes[position]?.id : list === 'edges' ? edges[position]?.source : undefined
  const path = list === 'nodes' ? rest.replace(/^data\.?/, '') : ''
  return { nodeId, field: path, code, message, isWarning }
}

interface Validation {
  violations: readonly Violation[]
  warnings: readonly Violation[]
}

/** The definition must be the one that was validated. */
export function toProblems({ violations, warnings }: Validation, definition: Definition): Problem[] {
  return [
    ...violations.map(violation => toProblem(violation, definition, false)),
    ...warnings.map(warning => toProblem(warning, definition, true)),
  ]
}

export function groupByNode(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const groups = new Map<string, Problem[]>()
  for (const problem of problems)
    if (problem.nodeId !== undefined)
      groups.set(problem.nodeId, [...(groups.get(problem.nodeId) ?? []), problem])
  return groups
}
