/** Handlers of a modal dialog without a trigger: the focus returns to the element that had it when the dialog opened. */
import { useRef } from 'react'

export function useReturnedFocus(onOpen?: (event: Event) => void) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement
      onOpen?.(event)
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus()
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
