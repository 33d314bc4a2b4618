/** The panels beside the canvas, loaded when they are opened, and their props. */
import { lazyPart } from '../ui/lazy-part.tsx'
import type { Catalogue, Definition, WorkflowKind } from './model/definition.ts'
import type { DraftDiffProps } from './versions/diff-view.tsx'

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

export const SettingsPanel = lazyPart<object>(() =>
  import('./fields/settings-panel.tsx').then(module => module.SettingsPanel),
)
export const SimulatePanel = lazyPart<BuilderPanelProps>(() =>
  import('./simulate/simulate-panel.tsx').then(module => module.SimulatePanel),
)
export const CaseCheck = lazyPart<Pick<BuilderPanelProps, 'kind' | 'workflowId' | 'definition'>>(() =>
  import('./simulate/case-list.tsx').then(module => module.CaseCheck),
)
export const DraftDiff = lazyPart<DraftDiffProps>(() =>
  import('./versions/diff-view.tsx').then(module => module.DraftDiff),
)
export const VersionsPanel = lazyPart<BuilderPanelProps>(() =>
  import('./versions/versions-panel.tsx').then(module => module.VersionsPanel),
)
export const RunsPanel = lazyPart<BuilderPanelProps>(() =>
  import('./runs/runs-panel.tsx').then(module => module.RunsPanel),
)
