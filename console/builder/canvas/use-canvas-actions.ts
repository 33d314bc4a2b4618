/** The actions of the canvas, for keys and tools: move along edges, zoom, find, arrange, add after the selected node. */
import { type ReactFlowInstance, useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { type Action, useActions } from '../../actions/registry.ts'
import { findNode, findStart } from '../model/definition.ts'
import { moveNodes } from '../model/edits.ts'
import { arrange, getNodeSize, grid, headHeight } from '../model/layout.ts'
import { type Direction, findNeighbour } from '../model/neighbours.ts'
import type { Editor } from '../state/editor.ts'
import { findFreeOutput } from '../state/insert-node.ts'
import { useSession } from '../state/session.tsx'
import { texts } from '../texts.ts'
import type { Insert } from './use-insert.ts'

const directions: readonly Direction[] = ['left', 'right', 'up', 'down']
const steps = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const
const fitOptions = { maxZoom: 1, padding: 0.15 }
const readableZoom = 0.7
const margin = 32

/** Moves the visible part of the canvas. */
function createViewActions(editor: Editor, flow: ReactFlowInstance, frame: RefObject<HTMLElement | null>) {
  const { catalogue, kind } = editor.rules
  const show = (id: string) => {
    const node = findNode(editor.get(), id)
    if (!node?.position) return
    const { width, height } = getNodeSize(node, catalogue, kind)
    const { x, y } = node.position
    const zoom = Math.max(0.75, flow.getZoom())
    void flow.setCenter(x + width / 2, y + height / 2, { zoom })
  }
  return {
    reveal: show,
    fit: () => void flow.fitView(fitOptions),
    /** Everything if it is readable then, otherwise the beginning. */
    showStart: () => {
      const { width, height } = frame.current!.getBoundingClientRect()
      const bounds = flow.getNodesBounds(editor.get().nodes.map(({ id }) => id))
      const zoom = Math.min(width / bounds.width, height / bounds.height) * (1 - fitOptions.padding)
      const start = findStart(editor.get())?.position
      if (zoom >= readableZoom || !start) void flow.fitView(fitOptions)
      else
        void flow.setViewport({
          x: margin - start.x * readableZoom,
          y: height / 2 - (start.y + headHeight) * readableZoom,
          zoom: readableZoom,
        })
    },
    fitSelection: () => {
      const nodes = [...editor.selection.get().nodes].map(id => ({ id }))
      void flow.fitView(nodes.length > 0 ? { ...fitOptions, nodes } : fitOptions)
    },
    zoomIn: () => void flow.zoomIn(),
    zoomOut: () => void flow.zoomOut(),
  }
}

export function useCanvasActions(frame: RefObject<HTMLElement | null>, insert: Insert) {
  const { editor, reveal, focusField } = useSession()
  const flow = useReactFlow()
  const [isFinding, setFinding] = useState(false)
  const openPicker = insert.open
  const actions = useMemo(() => {
    const { catalogue, kind } = editor.rules
    const view = createViewActions(editor, flow, frame)
    return {
      ...view,
      tidy: async () => {
        const positions = await arrange(editor.get(), catalogue, kind)
        editor.edit(definition => moveNodes(definition, positions))
        requestAnimationFrame(() => void flow.fitView(fitOptions))
      },
      /** Moves the selection; the first key selects the start. */
      follow: (direction: Direction) => {
        const [selected] = editor.selection.get().nodes
        const next =
          selected === undefined
            ? findStart(editor.get())?.id
            : findNeighbour(editor.get(), selected, direction)
        if (next === undefined) return
        editor.select([next])
        view.reveal(next)
      },
      move: (direction: Direction) => {
        const [dx, dy] = steps[direction]
        const positions = new Map(
          [...editor.selection.get().nodes].map(id => {
            const { x, y } = findNode(editor.get(), id)?.position ?? { x: 0, y: 0 }
            return [id, { x: x + dx * grid, y: y + dy * grid }]
          }),
        )
        editor.edit(definition => moveNodes(definition, positions), `move ${[...positions.keys()].join(' ')}`)
      },
      addAfterSelected: () => {
        const [selected] = editor.selection.get().nodes
        const output = selected === undefined ? undefined : findFreeOutput(editor, selected)
        if (!editor.canEdit || selected === undefined || output === undefined) return false
        openPicker({ from: { nodeId: selected, output } })
        return true
      },
      /** Returns whether one node is selected. */
      openSettings: () => {
        const [nodeId, ...others] = editor.selection.get().nodes
        if (nodeId === undefined || others.length > 0) return false
        focusField.set({ nodeId, field: '' })
        return true
      },
    }
  }, [editor, flow, frame, focusField, openPicker])
  useEffect(() => {
    reveal.set(actions.reveal)
    return () => reveal.set(undefined)
  }, [reveal, actions])
  const openFind = () => setFinding(true)
  useActions(listActions({ ...actions, openFind }, editor.canEdit))
  // Keys work as soon as the canvas is open.
  useEffect(() => frame.current?.focus(), [frame])
  const closeFind = () => setFinding(false)
  return { ...actions, addNode: insert.openAnywhere, isFinding, openFind, closeFind }
}

export type CanvasActions = ReturnType<typeof useCanvasActions>

type Runnable = Pick<
  CanvasActions,
  'follow' | 'move' | 'fit' | 'fitSelection' | 'zoomIn' | 'zoomOut' | 'tidy' | 'openFind'
>

function listActions(canvas: Runnable, canEdit: boolean): Action[] {
  const { group } = texts()
  // These keys act on the focused element, and opening the palette takes the focus.
  const common = { group, isHidden: true }
  return [
    { id: 'builder-find', label: texts().find, group, run: canvas.openFind },
    { id: 'builder-fit', label: texts().fit, group, run: canvas.fit },
    {
      id: 'builder-fit-selection',
      label: texts().zoomToSelection,
      group,
      run: canvas.fitSelection,
    },
    { id: 'builder-zoom-in', label: texts().zoomIn, group, run: canvas.zoomIn },
    { id: 'builder-zoom-out', label: texts().zoomOut, group, run: canvas.zoomOut },
    ...(canEdit ? [{ id: 'builder-tidy', label: texts().tidy, group, run: () => void canvas.tidy() }] : []),
    ...directions.flatMap(direction => [
      {
        id: `builder-follow-${direction}`,
        label: texts().moveSelection,
        ...common,
        run: () => canvas.follow(direction),
      },
      ...(canEdit
        ? [
            {
              id: `builder-move-${direction}`,
              label: texts().moveNode,
              ...common,
              run: () => canvas.move(direction),
            },
          ]
        : []),
    ]),
  ]
}
