/** Which view and panel of the builder is open, and the props of the panels. */
import type { Catalogue, Definition, WorkflowKind } from './model/definition.ts'

export type PanelName = 'simulate' | 'versions' | 'runs'

export interface View {
  isSteps: boolean
  /** The steps are the only view of narrow screens. */
  canDraw: boolean
  panel: PanelName | undefined
  hasNumbers: boolean
  show: (change: {
    view?: string | undefined
    panel?: string | undefined
    numbers?: string | undefined
  }) => void
}

/** Nodes and edges to emphasise on the canvas, such as the path of a run. */
export interface Highlight {
  nodeIds: string[]
  edgeIds: string[]
  /** The node at which the run is. */
  current?: string
  /** Lines below the nodes of a run: its effects, and the variables that it has set. */
  notes?: ReadonlyMap<string, readonly string[]>
}

export interface BuilderPanelProps {
  kind: WorkflowKind
  workflowId: string
  /** The definition on the screen, with changes that are not saved yet. */
  definition: Definition
  catalogue: Catalogue
  /** Emphasises a path until it is called with null or the panel closes. */
  highlight: (path: Highlight | null) => void
  /** Selects the node and scrolls it into view. */
  select: (nodeId: string) => void
  canEdit: boolean
}
