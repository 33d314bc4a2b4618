/**
 * Records the last use of something, such as a key: at most once per interval for each key and process, in batches, and
 * never in the path of a request. A use that cannot be stored is lost.
 */
import { LRUCache } from 'lru-cache'
import { defineCache } from '../caches.ts'
import type { Deps } from '../deps.ts'
import { batched } from './batched.ts'
import type { Db } from './db.ts'

export interface Use {
  tenantId: string
  id: string
  at: string
}

/** Returns a function that records a use. It returns immediately and does not throw. */
export function recordUses<U extends Use>(
  intervalMs: number,
  write: (db: Db, uses: readonly U[]) => Promise<unknown>,
): (deps: Pick<Deps, 'db' | 'clock' | 'log' | 'caches'>, use: Omit<U, 'at'>) => void {
  const recordedAt = defineCache(() => new LRUCache<string, number>({ max: 20_000 }))
  const writeBatched = batched<U, void>({ batchSize: 500, concurrency: 1 }, async (db, uses) => {
    await write(db, uses)
    return uses.map(() => undefined)
  })
  return (deps, use) => {
    const recorded = recordedAt(deps)
    const now = deps.clock.now().getTime()
    if (now - (recorded.get(use.id) ?? Number.NEGATIVE_INFINITY) < intervalMs) return
    recorded.set(use.id, now)
    writeBatched(deps.db, { ...use, at: new Date(now).toISOString() } as U).catch(error =>
      deps.log.debug({ err: error, id: use.id }, 'a use was not recorded'),
    )
  }
}
