/** The builder: header, palette, canvas or steps, the panel at the right, and the problems below. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef } from 'react'
import { useStore } from '../app/store.ts'
import { useMediaQuery } from '../app/use-media-query.ts'
import { IconButton } from '../ui/controls/button.tsx'
import { CloseIcon } from '../ui/controls/icons.tsx'
import { StaleNotice } from '../ui/layout/stale-notice.tsx'
import { Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import styles from './builder.module.css'
import { Header } from './header.tsx'
import { useNumbers } from './numbers/use-numbers.ts'
import { RunsPanel, SettingsPanel, SimulatePanel, VersionsPanel } from './panel.ts'
import type { BuilderPanelProps, PanelName, View } from './panel-props.ts'
import { ProblemBar } from './problems/problem-bar.tsx'
import { SaveDialogs } from './save-dialogs.tsx'
import { useSession } from './state/session.tsx'
import { StepsView } from './steps/steps-view.tsx'
import { texts } from './texts.ts'
import { useEditActions } from './use-edit-actions.ts'
import { usePanelFocus } from './use-panel-focus.ts'

const Canvas = lazy(() => import('./canvas/canvas.tsx').then(module => ({ default: module.Canvas })))

const panels: Record<PanelName, typeof RunsPanel> = {
  simulate: SimulatePanel,
  versions: VersionsPanel,
  runs: RunsPanel,
}

/** The view is in the address, so that a link opens the same one. */
function useView(): View {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as { view?: string; panel?: string; numbers?: string }
  const canDraw = !useMediaQuery('(max-width: 767px)')
  const show = useCallback<View['show']>(
    change =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, ...change })) as never,
        replace: true,
      }),
    [navigate],
  )
  return {
    canDraw,
    isSteps: !canDraw || search.view === 'steps',
    panel:
      search.panel !== undefined && Object.hasOwn(panels, search.panel)
        ? (search.panel as PanelName)
        : undefined,
    hasNumbers: search.numbers === 'on',
    show,
  }
}

export function Builder() {
  const { editor, simulateFrom, focusField } = useSession()
  const view = useView()
  useEditActions(view)
  const startNodeId = useStore(simulateFrom)
  const isSimulating = view.panel === 'simulate'
  useEffect(() => {
    if (startNodeId !== undefined && !isSimulating) view.show({ panel: 'simulate' })
  }, [startNodeId, isSimulating, view.show])
  // A problem leads to the settings of its node, in place of another panel.
  const isLedToField = useStore(focusField) !== undefined
  useEffect(() => {
    if (isLedToField) view.show({ panel: undefined })
  }, [isLedToField, view.show])
  useEffect(SettingsPanel.preload, [])
  return (
    <section className={styles.builder} aria-label={texts().builder}>
      <Header view={view} />
      <StaleNotice />
      {!editor.canEdit && (
        <p className={styles.notice} role="status">
          {texts().readOnly}
        </p>
      )}
      <div className={styles.body}>
        {view.isSteps ? (
          <StepsView />
        ) : (
          <Suspense fallback={<Loading rows={6} />}>
            <Canvas />
          </Suspense>
        )}
        <RightPanel view={view} />
      </div>
      <ProblemBar />
      <SaveDialogs />
      <NumbersLoader isOn={view.hasNumbers} />
    </section>
  )
}

function NumbersLoader({ isOn }: { isOn: boolean }) {
  const { editor, numbers } = useSession()
  const found = useNumbers(editor.kind, editor.workflowId, isOn)
  useEffect(() => numbers.set(isOn ? found : undefined), [numbers, found, isOn])
  return null
}

function RightPanel({ view }: { view: View }) {
  const { editor } = useSession()
  const { nodes } = useStore(editor.selection)
  const close = () => (view.panel ? view.show({ panel: undefined }) : editor.select())
  const isOpen = view.panel !== undefined || nodes.size > 0
  const heading = useRef<HTMLHeadingElement>(null)
  usePanelFocus(heading, view.panel)
  if (view.panel)
    return (
      <Side title={texts()[view.panel]} heading={heading} isSheet={!view.canDraw} onClose={close}>
        <OpenPanel name={view.panel} />
      </Side>
    )
  if (!view.canDraw && nodes.size !== 1) return null
  return (
    <Side title={texts().settings} isSheet={!view.canDraw} onClose={isOpen ? close : undefined}>
      <SettingsPanel />
    </Side>
  )
}

function OpenPanel({ name }: { name: PanelName }) {
  const { editor, highlight, reveal } = useSession()
  const { present } = useStore(editor.history)
  const Panel = panels[name]
  const emphasise = useCallback<BuilderPanelProps['highlight']>(path => highlight.set(path), [highlight])
  const select = useCallback(
    (nodeId: string) => {
      editor.select([nodeId])
      reveal.get()?.(nodeId)
    },
    [editor, reveal],
  )
  useEffect(() => () => highlight.set(null), [highlight])
  return (
    <Panel
      kind={editor.kind}
      workflowId={editor.workflowId}
      definition={present}
      catalogue={editor.catalogue}
      highlight={emphasise}
      select={select}
      canEdit={editor.canEdit}
    />
  )
}

interface SideProps {
  title: string
  heading?: RefObject<HTMLHeadingElement | null>
  /** On narrow screens the panel covers the steps. */
  isSheet: boolean
  /** Undefined: the panel stays. */
  onClose: (() => void) | undefined
  children: ReactNode
}

function Side({ title, heading, isSheet, onClose, children }: SideProps) {
  if (isSheet)
    return (
      <Dialog title={title} open sheet onClose={() => onClose?.()}>
        {children}
      </Dialog>
    )
  return (
    <aside className={styles.side} aria-label={title} data-area>
      <header className={styles.sideHeader}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {onClose && <IconButton icon={CloseIcon} label={texts().closePanel} onClick={onClose} />}
      </header>
      <div className={styles.sideBody}>{children}</div>
    </aside>
  )
}
