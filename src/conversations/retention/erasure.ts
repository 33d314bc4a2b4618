/**
 * Erases a contact permanently. The contact is deleted immediately; conversations, messages, files, events, stored
 * responses and dead jobs follow in the background, in batches. Higher domains erase their own data on `contact.erased`. Aggregated
 * numbers stay.
 */

import { type ErasedContact, eraseContact } from '../../contacts/erasure.ts'
import { recordAudit } from '../../identity/audit.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { emit } from '../../platform/events/event.ts'
import { isEventPending, isUnprocessed } from '../../platform/events/log.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { deleteResponsesContaining } from '../../platform/http/idempotency/idempotency.ts'
import { discardDeadJobsContaining } from '../../platform/jobs/dead-letters.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job, LeaseLost, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { contactErased } from '../events.ts'
import {
  eraseConversation,
  eraseEntries,
  eraseEvents,
  eraseMessages,
  listContactConversations,
  listExclusiveMedia,
  scrubProviderEvents,
} from '../store/erasure.ts'
import { deleteMedia, mediaBlobKey, thumbnailBlobKey } from '../store/media/media.ts'
import { listPictures, type PictureHolder, releasePictures } from '../store/media/pictures.ts'

interface ErasurePayload extends ErasedContact {
  conversationIds: string[]
  /** Conversations in which other contacts have messages too: those stay. */
  sharedIds?: string[]
}

const batchSize = 500

const toHolders = (contactIds: readonly string[]): PictureHolder[] =>
  contactIds.map(id => `contact:${id}` as const)

export const eraseContactData = job<ErasurePayload>({
  name: 'contacts.erase',
  priority: 'bulk',
  handle: erase,
})

export async function requestErasure(tx: Tx, caller: Caller, contactId: string): Promise<void> {
  const { tenantId } = caller
  const { contactIds, addresses } = await eraseContact(tx, caller, contactId)
  const conversations = await listContactConversations(tx, tenantId, contactIds)
  const own = conversations.filter(conversation => !conversation.isShared)
  const conversationIds = own.map(conversation => conversation.id)
  const payload: ErasurePayload = {
    contactIds,
    addresses: [...new Set([...addresses, ...own.flatMap(conversation => conversation.addresses)])],
    conversationIds,
    sharedIds: conversations.filter(({ isShared }) => isShared).map(({ id }) => id),
  }
  await releasePictures(tx, tenantId, toHolders(contactIds))
  await emit(tx, contactErased, {
    tenantId,
    data: { contactIds, conversationIds, addresses: payload.addresses },
  })
  await enqueue(tx, eraseContactData, { tenantId, orderingKey: contactId, payload })
  await recordAudit(tx, caller, 'contact.erased', contactId)
}

/** Idempotent: another worker can repeat every step. */
async function erase(
  deps: Deps,
  { contactIds, addresses, conversationIds, sharedIds = [] }: ErasurePayload,
  work: Work,
): Promise<void> {
  const { tenantId } = work
  for (const id of await listPictures(deps.db, tenantId, toHolders(contactIds))) {
    await deps.blobs.delete(mediaBlobKey(tenantId, id))
    await deleteMedia(deps.db, tenantId, id)
  }
  for (const conversationId of [...conversationIds, ...sharedIds])
    await eraseConversationData(deps, { tenantId, conversationId, contactIds }, work)
  // Providers write phone numbers with and without the plus.
  const words = [...contactIds, ...conversationIds, ...addresses.map(address => address.replace(/^\+/, ''))]
  await scrubProviderEvents(deps.db, tenantId, words)
  await deleteResponsesContaining(deps.db, tenantId, words)
  await discardDeadJobsContaining(deps.db, tenantId, words)
  if (await isEventPending(deps.db, tenantId, words))
    throw new RetryLater(200, 'an event is not in the log yet')
  // Without its data, a consumer would not know what to erase.
  if (await isUnprocessed(deps.db, tenantId, contactErased.type, words))
    throw new RetryLater(1_000, 'a consumer has not read yet that the contact was erased')
  await eraseEvents(deps.db, tenantId, words)
}

async function eraseConversationData(
  deps: Deps,
  {
    tenantId,
    conversationId,
    contactIds,
  }: { tenantId: string; conversationId: string; contactIds: string[] },
  work: Work,
): Promise<void> {
  const { db, blobs } = deps
  const limit = batchSize
  const eraseBatch = () =>
    transact(db, tx => eraseMessages(tx, tenantId, conversationId, { contactIds, limit }))
  while ((await eraseBatch()) === limit) if (!work.holdsLease()) throw new LeaseLost(work.id)
  await transact(db, tx => eraseEntries(tx, tenantId, conversationId, contactIds))
  const files = await transact(db, tx => listExclusiveMedia(tx, tenantId, conversationId))
  for (const id of files) {
    await blobs.delete(thumbnailBlobKey(tenantId, id))
    await blobs.delete(mediaBlobKey(tenantId, id))
  }
  await transact(db, tx => eraseConversation(tx, tenantId, conversationId, { contactIds, mediaIds: files }))
}
