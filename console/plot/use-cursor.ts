/** The cursor of a plot: moved by pointer and keys. A range that is selected by dragging, or with Shift, can be zoomed into. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react'

export interface Cursor {
  /** Positions that are shown, both included. */
  from: number
  to: number
  isZoomed: boolean
  /** Position of the cursor; undefined: none. */
  at: number | undefined
  /** Begin of the selection, which ends at the cursor. */
  anchor: number | undefined
  reset: () => void
  handlers: {
    onKeyDown: (event: KeyboardEvent) => void
    onPointerDown: (event: PointerEvent) => void
    onPointerMove: (event: PointerEvent) => void
    onPointerUp: () => void
    onPointerLeave: () => void
  }
}

/** `locate` returns the position under the pointer. */
export function useCursor(length: number, locate: (event: PointerEvent) => number): Cursor {
  const [range, setRange] = useState<readonly [number, number]>()
  const [at, setAt] = useState<number>()
  const [anchor, setAnchor] = useState<number>()
  const last = Math.max(0, length - 1)
  const [from, to] = range ? [range[0], Math.min(range[1], last)] : [0, last]
  const clamp = (position: number) => Math.min(to, Math.max(from, position))
  const zoom = () => {
    if (anchor === undefined || at === undefined || anchor === at) return
    setRange([Math.min(anchor, at), Math.max(anchor, at)])
    setAnchor(undefined)
  }
  const reset = () => {
    setRange(undefined)
    setAnchor(undefined)
  }
  const move = (position: number, isSelecting: boolean) => {
    setAnchor(isSelecting ? (anchor ?? at ?? from) : undefined)
    setAt(clamp(position))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const current = at ?? (event.key === 'ArrowLeft' ? to + 1 : from - 1)
    const targets: Record<string, number> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: from,
      End: to,
    }
    const target = targets[event.key]
    if (target !== undefined) move(target, event.shiftKey)
    else if (event.key === 'Enter') zoom()
    else if (event.key === 'Escape' && (range || anchor !== undefined)) reset()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    from,
    to,
    isZoomed: range !== undefined,
    at: at === undefined ? undefined : clamp(at),
    anchor,
    reset,
    handlers: {
      onKeyDown,
      onPointerDown: event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setAt(clamp(locate(event)))
        setAnchor(clamp(locate(event)))
      },
      onPointerMove: event => setAt(clamp(locate(event))),
      onPointerUp: () => {
        zoom()
        setAnchor(undefined)
      },
      onPointerLeave: () => {
        if (anchor === undefined) setAt(undefined)
      },
    },
  }
}
