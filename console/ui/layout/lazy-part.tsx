/**
 * Parts that the first screen does not need: they are loaded after it, when the browser is idle, or when they are shown.
 */
import { type ComponentType, lazy, Suspense, useState } from 'react'

const loaders: (() => Promise<unknown>)[] = []

type LazyPart<P> = ComponentType<P> & { preload: () => void }

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let Loaded: ComponentType<P> | undefined
  const loadOnce = async () => {
    Loaded ??= await load()
    return Loaded
  }
  loaders.push(loadOnce)
  const Part = lazy(async () => ({ default: await loadOnce() }))
  function Lazy(props: P) {
    // React shows the fallback for 300 ms, also for a part that is loaded already. The choice is kept while it is shown.
    const [Initial] = useState(() => Loaded)
    if (Initial) return <Initial {...props} />
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    )
  }
  return Object.assign(Lazy, { preload: () => void loadOnce().catch(() => {}) })
}

const delayMs = 500

/** Loads all parts one after the other, so that a key opens its list without a delay, also without a connection. */
export function preloadParts(): void {
  setTimeout(async () => {
    for (const load of loaders) await load().catch(() => {})
  }, delayMs)
}
