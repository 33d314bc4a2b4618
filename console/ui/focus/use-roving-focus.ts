/**
 * One tab stop for a group of buttons, as in toolbars: arrow keys, Home and End move the focus among them, and the last one
 * that had it is the stop.
 */
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

export interface RovingFocus {
  ref: RefObject<HTMLDivElement | null>
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onFocus: (event: FocusEvent<HTMLElement>) => void
}

const keys = {
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
  vertical: { ArrowDown: 1, ArrowUp: -1 },
} as const

const listButtons = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>('button:not(:disabled)')]

function setStop(buttons: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
}

/** Buttons may come and go; the tab stop is one of those that are left. */
export function useRovingFocus(orientation: keyof typeof keys): RovingFocus {
  const group = useRef<HTMLDivElement>(null)
  const last = useRef<HTMLElement>(undefined)
  useEffect(() => {
    if (!group.current) return
    const buttons = listButtons(group.current)
    setStop(buttons, last.current && buttons.includes(last.current) ? last.current : buttons[0])
  })
  return {
    ref: group,
    onFocus: ({ currentTarget, target }) => {
      const buttons = listButtons(currentTarget)
      if (!buttons.includes(target)) return
      last.current = target
      setStop(buttons, target)
    },
    onKeyDown: event => {
      const { currentTarget, key, target, altKey, ctrlKey, metaKey } = event
      const buttons = listButtons(currentTarget)
      const at = buttons.indexOf(target as HTMLElement)
      if (at < 0 || altKey || ctrlKey || metaKey) return
      const by = (keys[orientation] as Record<string, number>)[key]
      const next = key === 'Home' ? 0 : key === 'End' ? -1 : by && (at + by) % buttons.length
      if (next === undefined) return
      event.preventDefault()
      buttons.at(next)?.focus()
    },
  }
}
