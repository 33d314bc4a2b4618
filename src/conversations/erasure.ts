/**
 * Erasing a person for good: the contact is gone at once, their conversations, messages, files and what was told of them
 * follow in the background, a piece at a time. Those above hear of it and take out what is theirs. What stays is
 * numbers: how many were written to, not who.
 */
import { type ErasedContact, eraseContact } from '../contacts/erasure.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { emit } from '../platform/events/event.ts'
import { isEventPending } from '../platform/events/log.ts'
import type { Caller } from '../platform/http/caller.ts'
import { deleteResponsesContaining } from '../platform/http/idempotency.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, LeaseLost, RetryLater, type Work } from '../platform/jobs/job.ts'
import { contactErased } from './events.ts'
import { mediaBlobKey, thumbnailBlobKey } from './media/blob-keys.ts'
import { eraseEvents } from './store/erase-events.ts'
import {
  eraseConversation,
  eraseMessages,
  listContactConversations,
  listExclusiveMedia,
  scrubProviderEvents,
} from './store/erasure.ts'

interface ErasurePayload extends ErasedContact {
  conversationIds: string[]
}

const batchSize = 500

export const eraseContactData = job<ErasurePayload>({
  name: 'contacts.erase',
  priority: 'bulk',
  handle: erase,
})

export async function requestErasure(tx: Tx, caller: Caller, contactId: string): Promise<void> {
  const { tenantId } = caller
  const { contactIds, addresses } = await eraseContact(tx, caller, contactId)
  const conversations = await listContactConversations(tx, tenantId, contactIds)
  const payload: ErasurePayload = {
    contactIds,
    addresses: [...new Set([...addresses, ...conversations.flatMap(one => one.addresses)])],
    conversationIds: conversations.map(one => one.id),
  }
  const { conversationIds } = payload
  await emit(tx, contactErased, { tenantId, data: { contactIds, conversationIds } })
  await enqueue(tx, eraseContactData, { tenantId, orderingKey: contactId, payload })
}

/** Every part can be done again: a worker that dies is followed by another. */
async function erase(
  deps: Deps,
  { contactIds, addresses, conversationIds }: ErasurePayload,
  work: Work,
): Promise<void> {
  const { tenantId } = work
  for (const conversationId of conversationIds)
    await eraseConversationData(deps, tenantId, conversationId, work)
  // A number is written with and without its plus.
  const needles = [...contactIds, ...conversationIds, ...addresses.map(address => address.replace(/^\+/, ''))]
  await scrubProviderEvents(deps.db, tenantId, needles)
  await deleteResponsesContaining(deps.db, tenantId, needles)
  if (await isEventPending(deps.db, tenantId, needles))
    throw new RetryLater(200, 'an event is on its way to the log')
  await eraseEvents(deps.db, tenantId, needles)
}

async function eraseConversationData(
  deps: Deps,
  tenantId: string,
  conversationId: string,
  work: Work,
): Promise<void> {
  const { db, blobs } = deps
  while ((await transact(db, tx => eraseMessages(tx, tenantId, conversationId, batchSize))) === batchSize)
    if (!work.holdsLease()) throw new LeaseLost(work.id)
  const files = await transact(db, tx => listExclusiveMedia(tx, tenantId, conversationId))
  for (const id of files) {
    await blobs.delete(thumbnailBlobKey(tenantId, id))
    await blobs.delete(mediaBlobKey(tenantId, id))
  }
  await transact(db, tx => eraseConversation(tx, tenantId, conversationId, files))
}
