/** The workflow that is being edited: its definition with undo, its name, and the selection. */
import { createStore, type Store } from '../../app/store.ts'
import type { Catalogue, Definition, WorkflowKind } from '../model/definition.ts'
import type { Rules } from '../model/edits.ts'
import { type History, pushEdit, redo, startHistory, undo } from '../model/history.ts'
import type { Workflow } from './workflow-api.ts'

export interface Selection {
  nodes: ReadonlySet<string>
  edges: ReadonlySet<string>
}

const nothing: Selection = { nodes: new Set(), edges: new Set() }

export interface Editor {
  kind: WorkflowKind
  workflowId: string
  catalogue: Catalogue
  rules: Rules
  /** Otherwise all functions that change the workflow do nothing. */
  canEdit: boolean
  history: Store<History>
  name: Store<string>
  selection: Store<Selection>
  get: () => Definition
  /** Edits of the same field are undone together. */
  edit: (change: (definition: Definition) => Definition, field?: string) => void
  rename: (name: string) => void
  undo: () => void
  redo: () => void
  select: (nodeIds?: Iterable<string>, edgeIds?: Iterable<string>) => void
}

const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size === b.size && [...a].every(item => b.has(item))

export function createEditor(
  kind: WorkflowKind,
  workflow: Workflow,
  catalogue: Catalogue,
  canEdit: boolean,
): Editor {
  const history = createStore(startHistory(workflow.definition))
  const name = createStore(workflow.name)
  const selection = createStore(nothing)
  const change = (step: (before: History) => History) => {
    if (canEdit) history.update(step)
  }
  const select: Editor['select'] = (nodeIds = [], edgeIds = []) => {
    const next = { nodes: new Set(nodeIds), edges: new Set(edgeIds) }
    const before = selection.get()
    if (!isSameSet(before.nodes, next.nodes) || !isSameSet(before.edges, next.edges)) selection.set(next)
  }
  // Nodes and edges that an edit removed are no longer selected.
  history.subscribe(() => {
    const { nodes, edges } = history.get().present
    const [nodeIds, edgeIds] = [new Set(nodes.map(({ id }) => id)), new Set(edges.map(({ id }) => id))]
    const before = selection.get()
    select(
      [...before.nodes].filter(id => nodeIds.has(id)),
      [...before.edges].filter(id => edgeIds.has(id)),
    )
  })
  return {
    kind,
    workflowId: workflow.id,
    catalogue,
    rules: { catalogue, kind },
    canEdit,
    history,
    name,
    selection,
    get: () => history.get().present,
    edit: (apply, field) => change(before => pushEdit(before, apply(before.present), field)),
    rename: next => {
      if (canEdit) name.set(next)
    },
    undo: () => change(undo),
    redo: () => change(redo),
    select,
  }
}
