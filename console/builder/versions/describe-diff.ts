/** Turns the difference of two versions into lines, one for each node and edge that was added, removed or changed. */
import {
  type Definition,
  type DefinitionEdge,
  type DefinitionNode,
  findNode,
  findOutputTitle,
} from '../model/definition.ts'
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
  const find = (id: string) => sides.map(side => findNode(side, id)).find(found => found !== undefined)
  const name = (id: string) => {
    const node = find(id)
    return node ? nameNode(node.type) : id
  }
  const { id, source, target, sourceHandle } = edge
  const from = find(source)
  const title = from && sourceHandle ? findOutputTitle(from, sourceHandle) : undefined
  const output = sourceHandle ? ` (${title ?? nameOutput(sourceHandle)})` : ''
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

/** Properties with an effect on runs; the others, such as the position, only concern the drawing. */
const effective = {
  node: new Set(['type', 'data']),
  edge: new Set(['source', 'target', 'sourceHandle', 'targetHandle']),
}

interface Changed<T> {
  before: T
  after: T
  paths: string[]
}

const isEffective = (what: Change['what'], path: string) => effective[what].has(path.split('.')[0]!)
const listEffective = (what: Change['what'], paths: readonly string[]) =>
  paths.filter(path => isEffective(what, path))

function listFields<T>(what: Change['what'], { before, after, paths }: Changed<T>): FieldChange[] {
  return listEffective(what, paths).map(path => ({
    path,
    before: read(before, path),
    after: read(after, path),
  }))
}

/** Lists what the API's difference lists, in the same order, nodes before edges, without what only concerns the drawing. */
export function listChanges({ nodes, edges }: Diff, from: Definition, to: Definition): Change[] {
  const sides = [to, from]
  const isChanged = ({ kind, fields }: Change) => kind !== 'changed' || fields.length > 0
  return [
    ...nodes.added.map(node => toNodeChange('added', node)),
    ...nodes.removed.map(node => toNodeChange('removed', node)),
    ...nodes.changed.map(change => toNodeChange('changed', change.after, listFields('node', change))),
    ...edges.added.map(edge => toEdgeChange('added', edge, sides)),
    ...edges.removed.map(edge => toEdgeChange('removed', edge, sides)),
    ...edges.changed.map(change => toEdgeChange('changed', change.after, sides, listFields('edge', change))),
  ].filter(isChanged)
}

/** Counts the nodes that differ in nothing but their place on the drawing. */
export function countMoved({ nodes }: Diff): number {
  return nodes.changed.filter(({ paths }) => listEffective('node', paths).length === 0).length
}

/** Returns the newer definition with the nodes and edges that were removed, so that a drawing shows both. */
export function joinDefinitions({ nodes, edges }: Diff, to: Definition): Definition {
  return {
    ...to,
    nodes: [...to.nodes, ...nodes.removed],
    edges: [...to.edges, ...edges.removed],
  }
}
