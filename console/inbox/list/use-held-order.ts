/**
 * Keeps the rows of a list in place while the user is about to click one or has scrolled down: a click must open the
 * conversation under the pointer. Pages that are loaded at the end are appended meanwhile.
 */
import { type PointerEvent, useEffect, useRef, useState } from 'react'

const stillMs = 1_000

export interface HeldOrder {
  ids: readonly string[]
  /** Conversations that would appear above. */
  newCount: number
  release: () => void
  onPointerMove: () => void
  onPointerDown: () => void
  onPointerLeave: (event: PointerEvent) => void
  setScrolled: (isScrolled: boolean) => void
}

export function useHeldOrder(ids: readonly string[], key: string): HeldOrder {
  const [isPointing, setPointing] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = useRef({ key, ids })
  useEffect(() => () => clearTimeout(timer.current), [])
  const isHeld = (isPointing || isScrolled) && shown.current.key === key
  const next = isHeld ? appendLater(shown.current.ids, ids) : ids
  shown.current = { key, ids: next }
  const isDown = useRef(false)
  const hold = () => {
    setPointing(true)
    clearTimeout(timer.current)
    if (!isDown.current) timer.current = setTimeout(() => setPointing(false), stillMs)
  }
  /** A row that moves between pressing and releasing would lose the click. */
  const holdWhileDown = () => {
    isDown.current = true
    hold()
    const controller = new AbortController()
    const release = () => {
      controller.abort()
      isDown.current = false
      hold()
    }
    for (const type of ['pointerup', 'pointercancel'])
      window.addEventListener(type, release, { signal: controller.signal })
  }
  return {
    ids: next,
    newCount: isScrolled ? countAbove(next, ids) : 0,
    release: () => {
      setPointing(false)
      setScrolled(false)
    },
    onPointerMove: hold,
    onPointerDown: holdWhileDown,
    onPointerLeave: ({ pointerType }) => {
      // A finger leaves before its click arrives.
      if (pointerType !== 'mouse' || isDown.current) return hold()
      clearTimeout(timer.current)
      setPointing(false)
    },
    setScrolled,
  }
}

/** Keeps the shown order and appends what follows the last shown row. */
function appendLater(shown: readonly string[], ids: readonly string[]): readonly string[] {
  const last = shown.at(-1)
  if (last === undefined) return ids
  const known = new Set(shown)
  const later = ids.slice(ids.indexOf(last) + 1).filter(id => !known.has(id))
  return later.length === 0 ? shown : [...shown, ...later]
}

function countAbove(shown: readonly string[], ids: readonly string[]): number {
  const known = new Set(shown)
  return ids.reduce((count, id) => count + (known.has(id) ? 0 : 1), 0)
}
