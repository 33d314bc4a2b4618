/**
 * For an element that disappears while it has the focus, such as a row that is deleted or a form that is saved: the focus
 * goes to what is nearest to its place instead of nowhere, where screen readers start again at the top.
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
