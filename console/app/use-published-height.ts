/** Publishes the height of an element as a property of the root element, for the styles of other parts of the page. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

export function usePublishedHeight<E extends HTMLElement>(
  property: '--bottom-field' | '--toasts',
): RefObject<E | null> {
  const measured = useRef<E>(null)
  useLayoutEffect(() => {
    const element = measured.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [property])
  return measured
}
