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
