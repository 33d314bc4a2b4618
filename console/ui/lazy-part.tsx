/**
 * Parts that the first screen does not need: they are loaded after it, when the browser is idle, or when they are shown.
 */
import { type ComponentType, lazy, Suspense } from 'react'

const loaders: (() => Promise<unknown>)[] = []

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  loaders.push(load)
  const Part = lazy(async () => ({ default: await load() }))
  return props => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  )
}

const delayMs = 500

/** Loads all parts one after the other, so that a key opens its list without a delay, also without a connection. */
export function preloadParts(): void {
  setTimeout(async () => {
    for (const load of loaders) await load().catch(() => {})
  }, delayMs)
}
