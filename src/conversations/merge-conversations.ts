/**
 * One person, several names: a provider may tell a user id first and the phone number later. The conversation then goes
 * by the phone, and two that had begun under different names become one: the messages of both, by time, in the one that
 * has the phone. The id of the other answers for it. Nothing that somebody has not read becomes read by it.
 */
import { unlinkConversation } from '../contacts/activity.ts'
import { attachIdentity } from '../contacts/identities.ts'
import type { Channel } from '../platform/config.ts'
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { emitConversation, syncContactVisibility } from './conversation-events.ts'
import { conversationClosed, conversationUpdated } from './events.ts'
import { lockForJoining, mergeWithConversations } from './merging.ts'
import { claimAddresses, findConversationIdsByAddress } from './store/addresses.ts'
import { type ConversationRow, findConversation, updateOpenTeam } from './store/conversations.ts'
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

/** All these names are the person's of this conversation. */
export async function linkAddresses(
  tx: Tx,
  tenantId: string,
  counterpart: ChannelCounterpart,
  into: string,
): Promise<void> {
  const names = listAddresses(counterpart)
  const claims = names.map(address => ({ address, conversationId: into }))
  await claimAddresses(tx, tenantId, counterpart.channel, claims)
  const known = await findConversationIdsByAddress(tx, tenantId, counterpart.channel, names)
  const ids = [...new Set([into, ...known.map(one => one.conversationId)])]
  const rows = await lockForJoining(tx, tenantId, ids, { channel: counterpart.channel, names })
  const survivor = rows.find(row => row.id === into)
  // Otherwise it was joined into another while we waited: whoever asked looks again.
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
  const joining = { tenantId, from: other.id, into: survivor.id }
  const adopt = other.status === 'open' && survivor.status === 'closed'
  if (!adopt) await closeSessions(tx, tenantId, other.id)
  const unread = await listFirstUnread(tx, joining)
  await mergeMessages(tx, joining)
  await moveReferences(tx, joining)
  await mergeStates(tx, joining, adopt)
  await mergeReadCursors(tx, joining, unread)
  await updateOpenTeam(tx, tenantId, other.id, null)
  if (adopt) await updateOpenTeam(tx, tenantId, survivor.id, other.teamId)
  await unlinkConversation(tx, tenantId, other.contactId, other.id)
  if (other.status === 'open')
    await emitConversation(tx, tenantId, conversationClosed, { ...other, status: 'closed' })
  if (other.contactId !== survivor.contactId)
    await mergeContactInto(tx, tenantId, other.contactId, survivor.contactId)
}

/** A phone number is the better name. */
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

/** Whoever has one of the names is this person too. The one with the phone survives. */
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

/** In the name of the provider, who says that they are one. */
async function mergeContactInto(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  const caller: Caller = { tenantId, id: '', kind: 'service', role: 'owner', scopes: new Set(), teamIds: [] }
  await mergeWithConversations(tx, caller, from, into)
}
