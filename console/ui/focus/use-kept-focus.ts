/**
 * For an element that is removed while it has the focus, such as a deleted row or a saved form: the nearest control gets the
 * focus. Without it nothing would have the focus, and screen readers would start again at the top of the page.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { leavePlace } from './places.ts'

export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    const element = ref.current
    // Runs while the element is still in the page.
    return () => {
      const active = document.activeElement
      if (!element?.contains(active)) return
      const find = leavePlace(active)
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        const target = find() ?? document.getElementById('main')
        target?.focus({ preventScroll: true })
      })
    }
  }, [])
  return ref
}
