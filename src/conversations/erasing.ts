/**
 * Erasing a person for good: the contact is gone at once, their conversations, messages, files and what was told of them
 * follow in the background, a piece at a time. Those above hear of it and take out what is theirs. What stays is
 * numbers: how many were written to, not who.
 */
import { type Erased, eraseContact } from '../contacts/erasing.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { emit } from '../platform/events/event.ts'
import { isUnderWay, scrubEvents } from '../platform/events/store/scrubbing.ts'
import type { Caller } from '../platform/http/caller.ts'
import { forgetAnswersAbout } from '../platform/http/idempotency.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, LeaseLost, RetryLater, type Work } from '../platform/jobs/job.ts'
import { contactErased } from './events.ts'
import { blobOf, thumbnailOf } from './media/places.ts'
import {
  eraseConversation,
  eraseMessages,
  listConversationsOf,
  listOwnMedia,
  scrubHappenings,
} from './store/erasing.ts'

interface Erasing extends Erased {
  conversationIds: string[]
}

const atOnce = 500

export const erasePerson = job<Erasing>({
  name: 'erase_person',
  priority: 'bulk',
  handle: erase,
})

export async function requestErasure(tx: Tx, caller: Caller, contactId: string): Promise<void> {
  const { tenantId } = caller
  const { contactIds, addresses } = await eraseContact(tx, caller, contactId)
  const conversations = await listConversationsOf(tx, tenantId, contactIds)
  const payload: Erasing = {
    contactIds,
    addresses: [...new Set([...addresses, ...conversations.flatMap(one => one.addresses)])],
    conversationIds: conversations.map(one => one.id),
  }
  const { conversationIds } = payload
  await emit(tx, contactErased, { tenantId, data: { contactIds, conversationIds } })
  await enqueue(tx, erasePerson, { tenantId, key: contactId, payload })
}

/** Every part can be done again: a worker that dies is followed by another. */
async function erase(
  deps: Deps,
  { contactIds, addresses, conversationIds }: Erasing,
  work: Work,
): Promise<void> {
  const { tenantId } = work
  for (const conversationId of conversationIds) await eraseAll(deps, tenantId, conversationId, work)
  // A number is written with and without its plus.
  const needles = [...contactIds, ...conversationIds, ...addresses.map(address => address.replace(/^\+/, ''))]
  await scrubHappenings(deps.db, tenantId, needles)
  await forgetAnswersAbout(deps.db, tenantId, needles)
  if (await isUnderWay(deps.db, tenantId, needles))
    throw new RetryLater(200, 'an event is on its way to the log')
  await scrubEvents(deps.db, tenantId, needles)
}

async function eraseAll(deps: Deps, tenantId: string, conversationId: string, work: Work): Promise<void> {
  const { db, blobs } = deps
  while ((await transact(db, tx => eraseMessages(tx, tenantId, conversationId, atOnce))) === atOnce)
    if (!work.stillMine()) throw new LeaseLost(work.id)
  const files = await transact(db, tx => listOwnMedia(tx, tenantId, conversationId))
  for (const id of files) {
    await blobs.delete(thumbnailOf(tenantId, id))
    await blobs.delete(blobOf(tenantId, id))
  }
  await transact(db, tx => eraseConversation(tx, tenantId, conversationId, files))
}
