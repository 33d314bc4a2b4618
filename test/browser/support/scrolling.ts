/** Scrolls a virtual list and counts the frames that show a gap. */
import type { Page } from 'playwright-core'

interface Scrolled {
  /** Offsets of the frames in which a part of the list had no row. */
  blank: number[]
  maxRows: number
  /** Of the last frame. */
  offset: number
  frames: number
}

/**
 * Scrolls by `step` pixels in each frame until `offset` is reached, and waits at the end for rows that are being loaded.
 * Observers of sizes run after the layout of a frame, and before it is painted: they see what the user sees.
 */
export const scrollThrough = (page: Page, rows: string, offset: number, step = 333): Promise<Scrolled> =>
  page.evaluate(
    async ([selector, target, distance]) => {
      const row = document.querySelector(selector)!
      let scroller = row.parentElement!
      while (!/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement!
      const { top, bottom } = scroller.getBoundingClientRect()
      const hasGap = (): boolean => {
        let end = top
        const shown = [...document.querySelectorAll(selector)].filter(element =>
          element.checkVisibility({ visibilityProperty: true }),
        )
        const boxes = shown.map(element => element.getBoundingClientRect()).sort((a, b) => a.top - b.top)
        for (const box of boxes) if (box.top <= end + 1) end = Math.max(end, box.bottom)
        return end < bottom - 1
      }
      // As deep in the page as no list is, so that the order of the observers does not change.
      const probe = document.body.appendChild(document.createElement('div'))
      probe.style.cssText = 'position: fixed; inset: 0 auto auto 0; height: 1px; visibility: hidden'
      let deepest = probe
      for (let level = 0; level < 60; level++) deepest = deepest.appendChild(document.createElement('div'))
      const found = { blank: [] as number[], maxRows: 0, offset: 0, frames: 0 }
      await new Promise<void>(resolve => {
        new ResizeObserver(() => {
          found.frames++
          found.offset = scroller.scrollTop
          found.maxRows = Math.max(found.maxRows, document.querySelectorAll(selector).length)
          if (hasGap()) found.blank.push(found.offset)
          if (found.offset >= target) return resolve()
          requestAnimationFrame(() => {
            scroller.scrollTop += distance
            probe.style.width = `${1 + (found.frames % 2)}px`
          })
        }).observe(deepest)
      })
      probe.remove()
      return found
    },
    [rows, offset, step] as const,
  )
