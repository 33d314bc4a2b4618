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

let left: Find | undefined

/** Remembers the place of an element that is about to disappear, also for a dialog that opens before anything has the focus. */
export function leavePlace(element: Element | null): Find {
  left = rememberPlace(element)
  document.addEventListener('focusin', forgetLeftPlace, { once: true })
  return left
}

function forgetLeftPlace(): void {
  left = undefined
}

/** Returns the place that was left last, if nothing has had the focus since. */
export function takeLeftPlace(): Find | undefined {
  const find = left
  left = undefined
  return find
}
