/**
 * For an element that is removed while it has the focus, such as a deleted row or a saved form: the nearest control gets the
 * focus. Without it nothing would have the focus, and screen readers would start again at the top of the page.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Find } from './nearest-control.ts'
import { leavePlace } from './places.ts'

/** `origin` finds the control that gets the focus instead of the nearest one. */
export function useKeptFocus<T extends HTMLElement>(
  origin?: RefObject<Find | undefined>,
): RefObject<T | null> {
  const ref = useRef<T>(null)
  useLayoutEffect(() => {
    const element = ref.current
    // Runs while the element is still in the page.
    return () => {
      const active = document.activeElement
      if (!element?.contains(active)) return
      const [find, back] = [leavePlace(active), origin?.current]
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return
        const target = back?.() ?? find() ?? document.getElementById('main')
        target?.focus({ preventScroll: true })
      })
    }
  }, [origin])
  return ref
}
