/**
 * How long to look for signs of a send that may have been accepted. Signs reach us only while we are up, so the time
 * counts from the moment somebody looks, not from the send: one that was cut off by a kill gets the whole of it after
 * the next start; and it is counted on the monotonic clock, as one that is put right by an hour would end the search at
 * once. What a provider has told and nobody has worked on yet is a sign too.
 */
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import type { PendingSend } from '../store/deliveries.ts'
import { hasProviderEventFor } from '../store/provider-events.ts'

/** When this process first looked, by message and attempt. */
const firstSearches = new WeakMap<Db, LRUCache<string, number>>()

function getMsSinceFirstSearch({ db, clock }: Deps, { id, sendStartedAt }: PendingSend): number {
  let known = firstSearches.get(db)
  if (!known) {
    known = new LRUCache({ max: 100_000 })
    firstSearches.set(db, known)
  }
  const key = `${id}/${sendStartedAt}`
  const now = performance.now() + clock.offsetMs()
  const at = known.get(key) ?? now
  known.set(key, at)
  return now - at
}

export async function shouldKeepSearching(deps: Deps, message: PendingSend): Promise<boolean> {
  if (getMsSinceFirstSearch(deps, message) < deps.channels[message.channel].sendReconcileMs) return true
  return hasProviderEventFor(deps.db, message.tenantId, message.id, message.sendStartedAt!)
}
