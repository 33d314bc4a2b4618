/**
 * Merges contacts together with their conversations, and takes the locks for it. Lock order, for every transaction:
 * addresses, the merge lock, contacts, conversation states, activity, read state; rows of one kind by id. A transaction
 * reads the contact of a conversation after it locks the state, and a merge changes it only while it holds that lock:
 * so chats, links and messages are always stored for the current contact (docs/decisions/0005-lock-order.md).
 */

import { lockContacts } from '../contacts/contacts.ts'
import { findContactByIdentity } from '../contacts/identities.ts'
import { lockMerges, mergeContacts } from '../contacts/merge.ts'
import type { Contact } from '../contacts/schemas.ts'
import type { Channel } from '../platform/config.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { moveConversationsToContact } from './conversation-events.ts'
import {
  type ConversationRow,
  listContactIds,
  lockConversations,
  lockOfContacts,
} from './store/conversations.ts'

/** Returns the contact that survives. */
export async function mergeWithConversations(
  tx: Tx,
  caller: Caller,
  id: string,
  intoId: string,
): Promise<Contact> {
  const { tenantId } = caller
  const { contact, conversationIds } = await mergeContacts(tx, caller, id, intoId, from =>
    lockOfContacts(tx, tenantId, [from]),
  )
  await moveConversationsToContact(tx, tenantId, conversationIds, contact.id)
  return contact
}

/**
 * Locks conversations that may become one, with everything that joining them may merge: the contacts behind them and
 * behind the names, and all conversations of these contacts. Returns the conversations that still exist.
 */
export async function lockForJoining(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  { channel, names }: { channel: Channel; names: readonly string[] },
): Promise<ConversationRow[]> {
  await lockMerges(tx, tenantId)
  // Only a merge changes the contact of a conversation, and none runs now.
  const contactIds = new Set(await listContactIds(tx, tenantId, ids))
  for (const externalId of names) {
    const holder = await findContactByIdentity(tx, tenantId, { channel, externalId })
    if (holder !== undefined) contactIds.add(holder)
  }
  await lockContacts(tx, tenantId, [...contactIds])
  await lockOfContacts(tx, tenantId, [...contactIds])
  return lockConversations(tx, tenantId, ids)
}
