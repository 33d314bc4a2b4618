/** What changed between two drawings: nodes and edges are the same when their ids are. */
import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import { AnyId, named, object } from '../../platform/http/schemas.ts'
import { type WorkflowDefinition, WorkflowEdge, WorkflowNode } from '../schemas.ts'
import { getStart } from './definition.ts'

const changesSchema = <S extends typeof WorkflowNode | typeof WorkflowEdge>(schema: S) =>
  object({
    added: Type.Array(schema),
    removed: Type.Array(schema),
    changed: Type.Array(
      object({
        id: Type.String(),
        before: schema,
        after: schema,
        paths: Type.Array(Type.String(), { description: 'What differs, such as data.content.text.body' }),
      }),
    ),
  })

export const WorkflowDiff = named(
  'WorkflowDiff',
  object({
    from: AnyId,
    to: AnyId,
    nodes: changesSchema(WorkflowNode),
    edges: changesSchema(WorkflowEdge),
    triggerChanged: Type.Boolean(),
    entryModeChanged: Type.Boolean(),
    same: Type.Boolean({ description: 'Nothing differs but where nodes are drawn' }),
  }),
)
export type WorkflowDiff = Static<typeof WorkflowDiff>

interface Side {
  id: string
  definition: WorkflowDefinition
}

export function buildDiff(from: Side, to: Side): WorkflowDiff {
  const nodes = changes(from.definition.nodes, to.definition.nodes)
  const edges = changes(from.definition.edges, to.definition.edges)
  const [before, after] = [getStart(from.definition), getStart(to.definition)]
  const moves = (paths: string[]) => paths.every(path => /^position(\.|$)/.test(path))
  return {
    from: from.id,
    to: to.id,
    nodes,
    edges,
    triggerChanged: !isDeepStrictEqual(before.triggerConfig, after.triggerConfig),
    entryModeChanged: before.entryMode !== after.entryMode,
    same:
      [nodes, edges].every(one => one.added.length + one.removed.length === 0) &&
      edges.changed.length === 0 &&
      nodes.changed.every(one => moves(one.paths)),
  }
}

function changes<T extends { id: string }>(before: readonly T[], after: readonly T[]) {
  const old = new Map(before.map(one => [one.id, one]))
  const now = new Map(after.map(one => [one.id, one]))
  return {
    added: after.filter(one => !old.has(one.id)),
    removed: before.filter(one => !now.has(one.id)),
    changed: [...now.values()].flatMap(one => {
      const was = old.get(one.id)
      const paths = was ? differences(was, one, '') : []
      return was && paths.length > 0 ? [{ id: one.id, before: was, after: one, paths }] : []
    }),
  }
}

/** The paths of what is not the same in both, as deep as both are objects. */
function differences(a: unknown, b: unknown, path: string): string[] {
  if (isDeepStrictEqual(a, b)) return []
  if (!isRecord(a) || !isRecord(b)) return [path]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return names.flatMap(name => differences(a[name], b[name], path === '' ? name : `${path}.${name}`))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
