/** Turns the difference of two versions into lines, one for each node and edge that was added, removed or changed. */
import { type Definition, type DefinitionEdge, type DefinitionNode, findNode } from '../model/definition.ts'
import { describeNode } from '../state/names.ts'
import { nameNode, nameOutput } from '../texts.ts'
import type { Diff } from './version-api.ts'

export type ChangeKind = 'added' | 'removed' | 'changed'

export interface FieldChange {
  path: string
  before: unknown
  after: unknown
}

export interface Change {
  key: string
  kind: ChangeKind
  what: 'node' | 'edge'
  id: string
  title: string
  summary: string
  fields: FieldChange[]
}

function read(item: unknown, path: string): unknown {
  const step = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return path.split('.').reduce(step, item)
}

function toNodeChange(kind: ChangeKind, node: DefinitionNode, fields: FieldChange[] = []): Change {
  const { id, type } = node
  return {
    key: `node ${id}`,
    kind,
    what: 'node',
    id,
    title: nameNode(type),
    summary: describeNode(node),
    fields,
  }
}

function toEdgeChange(
  kind: ChangeKind,
  edge: DefinitionEdge,
  sides: readonly Definition[],
  fields: FieldChange[] = [],
): Change {
  const name = (id: string) => {
    const node = sides.map(side => findNode(side, id)).find(found => found !== undefined)
    return node ? nameNode(node.type) : id
  }
  const { id, source, target, sourceHandle } = edge
  const output = sourceHandle ? ` (${nameOutput(sourceHandle)})` : ''
  return {
    key: `edge ${id}`,
    kind,
    what: 'edge',
    id,
    title: `${name(source)}${output} → ${name(target)}`,
    summary: '',
    fields,
  }
}

/** Lists what the API's difference lists, in the same order: nodes, then edges. */
export function listChanges({ nodes, edges }: Diff, from: Definition, to: Definition): Change[] {
  const toFields = (before: unknown, after: unknown, paths: readonly string[]) =>
    paths.map(path => ({ path, before: read(before, path), after: read(after, path) }))
  const sides = [to, from]
  return [
    ...nodes.added.map(node => toNodeChange('added', node)),
    ...nodes.removed.map(node => toNodeChange('removed', node)),
    ...nodes.changed.map(({ before, after, paths }) =>
      toNodeChange('changed', after, toFields(before, after, paths)),
    ),
    ...edges.added.map(edge => toEdgeChange('added', edge, sides)),
    ...edges.removed.map(edge => toEdgeChange('removed', edge, sides)),
    ...edges.changed.map(({ before, after, paths }) =>
      toEdgeChange('changed', after, sides, toFields(before, after, paths)),
    ),
  ]
}

/** Returns the newer definition with the nodes and edges that were removed, so that a drawing shows both. */
export function joinDefinitions({ nodes, edges }: Diff, to: Definition): Definition {
  return {
    ...to,
    nodes: [...to.nodes, ...nodes.removed],
    edges: [...to.edges, ...edges.removed],
  }
}
