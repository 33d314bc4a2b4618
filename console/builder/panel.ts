/** The panels beside the canvas, loaded when they are opened. */
import { lazyPart } from '../ui/layout/lazy-part.tsx'
import type { BuilderPanelProps } from './panel-props.ts'
import type { DraftDiffProps } from './versions/diff-view.tsx'

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
