/** Compares two definitions; nodes and edges are matched by their ids. */
import { isDeepStrictEqual } from 'node:util'
import Type, { type Static } from 'typebox'
import { AnyId, named, object } from '../../platform/http/schemas.ts'
import { type WorkflowDefinition, WorkflowEdge, WorkflowNode } from '../schemas.ts'
import { getStart } from './definition.ts'
import { isDisplayPath } from './react-flow.ts'

const changesSchema = <S extends typeof WorkflowNode | typeof WorkflowEdge>(schema: S) =>
  object({
    added: Type.Array(schema),
    removed: Type.Array(schema),
    changed: Type.Array(
      object({
        id: Type.String(),
        before: schema,
        after: schema,
        paths: Type.Array(Type.String(), { description: 'Changed paths, such as data.content.text.body' }),
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
    same: Type.Boolean({ description: 'Nothing differs except positions and other properties for display' }),
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
  const isDisplay = (kind: 'node' | 'edge', { changed }: { changed: { paths: string[] }[] }) =>
    changed.every(({ paths }) => paths.every(path => isDisplayPath(kind, path)))
  return {
    from: from.id,
    to: to.id,
    nodes,
    edges,
    triggerChanged: !isDeepStrictEqual(before.triggerConfig, after.triggerConfig),
    entryModeChanged: before.entryMode !== after.entryMode,
    same:
      [nodes, edges].every(({ added, removed }) => added.length + removed.length === 0) &&
      isDisplay('node', nodes) &&
      isDisplay('edge', edges),
  }
}

function changes<T extends { id: string }>(before: readonly T[], after: readonly T[]) {
  const oldById = new Map(before.map(item => [item.id, item]))
  const newById = new Map(after.map(item => [item.id, item]))
  return {
    added: after.filter(({ id }) => !oldById.has(id)),
    removed: before.filter(({ id }) => !newById.has(id)),
    changed: [...newById.values()].flatMap(item => {
      const old = oldById.get(item.id)
      const paths = old ? differences(old, item, '') : []
      return old && paths.length > 0 ? [{ id: item.id, before: old, after: item, paths }] : []
    }),
  }
}

/** Returns the paths that differ, descending while both values are objects. */
function differences(a: unknown, b: unknown, path: string): string[] {
  if (isDeepStrictEqual(a, b)) return []
  if (!isRecord(a) || !isRecord(b)) return [path]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return names.flatMap(name => differences(a[name], b[name], path === '' ? name : `${path}.${name}`))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
