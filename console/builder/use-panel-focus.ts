/**
 * Moves the focus to the heading of a panel that is opened, so that Tab reaches its controls next, and back to where it was
 * when the panel closes. A panel that the address opens with the page leaves the focus alone.
 */
import { type RefObject, useEffect, useRef } from 'react'

export function usePanelFocus(heading: RefObject<HTMLElement | null>, panel: string | undefined): void {
  const shown = useRef(panel)
  const from = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (shown.current === panel) return
    const wasClosed = shown.current === undefined
    shown.current = panel
    const active = document.activeElement as HTMLElement | null
    if (panel === undefined) {
      if (active === document.body || active === null) from.current?.focus()
    } else {
      if (wasClosed) from.current = active
      heading.current?.focus()
    }
  }, [heading, panel])
}
