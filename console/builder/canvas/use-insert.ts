/** Adds nodes: after the selected one, after an output, or at a place of the canvas. */
import { useReactFlow } from '@xyflow/react'
import { type RefObject, useMemo, useState } from 'react'
import type { Position } from '../model/definition.ts'
import { headHeight, nodeWidth } from '../model/layout.ts'
import { findFreeOutput, insertNode, type Pending } from '../state/insert-node.ts'
import { useSession } from '../state/session.tsx'

export interface Insert {
  pending: Pending | undefined
  open: (pending: Pending) => void
  /** Asks for the kind of a node to add where `add` does. */
  openAnywhere: () => void
  close: () => void
  choose: (type: string) => void
  /** After the selected node, otherwise in the middle of the canvas. */
  add: (type: string) => void
  /** At a place of the screen. */
  addAt: (type: string, at: Position) => void
}

export function useInsert(frame: RefObject<HTMLElement | null>): Insert {
  const { editor, reveal } = useSession()
  const { screenToFlowPosition } = useReactFlow()
  const [pending, setPending] = useState<Pending>()
  const actions = useMemo(() => {
    const insert = (type: string, where: Pending) => {
      const id = insertNode(editor, type, where)
      if (id !== undefined) reveal.get()?.(id)
      frame.current?.focus()
    }
    const toCanvas = (at: Position) => {
      const { x, y } = screenToFlowPosition(at)
      return { x: x - nodeWidth / 2, y: y - headHeight / 2 }
    }
    const findPlace = (): Pending => {
      const [selected] = editor.selection.get().nodes
      const output = selected === undefined ? undefined : findFreeOutput(editor, selected)
      if (selected !== undefined && output !== undefined) return { from: { nodeId: selected, output } }
      const box = frame.current!.getBoundingClientRect()
      return { at: toCanvas({ x: box.x + box.width / 2, y: box.y + box.height / 2 }) }
    }
    return {
      open: setPending,
      openAnywhere: () => setPending(findPlace()),
      close: () => setPending(undefined),
      addAt: (type: string, at: Position) => insert(type, { at: toCanvas(at) }),
      insert,
      add: (type: string) => insert(type, findPlace()),
    }
  }, [editor, reveal, frame, screenToFlowPosition])
  return {
    ...actions,
    pending,
    choose: type => {
      if (pending) actions.insert(type, pending)
      setPending(undefined)
    },
  }
}
