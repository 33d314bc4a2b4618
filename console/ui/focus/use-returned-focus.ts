/**
 * Handlers of a modal dialog without a trigger: the focus returns to the element that had it when the dialog opened, or to
 * the nearest control if the element was removed meanwhile.
 */
import { useRef } from 'react'
import type { Find } from './nearest-control.ts'
import { rememberPlace, takeLeftPlace } from './places.ts'

/** Where the focus of each open dialog returns to. A dialog that another one opens often replaces it or outlives it. */
const open: Find[] = []

function rememberOpener(): Find {
  const opener = document.activeElement
  const outer = open.at(-1)
  const place = opener === document.body ? takeLeftPlace() : rememberPlace(opener)
  // Where nothing had the focus before, nothing has it after.
  const last = place ? document.getElementById('main') : null
  const find = () => place?.() ?? outer?.() ?? last ?? undefined
  open.push(find)
  return find
}

export function useReturnedFocus(onOpen?: (event: Event) => void) {
  const opener = useRef<Find>(undefined)
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = rememberOpener()
      onOpen?.(event)
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const find = opener.current
      opener.current = undefined
      if (!find) return
      open.splice(open.indexOf(find), 1)
      find()?.focus()
    },
  }
}

/** The same for a dialog of choices. `close` runs the choice after the focus has returned, so that the choice may move it. */
export function useChoiceFocus(onClose: () => void) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnedFocus()
  const chosen = useRef<(() => void) | undefined>(undefined)
  return {
    close: (run: () => void) => {
      chosen.current = run
      onClose()
    },
    focus: {
      onOpenAutoFocus,
      onCloseAutoFocus: (event: Event) => {
        onCloseAutoFocus(event)
        const run = chosen.current
        chosen.current = undefined
        run?.()
      },
    },
  }
}
