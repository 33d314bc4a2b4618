/** Tells the messages about actions, such as the undo bar, how high the composer is: they are shown above it. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

export function useRoomForToasts(): RefObject<HTMLDivElement | null> {
  const whole = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = whole.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() =>
      style.setProperty('--bottom-field', `${element.offsetHeight}px`),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--bottom-field')
    }
  }, [])
  return whole
}
