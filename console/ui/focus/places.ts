/** Records the positions of elements that may be removed. The search for the nearest control is not part of the first load. */
import type { Find } from './nearest-control.ts'

let buildFind: ((element: Element | null) => Find) | undefined
void import('./nearest-control.ts').then(
  module => {
    buildFind = module.buildFind
  },
  () => {},
)

/** The returned function finds the element or, if it was removed, the nearest control. */
export function rememberPlace(element: Element | null): Find {
  if (buildFind) return buildFind(element)
  return () => (element instanceof HTMLElement && element.isConnected ? element : undefined)
}

const leftMs = 1_000
let left: Find | undefined

/** Remembers the place of an element that is about to disappear, also for a dialog that opens in the same moment. */
export function leavePlace(element: Element | null): Find {
  const find = rememberPlace(element)
  left = find
  setTimeout(() => {
    if (left === find) left = undefined
  }, leftMs)
  return find
}

/** Returns the place that was left last, if that was a moment ago. */
export function takeLeftPlace(): Find | undefined {
  const find = left
  left = undefined
  return find
}
