/** Turns the events of React Flow into edits: positions while dragging are kept here and saved when the drag ends. */
import {
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
  type OnConnectEnd,
  useReactFlow,
} from '@xyflow/react'
import { useMemo, useState } from 'react'
import { findNode, type Position } from '../model/definition.ts'
import { connect, moveNodes } from '../model/edits.ts'
import type { Editor } from '../state/editor.ts'
import { useSession } from '../state/session.tsx'
import type { FlowNode } from './flow-elements.ts'
import type { Insert } from './use-insert.ts'

export function useFlowEvents(openPicker: Insert['open']) {
  const { editor } = useSession()
  const { screenToFlowPosition } = useReactFlow()
  const [dragged, setDragged] = useState<ReadonlyMap<string, Position>>()
  const handlers = useMemo(() => {
    const onDragStop = (_event: unknown, _node: unknown, nodes: FlowNode[]) => {
      setDragged(undefined)
      const positions = new Map(nodes.map(({ id, position }) => [id, position]))
      editor.edit(definition => moveNodes(definition, positions))
    }
    /** A connection that ends on the empty canvas adds a node there. */
    const onConnectEnd: OnConnectEnd = (event, state: FinalConnectionState) => {
      const { fromHandle, toNode, isValid } = state
      if (isValid || toNode || fromHandle?.type !== 'source') return
      const at = 'clientX' in event ? event : event.changedTouches[0]
      if (at)
        openPicker({
          from: { nodeId: fromHandle.nodeId, output: fromHandle.id ?? 'next' },
          at: screenToFlowPosition({ x: at.clientX, y: at.clientY }),
        })
    }
    return {
      onNodesChange: (changes: NodeChange<FlowNode>[]) => {
        const moved = changes.flatMap(change =>
          change.type === 'position' && change.dragging && change.position
            ? [[change.id, change.position] as const]
            : [],
        )
        if (moved.length > 0) setDragged(new Map(moved))
        selectChanged(editor, 'nodes', changes)
      },
      onEdgesChange: (changes: EdgeChange[]) => selectChanged(editor, 'edges', changes),
      onNodeDragStop: onDragStop,
      onSelectionDragStop: (event: unknown, nodes: FlowNode[]) => onDragStop(event, undefined, nodes),
      onConnect: ({ source, sourceHandle, target }: Connection) =>
        editor.edit(definition =>
          connect(definition, { nodeId: source, output: sourceHandle ?? 'next' }, target, editor.rules),
        ),
      onConnectEnd,
      isValidConnection: ({ target }: { target: string }) => findNode(editor.get(), target)?.type !== 'start',
    }
  }, [editor, openPicker, screenToFlowPosition])
  return { dragged, handlers }
}

function selectChanged(
  editor: Editor,
  what: 'nodes' | 'edges',
  changes: readonly (NodeChange<FlowNode> | EdgeChange)[],
): void {
  const before = editor.selection.get()
  const next = new Set(before[what])
  for (const change of changes) {
    if (change.type !== 'select') continue
    if (change.selected) next.add(change.id)
    else next.delete(change.id)
  }
  if (what === 'nodes') editor.select(next, before.edges)
  else editor.select(before.nodes, next)
}
