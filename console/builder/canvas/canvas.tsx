/** The drawing of the workflow: nodes are moved, connected, selected and added on it. */
import '@xyflow/react/dist/base.css'
import { Background, MiniMap, ReactFlow, ReactFlowProvider, SelectionMode } from '@xyflow/react'
import { type DragEvent, type KeyboardEvent, useMemo, useRef } from 'react'
import { useStore } from '../../app/store.ts'
import overlay from '../../ui/overlays/overlay.module.css'
import { findNode } from '../model/definition.ts'
import { grid } from '../model/layout.ts'
import { useReferencedNames } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, texts } from '../texts.ts'
import { AddPicker } from './add-picker.tsx'
import styles from './canvas.module.css'
import { toFlowEdges, toFlowNodes } from './flow-elements.ts'
import { NodeCard } from './node-card.tsx'
import { dragType, Palette } from './palette.tsx'
import { Toolbar } from './toolbar.tsx'
import { type CanvasActions, useCanvasActions } from './use-canvas-actions.ts'
import { useFlowEvents } from './use-flow-events.ts'
import { useInsert } from './use-insert.ts'

const nodeTypes = { card: NodeCard }
const multiKeys = ['Shift', 'Meta', 'Control']

export function Canvas() {
  return (
    <ReactFlowProvider>
      <Drawing />
    </ReactFlowProvider>
  )
}

function Drawing() {
  const { editor, highlight } = useSession()
  const { present } = useStore(editor.history)
  const selection = useStore(editor.selection)
  const emphasised = useStore(highlight)
  const frame = useRef<HTMLDivElement>(null)
  const insert = useInsert(frame)
  const events = useFlowEvents(insert.open)
  const canvas = useCanvasActions(frame, insert)
  useReferencedNames(present.nodes)
  const { rules, canEdit } = editor
  const nodes = useMemo(
    () => toFlowNodes(present, rules, selection, events.dragged),
    [present, rules, selection, events.dragged],
  )
  const edges = useMemo(
    () => toFlowEdges(present, rules, { selection, highlight: emphasised }),
    [present, rules, selection, emphasised],
  )
  return (
    <div className={styles.frame}>
      {canEdit && <Palette onAdd={type => insert.add(type)} />}
      <div className={styles.canvas} data-area>
        <ReactFlow
          ref={frame}
          aria-label={texts().canvasLabel}
          tabIndex={0}
          onKeyDown={event => onKey(event, canvas)}
          // Otherwise Shift extends a selected text from the header to the canvas.
          onPointerDownCapture={() => document.getSelection()?.removeAllRanges()}
          onDragOver={event => {
            if (event.dataTransfer.types.includes(dragType)) event.preventDefault()
          }}
          onDrop={event => onDrop(event, insert.addAt)}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          {...events.handlers}
          onlyRenderVisibleElements
          nodesDraggable={canEdit}
          nodesConnectable={canEdit}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={multiKeys}
          snapToGrid
          snapGrid={[grid, grid]}
          minZoom={0.1}
          maxZoom={2}
          onInit={canvas.showStart}
          zoomOnDoubleClick={false}
          elevateNodesOnSelect={false}
        >
          <Background gap={grid * 3} />
          <MiniMap pannable zoomable ariaLabel={texts().minimap} className={styles.minimap} />
        </ReactFlow>
        <p className={overlay.hidden} role="status">
          <SelectionText />
        </p>
      </div>
      <Toolbar canvas={canvas} />
      {insert.pending && <AddPicker {...insert.pending} onChoose={insert.choose} onClose={insert.close} />}
    </div>
  )
}

/** Tab adds only while a node is selected: Escape, then Tab leaves the canvas. Enter goes to the settings of the node. */
function onKey(event: KeyboardEvent, { addAfterSelected, openSettings }: CanvasActions): void {
  const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey
  if (!isPlain || event.target !== event.currentTarget) return
  const run = { Tab: addAfterSelected, Enter: openSettings }[event.key]
  if (run?.()) event.preventDefault()
}

function onDrop(event: DragEvent, addAt: (type: string, at: { x: number; y: number }) => void): void {
  const type = event.dataTransfer.getData(dragType)
  if (type === '') return
  event.preventDefault()
  addAt(type, { x: event.clientX, y: event.clientY })
}

function SelectionText() {
  const { editor } = useSession()
  const { nodes } = useStore(editor.selection)
  if (nodes.size > 1) return texts().selectedMany(nodes.size)
  const node = findNode(editor.get(), [...nodes][0] ?? '')
  return node ? texts().selectedNow(nameNode(node.type)) : null
}
