/**
 * Merges conversations of one customer. A provider may report a user id first and the phone number later: the
 * conversation then goes by the phone number, and two conversations that started under different addresses become one,
 * with the messages of both in order of time. The id of the merged conversation stays valid, and nothing unread becomes
 * read.
 *
 * Lock order, for every transaction: addresses, the merge lock, contacts, conversation states, activity, read state;
 * rows of one kind by id. A transaction reads the contact of a conversation after it locks the state, and changes it only
 * while it holds that lock: so chats, links and messages are always stored for the current contact
 * (docs/decisions/0005-lock-order.md).
 */
import { unlinkConversation } from '../../contacts/activity.ts'
import { lockContacts } from '../../contacts/contacts.ts'
import { findContactByIdentity } from '../../contacts/identities/identities.ts'
import { attachPhones } from '../../contacts/identities/move-address.ts'
import { lockMerges, mergeContacts } from '../../contacts/merging/merge.ts'
import type { Contact } from '../../contacts/schemas.ts'
import type { Channel } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  emitConversation,
  emitConversationUpdated,
  moveConversationsToContact,
  syncContactVisibility,
  toClosed,
} from '../conversation-events.ts'
import { conversationClosed } from '../events.ts'
import { claimAddresses, findConversationIdsByAddress } from '../store/conversations/addresses.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import {
  findConversation,
  listConversationsByIds,
  lockConversations,
  lockConversationsOfContacts,
  updateOpenTeam,
} from '../store/conversations/conversations.ts'
import {
  listFirstUnread,
  mergeEntries,
  mergeMessages,
  mergeReadCursors,
  mergeStates,
  moveReferences,
  updateExternalId,
} from '../store/conversations/merge-conversations.ts'
import { closeSessions } from '../store/conversations/sessions.ts'
import { moveContactPicture } from '../store/media/pictures.ts'

/** The customer on the other side of a conversation. */
export interface Counterpart {
  externalId: string
  /** All other addresses that the provider has for the customer. */
  alsoKnownAs?: readonly string[]
  name?: string | null
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
  const { rows, holders } = await lockForMerge(tx, tenantId, ids, counterpart)
  const survivor = rows.find(row => row.id === into)
  // Undefined when it was merged into another while the transaction waited: the caller looks the address up again.
  if (!survivor) return
  for (const other of rows) if (other.id !== into) await mergeConversation(tx, tenantId, other, survivor)
  await preferKnown(tx, tenantId, counterpart, survivor)
  // Before the contacts change: their events show the links.
  await syncContactVisibility(tx, tenantId, (await findConversation(tx, tenantId, into))!)
  await mergeHolders(tx, tenantId, counterpart, holders)
  const row = (await findConversation(tx, tenantId, into))!
  const changed = row.externalId !== survivor.externalId || row.contactId !== survivor.contactId
  if (changed || rows.length > 1) await emitConversationUpdated(tx, tenantId, survivor, row)
}

/** Does the same where one of the addresses has a conversation; that of the first address is kept. */
export async function linkKnownAddresses(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
): Promise<void> {
  const { channel, externalId } = counterpart
  const known = await findConversationIdsByAddress(tx, tenantId, channel, listAddresses(counterpart))
  const into = known.find(({ address }) => address === externalId) ?? known[0]
  if (into) await linkAddresses(tx, tenantId, counterpart, into.conversationId)
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
  await mergeEntries(tx, merge)
  await mergeMessages(tx, merge)
  await moveReferences(tx, merge)
  await mergeStates(tx, merge, adopt)
  await mergeReadCursors(tx, merge, unread)
  await updateOpenTeam(tx, tenantId, other.id, null)
  if (adopt) await updateOpenTeam(tx, tenantId, survivor.id, other.teamId)
  await unlinkConversation(tx, tenantId, other.contactId, other.id)
  if (other.status === 'open')
    await emitConversation(tx, tenantId, conversationClosed, { ...other, ...toClosed(other, tx.now) })
}

/** Replaces a provider's user id by the phone number, and the id of an anonymous visitor by the one that its site signed. */
async function preferKnown(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
  row: ConversationRow,
): Promise<void> {
  if (!isKnown(counterpart.externalId) || isKnown(row.externalId)) return
  await updateExternalId(tx, tenantId, row.id, counterpart.externalId)
}

/** Merges the contacts that have one of the addresses. The contact with the phone number survives and gets all of them. */
async function mergeHolders(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
  [survivor, ...others]: readonly string[],
): Promise<void> {
  // Otherwise no contact has one of the addresses: the caller resolves the address of the conversation.
  if (survivor === undefined) return
  for (const other of others) await mergeContactInto(tx, tenantId, other, survivor)
  const addresses = listAddresses(counterpart)
  const phones = addresses.filter(isPhone)
  const userIds = addresses.filter(address => !isPhone(address))
  if (phones.length > 0) await attachPhones(tx, tenantId, survivor, { ...counterpart, phones, userIds })
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
  const { contact, mergedId, conversationIds } = await mergeContacts(tx, caller, id, intoId, from =>
    lockConversationsOfContacts(tx, tenantId, [from]),
  )
  if (mergedId !== undefined) {
    await moveConversationsToContact(tx, tenantId, conversationIds, { from: mergedId, into: contact.id })
    await moveContactPicture(tx, tenantId, mergedId, contact)
  }
  return contact
}

/**
 * Locks conversations that may be merged, the contacts of these conversations and of the addresses, and all conversations
 * of these contacts. Returns the conversations that still exist, and the contacts that have one of their addresses, those
 * with a phone number first.
 */
async function lockForMerge(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  counterpart: ChannelCounterpart,
): Promise<{ rows: ConversationRow[]; holders: string[] }> {
  await lockMerges(tx, tenantId)
  const found = await listConversationsByIds(
    tx,
    ids.map(id => ({ tenantId, id })),
  )
  const addresses = [...listAddresses(counterpart), ...found.map(row => row.externalId)]
  addresses.sort((a, b) => Number(isPhone(b)) - Number(isPhone(a)))
  const locked = new Set<string>()
  for (;;) {
    const holders = await findHolders(tx, tenantId, counterpart.channel, addresses)
    const contactIds = [...found.map(row => row.contactId), ...holders]
    if (locked.size > 0 && contactIds.every(id => locked.has(id))) {
      await lockConversationsOfContacts(tx, tenantId, [...locked])
      return { rows: await lockConversations(tx, tenantId, ids), holders }
    }
    // A contact that is locked keeps its addresses; another may have got one before that.
    for (const id of contactIds) locked.add(id)
    await lockContacts(tx, tenantId, contactIds)
  }
}

async function findHolders(
  tx: Tx,
  tenantId: string,
  channel: Channel,
  addresses: readonly string[],
): Promise<string[]> {
  const holders = new Set<string>()
  for (const externalId of addresses) {
    const holder = await findContactByIdentity(tx, tenantId, { channel, externalId })
    if (holder !== undefined) holders.add(holder)
  }
  return [...holders]
}

const isPhone = (address: string) => address.startsWith('+')
const isKnown = (address: string) => isPhone(address) || address.startsWith('user:')
