/**
 * Last stage of sending: finds out whether a send without a recorded answer reached the provider, before it is repeated.
 * Events of the provider arrive only while a process runs, so the search time counts from the first search of this
 * process, not from the send, and on the monotonic clock: a corrected system clock must not end the search.
 */
import { LRUCache } from 'lru-cache'
import { providers } from '../../inboxes/accounts/accounts.ts'
import { ProviderCallError } from '../../inboxes/providers/http-client.ts'
import type { Account, OutboundMessage } from '../../inboxes/providers/provider.ts'
import { defineCache } from '../../platform/caches.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { RetryLater } from '../../platform/jobs/job.ts'
import { addTimelineEntry } from '../messages/delivery-status.ts'
import { clearSendStarted, type PendingSend } from '../store/messages/deliveries.ts'
import { findMessageByChannelId } from '../store/messages/messages.ts'
import { hasProviderEventFor } from '../store/provider-events.ts'

export const retrySearchMs = 500

/**
 * Returns the provider's id of the message when it was sent. Otherwise clears the attempt, so that the message is sent
 * again, and returns undefined. Throws RetryLater while the search goes on.
 */
export async function reconcile(
  deps: Deps,
  account: Account,
  message: PendingSend,
  request: OutboundMessage,
): Promise<string | undefined> {
  const { tenantId, id, inboxId, sendAttempts } = message
  for (const channelMessageId of await findProviderCopies(account, message, request)) {
    const existing = await findMessageByChannelId(deps.db, tenantId, inboxId, channelMessageId)
    if (!existing || existing.id === id) return channelMessageId
  }
  if (await shouldKeepSearching(deps, message))
    throw new RetryLater(retrySearchMs, 'searching for a send that the provider may have accepted')
  await transact(deps.db, async tx => {
    const reason = 'no sign was found that the provider accepted the message'
    await addTimelineEntry(tx, tenantId, id, 'sent_again', { reason })
    await clearSendStarted(tx, tenantId, id, sendAttempts)
  })
  return undefined
}

async function findProviderCopies(
  account: Account,
  message: PendingSend,
  request: OutboundMessage,
): Promise<string[]> {
  try {
    return await providers[message.channel].findSent(account, request, message.sendStartedAt!)
  } catch (error) {
    if (error instanceof ProviderCallError) throw new RetryLater(retrySearchMs, error.message)
    throw error
  }
}

/** Times of the first search of this process, by message and attempt. */
const firstSearches = defineCache(() => new LRUCache<string, number>({ max: 100_000 }))

function getMsSinceFirstSearch(deps: Deps, { id, sendStartedAt }: PendingSend): number {
  const searches = firstSearches(deps)
  const key = `${id}/${sendStartedAt}`
  const now = performance.now() + deps.clock.offsetMs()
  const startedAt = searches.get(key) ?? now
  searches.set(key, startedAt)
  return now - startedAt
}

/** Provider events that are stored but not processed yet are a sign that the message was sent. */
export async function shouldKeepSearching(deps: Deps, message: PendingSend): Promise<boolean> {
  if (getMsSinceFirstSearch(deps, message) < deps.channels[message.channel].sendReconcileMs) return true
  return hasProviderEventFor(deps.db, message.tenantId, message.id, message.sendStartedAt!)
}
