/** In-memory values of one process, created on first use by their `defineCache`. */
export type Caches = Map<symbol, unknown>

/**
 * Declares a value that each process has one of, such as an LRU cache:
 * `const inboxCache = defineCache(() => new LRUCache<string, Inbox>({ max: 10_000 }))`, read as `inboxCache(deps)`, or as
 * `planCache(tx)` where only a transaction is at hand.
 */
export function defineCache<T, D = unknown>(create: (from: D) => T): (from: D & { caches: Caches }) => T {
  const key = Symbol()
  return from => {
    if (!from.caches.has(key)) from.caches.set(key, create(from))
    return from.caches.get(key) as T
  }
}
