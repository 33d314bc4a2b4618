/**
 * One person, several names: a provider may tell a user id first and the phone number later. The conversation then goes
 * by the phone, and two that had begun under different names become one: the messages of both, by time, in the one that
 * has the phone. The id of the other answers for it. Nothing that somebody has not read becomes read by it.
 */
import { unlinkConversation } from '../contacts/activity.ts'
import { attachIdentity } from '../contacts/identities.ts'
import type { Channel } from '../platform/channels.ts'
import type { Tx } from '../platform/db/db.ts'
import { raw } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'
import { conversationClosed, conversationUpdated } from './events.ts'
import { lockForJoining, mergeWithConversations } from './merging.ts'
import { claimAddresses, findByAddress } from './store/addresses.ts'
import { type ConversationRow, findConversation, holdTeam } from './store/conversations.ts'
import {
  listUnread,
  mergeMarks,
  mergeMessages,
  mergeStates,
  moveRest,
  updateExternalId,
} from './store/joining.ts'
import { closeSessions } from './store/sessions.ts'
import { linkContact, tell } from './telling.ts'

/** The person on the other side, by every name the provider has for them. */
export interface Party {
  channel: Channel
  externalId: string
  alsoKnownAs: readonly string[]
  name?: string
}

/** All these names are the person's of this conversation. */
export async function learnNames(tx: Tx, tenantId: string, party: Party, into: string): Promise<void> {
  const names = [party.externalId, ...party.alsoKnownAs]
  const claims = names.map(address => ({ address, conversationId: into }))
  await claimAddresses(tx, tenantId, party.channel, claims)
  const known = await findByAddress(tx, tenantId, party.channel, names)
  const ids = [...new Set([into, ...known.map(one => one.conversationId)])]
  const rows = await lockForJoining(tx, tenantId, ids, { channel: party.channel, names })
  const survivor = rows.find(row => row.id === into)
  // Otherwise it was joined into another while we waited: whoever asked looks again.
  if (!survivor) return
  for (const other of rows) if (other.id !== into) await join(tx, tenantId, other, survivor)
  await goBy(tx, tenantId, party, survivor)
  const contactId = await oneContact(tx, tenantId, party, survivor)
  const row = (await findConversation(tx, tenantId, into, raw('true')))!
  await linkContact(tx, tenantId, row)
  const changed = row.externalId !== survivor.externalId || contactId !== survivor.contactId
  if (changed || rows.length > 1) await tell(tx, tenantId, conversationUpdated, row)
}

async function join(
  tx: Tx,
  tenantId: string,
  other: ConversationRow,
  survivor: ConversationRow,
): Promise<void> {
  const joining = { tenantId, from: other.id, into: survivor.id }
  const adopt = other.status === 'open' && survivor.status === 'closed'
  if (!adopt) await closeSessions(tx, tenantId, other.id)
  const unread = await listUnread(tx, joining)
  await mergeMessages(tx, joining)
  await moveRest(tx, joining)
  await mergeStates(tx, joining, adopt)
  await mergeMarks(tx, joining, unread)
  await holdTeam(tx, tenantId, other.id, null)
  if (adopt) await holdTeam(tx, tenantId, survivor.id, other.teamId)
  await unlinkConversation(tx, tenantId, other.contactId, other.id)
  if (other.status === 'open') await tell(tx, tenantId, conversationClosed, { ...other, status: 'closed' })
  if (other.contactId !== survivor.contactId)
    await mergeInto(tx, tenantId, other.contactId, survivor.contactId)
}

/** A phone number is the better name. */
async function goBy(tx: Tx, tenantId: string, party: Party, row: ConversationRow): Promise<void> {
  if (!party.externalId.startsWith('+') || row.externalId.startsWith('+')) return
  const name = row.name === row.externalId ? (party.name ?? party.externalId) : row.name
  await updateExternalId(tx, tenantId, row.id, { externalId: party.externalId, name })
}

/** Whoever has one of the names is this person too. The one with the phone survives. */
async function oneContact(tx: Tx, tenantId: string, party: Party, row: ConversationRow): Promise<string> {
  let { contactId } = row
  for (const externalId of [party.externalId, ...party.alsoKnownAs]) {
    const holder = await attachIdentity(tx, tenantId, contactId, { channel: party.channel, externalId })
    if (holder === contactId) continue
    const hasPhone = externalId.startsWith('+')
    const [from, into] = hasPhone ? [contactId, holder] : [holder, contactId]
    await mergeInto(tx, tenantId, from, into)
    contactId = into
  }
  return contactId
}

/** In the name of the provider, who says that they are one. */
async function mergeInto(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  const caller: Caller = { tenantId, id: '', kind: 'service', role: 'owner', scopes: new Set(), teamIds: [] }
  await mergeWithConversations(tx, caller, from, into)
}
