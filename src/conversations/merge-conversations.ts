/**
 * Merges conversations of one customer. A provider may report a user id first and the phone number later: the
 * conversation then goes by the phone number, and two conversations that started under different addresses become one,
 * with the messages of both in order of time. The id of the merged conversation stays valid, and nothing unread becomes
 * read.
 *
 * Lock order, for every transaction: addresses, the merge lock, contacts, conversation states, activity, read state;
 * rows of one kind by id. A transaction reads the contact of a conversation after it locks the state, and a merge
 * changes it only while it holds that lock: so chats, links and messages are always stored for the current contact
 * (docs/decisions/0005-lock-order.md).
 */
import { unlinkConversation } from '../contacts/activity.ts'
import { lockContacts } from '../contacts/contacts.ts'
import { attachIdentity, findContactByIdentity } from '../contacts/identities.ts'
import { lockMerges, mergeContacts } from '../contacts/merge.ts'
import type { Contact } from '../contacts/schemas.ts'
import type { Channel } from '../platform/config.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { emitConversation, moveConversationsToContact, syncContactVisibility } from './conversation-events.ts'
import { conversationClosed, conversationUpdated } from './events.ts'
import { claimAddresses, findConversationIdsByAddress } from './store/addresses.ts'
import {
  type ConversationRow,
  findConversation,
  listContactIds,
  lockConversations,
  lockConversationsOfContacts,
  updateOpenTeam,
} from './store/conversations.ts'
import {
  listFirstUnread,
  mergeMessages,
  mergeReadCursors,
  mergeStates,
  moveReferences,
  updateExternalId,
} from './store/merge-conversations.ts'
import { closeSessions } from './store/sessions.ts'

/** The customer on the other side of a conversation. */
export interface Counterpart {
  externalId: string
  /** All other addresses that the provider has for the customer. */
  alsoKnownAs?: readonly string[]
  name?: string | null
  /** Set where the contact is known; the transaction has locked it. */
  contactId?: string
}

export interface ChannelCounterpart extends Counterpart {
  channel: Channel
}

const listAddresses = ({ externalId, alsoKnownAs = [] }: Counterpart) => [externalId, ...alsoKnownAs]

/** Links all addresses of a customer to one conversation, and merges the conversations that have one of them into it. */
export async function linkAddresses(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
  into: string,
): Promise<void> {
  const addresses = listAddresses(counterpart)
  const claims = addresses.map(address => ({ address, conversationId: into }))
  await claimAddresses(tx, tenantId, counterpart.channel, claims)
  const known = await findConversationIdsByAddress(tx, tenantId, counterpart.channel, addresses)
  const ids = [...new Set([into, ...known.map(row => row.conversationId)])]
  const rows = await lockForMerge(tx, tenantId, ids, { channel: counterpart.channel, addresses })
  const survivor = rows.find(row => row.id === into)
  // Undefined when it was merged into another while the transaction waited: the caller looks the address up again.
  if (!survivor) return
  for (const other of rows) if (other.id !== into) await mergeConversation(tx, tenantId, other, survivor)
  await preferPhone(tx, tenantId, counterpart, survivor)
  const contactId = await mergeContactsOf(tx, tenantId, counterpart, survivor)
  const row = (await findConversation(tx, tenantId, into))!
  await syncContactVisibility(tx, tenantId, row)
  const changed = row.externalId !== survivor.externalId || contactId !== survivor.contactId
  if (changed || rows.length > 1) await emitConversation(tx, tenantId, conversationUpdated, row)
}

async function mergeConversation(
  tx: Tx,
  tenantId: string,
  other: ConversationRow,
  survivor: ConversationRow,
): Promise<void> {
  const merge = { tenantId, from: other.id, into: survivor.id }
  const adopt = other.status === 'open' && survivor.status === 'closed'
  if (!adopt) await closeSessions(tx, tenantId, other.id)
  const unread = await listFirstUnread(tx, merge)
  await mergeMessages(tx, merge)
  await moveReferences(tx, merge)
  await mergeStates(tx, merge, adopt)
  await mergeReadCursors(tx, merge, unread)
  await updateOpenTeam(tx, tenantId, other.id, null)
  if (adopt) await updateOpenTeam(tx, tenantId, survivor.id, other.teamId)
  await unlinkConversation(tx, tenantId, other.contactId, other.id)
  if (other.status === 'open')
    await emitConversation(tx, tenantId, conversationClosed, { ...other, status: 'closed' })
  if (other.contactId !== survivor.contactId)
    await mergeContactInto(tx, tenantId, other.contactId, survivor.contactId)
}

/** Replaces a provider's user id by the phone number. */
async function preferPhone(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
  row: ConversationRow,
): Promise<void> {
  if (!counterpart.externalId.startsWith('+') || row.externalId.startsWith('+')) return
  const name = row.name === row.externalId ? (counterpart.name ?? counterpart.externalId) : row.name
  await updateExternalId(tx, tenantId, row.id, { externalId: counterpart.externalId, name })
}

/** Merges the contacts that have one of the addresses. The contact with the phone number survives. */
async function mergeContactsOf(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
  row: ConversationRow,
): Promise<string> {
  let { contactId } = row
  for (const externalId of listAddresses(counterpart)) {
    const holder = await attachIdentity(tx, tenantId, contactId, { channel: counterpart.channel, externalId })
    if (holder === contactId) continue
    const hasPhone = externalId.startsWith('+')
    const [from, into] = hasPhone ? [contactId, holder] : [holder, contactId]
    await mergeContactInto(tx, tenantId, from, into)
    contactId = into
  }
  return contactId
}

/** On behalf of the provider, which reports that both are one customer. */
async function mergeContactInto(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  const caller: Caller = { tenantId, id: '', kind: 'service', role: 'owner', scopes: new Set(), teamIds: [] }
  await mergeWithConversations(tx, caller, from, into)
}

/** Merges two contacts and moves the conversations; returns the contact that survives. */
export async function mergeWithConversations(
  tx: Tx,
  caller: Caller,
  id: string,
  intoId: string,
): Promise<Contact> {
  const { tenantId } = caller
  const { contact, conversationIds } = await mergeContacts(tx, caller, id, intoId, from =>
    lockConversationsOfContacts(tx, tenantId, [from]),
  )
  await moveConversationsToContact(tx, tenantId, conversationIds, contact.id)
  return contact
}

/**
 * Locks conversations that may be merged, the contacts of these conversations and of the addresses, and all conversations
 * of these contacts. Returns the conversations that still exist.
 */
async function lockForMerge(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  { channel, addresses }: { channel: Channel; addresses: readonly string[] },
): Promise<ConversationRow[]> {
  await lockMerges(tx, tenantId)
  // Only a merge changes the contact of a conversation, and no other merge runs now.
  const contactIds = new Set(await listContactIds(tx, tenantId, ids))
  for (const externalId of addresses) {
    const holder = await findContactByIdentity(tx, tenantId, { channel, externalId })
    if (holder !== undefined) contactIds.add(holder)
  }
  await lockContacts(tx, tenantId, [...contactIds])
  await lockConversationsOfContacts(tx, tenantId, [...contactIds])
  return lockConversations(tx, tenantId, ids)
}
