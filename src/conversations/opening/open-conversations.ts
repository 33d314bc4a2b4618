/**
 * Opens conversations, one or many, in a constant number of statements. Concurrent first messages from either side lead
 * to one contact, one conversation and one open session: the primary key of the address decides which transaction
 * creates the conversation, the lock of its state which one opens the session.
 */

import { lockActivity } from '../../contacts/activity.ts'
import { findOrCreateContacts, type IdentityOwner } from '../../contacts/identities/identities.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import type { Tx } from '../../platform/db/db.ts'
import { TransactionConflict } from '../../platform/db/transact.ts'
import { linkToContact } from '../conversation-events.ts'
import { type Counterpart, linkAddresses } from '../merging/merge-conversations.ts'
import { ConversationId, SessionId } from '../schemas.ts'
import {
  claimAddresses,
  findConversationIdsByAddress,
  type KnownAddress,
} from '../store/conversations/addresses.ts'
import type { ConversationRow } from '../store/conversations/conversation-rows.ts'
import { listConversationsByIds, lockConversations } from '../store/conversations/conversations.ts'
import { insertConversations } from '../store/conversations/open-conversations.ts'
import { ensureSessions, getInitialOwner, type SessionTarget } from './start-sessions.ts'

const maxAttempts = 5

/** Returns the conversation with the customer, locked, with an open session on the inbox; creates what is missing. */
export async function openConversation(
  tx: Tx,
  tenantId: string,
  counterpart: Counterpart,
  inbox: InboxRow,
): Promise<ConversationRow> {
  return (await openConversations(tx, tenantId, [counterpart], inbox)).get(counterpart.externalId)!
}

/** Does the same for many customers; returns the conversations by address. */
export async function openConversations(
  tx: Tx,
  tenantId: string,
  counterparts: readonly Counterpart[],
  inbox: InboxRow,
): Promise<Map<string, ConversationRow>> {
  const opened = new Map<string, ConversationRow>()
  const missing = () => counterparts.filter(({ externalId }) => !opened.has(externalId))
  if (counterparts.length === 0) return opened
  // Sent together: each round trip of a customer's message delays its frame.
  const [owner, firstKnown] = await Promise.all([
    getInitialOwner(tx, tenantId, inbox),
    findKnown(tx, tenantId, inbox, counterparts),
  ])
  for (let attempt = 0; attempt < maxAttempts && missing().length > 0; attempt++) {
    const known = attempt === 0 ? firstKnown : await findKnown(tx, tenantId, inbox, missing())
    for (const [address, row] of await openBatch(tx, tenantId, missing(), known, { inbox, owner }))
      opened.set(address, row)
  }
  if (missing().length > 0) throw new Error('an address was linked to another conversation in every attempt')
  return opened
}

/** Leaves out conversations that are merged into another meanwhile; the caller looks these addresses up again. */
async function openBatch(
  tx: Tx,
  tenantId: string,
  counterparts: readonly Counterpart[],
  known: Map<string, KnownAddress>,
  target: SessionTarget,
): Promise<[string, ConversationRow][]> {
  const { inbox } = target
  const unknown = new Map(
    counterparts.flatMap(counterpart => {
      const { externalId } = counterpart
      return known.has(externalId) ? [] : [[externalId, counterpart]]
    }),
  )
  const created = await createMissing(tx, tenantId, [...unknown.values()], target)
  for (const [address, conversationId] of created.byAddress)
    known.set(address, { address, conversationId, hasOwner: true })
  const lost = [...unknown.keys()].filter(address => !created.byAddress.has(address))
  if (lost.length > 0)
    for (const row of await findAddresses(tx, tenantId, inbox, lost)) known.set(row.address, row)
  const released = counterparts.flatMap(({ externalId, name }) => {
    const found = known.get(externalId)
    return found && !found.hasOwner ? [{ id: found.conversationId, name }] : []
  })
  const owners = await resolveOwners(tx, tenantId, inbox, released)
  const ids = new Set([...known.values()].map(row => row.conversationId))
  const rows = await lockConversations(tx, tenantId, [...ids])
  const linked = await linkToOwners(tx, tenantId, rows, owners)
  // The owner must be locked before the state.
  if (linked.some(row => row.addressOwnerId === null))
    throw new TransactionConflict('the contact of a conversation released its address')
  const byId = new Map(linked.map(row => [row.id, row]))
  const moved = rows.filter(row => row.contactId !== byId.get(row.id)?.contactId).map(row => row.id)
  const newContacts = [...owners.values(), ...created.contacts].filter(contact => contact.created)
  await ensureSessions(tx, tenantId, byId, {
    target,
    created: new Set(created.byAddress.values()),
    moved,
    newContacts,
  })
  return counterparts.flatMap(({ externalId }) => {
    const row = byId.get(known.get(externalId)?.conversationId ?? '')
    return row ? [[externalId, row]] : []
  })
}

const listAddresses = (counterparts: readonly Counterpart[]) =>
  counterparts.flatMap(({ externalId, alsoKnownAs = [] }) => [externalId, ...alsoKnownAs])

const findAddresses = (tx: Tx, tenantId: string, { channel }: InboxRow, addresses: readonly string[]) =>
  findConversationIdsByAddress(tx, tenantId, channel, addresses)

/** Returns the existing conversations by address; links further addresses of their customers. */
async function findKnown(
  tx: Tx,
  tenantId: string,
  inbox: InboxRow,
  counterparts: readonly Counterpart[],
): Promise<Map<string, KnownAddress>> {
  const rows = await findAddresses(tx, tenantId, inbox, listAddresses(counterparts))
  const known = new Map(rows.map(row => [row.address, row]))
  for (const counterpart of counterparts) {
    const { externalId, alsoKnownAs = [] } = counterpart
    const found = [externalId, ...alsoKnownAs].map(address => known.get(address))
    // The phone number comes first, so its conversation is preferred.
    const first = found.find(row => row !== undefined)
    if (first === undefined) continue
    known.set(externalId, first)
    if (found.every(row => row?.conversationId === first.conversationId)) continue
    await linkAddresses(tx, tenantId, { ...counterpart, channel: inbox.channel }, first.conversationId)
    for (const row of await findAddresses(tx, tenantId, inbox, [externalId])) known.set(externalId, row)
  }
  return known
}

/**
 * Finds or creates the contacts that own the addresses of conversations whose contact released the address. Returns them
 * by conversation, locked against deletion: contacts are locked before states (docs/decisions/0005-lock-order.md).
 */
async function resolveOwners(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  released: readonly { id: string; name?: string | null | undefined }[],
): Promise<Map<string, IdentityOwner>> {
  if (released.length === 0) return new Map()
  const rows = await listConversationsByIds(
    tx,
    released.map(({ id }) => ({ tenantId, id })),
  )
  const names = new Map(released.map(({ id, name }) => [id, name ?? null]))
  const people = rows.map(({ id, externalId }) => ({ externalId, name: names.get(id)! }))
  const owners = await findOrCreateContacts(tx, tenantId, channel, people)
  return new Map(rows.map(({ id }, i) => [id, owners[i]!]))
}

/** Links locked conversations to the owners of their addresses; returns the conversations as they are then. */
async function linkToOwners(
  tx: Tx,
  tenantId: string,
  rows: readonly ConversationRow[],
  owners: ReadonlyMap<string, IdentityOwner>,
): Promise<readonly ConversationRow[]> {
  const released = rows.filter(row => row.addressOwnerId === null && owners.has(row.id))
  if (released.length === 0) return rows
  const contactIds = released.flatMap(row => [row.contactId, owners.get(row.id)!.contactId])
  await lockActivity(tx, tenantId, contactIds)
  for (const row of released) await linkToContact(tx, tenantId, row, owners.get(row.id)!.contactId)
  const ids = rows.map(row => row.id)
  return lockConversations(tx, tenantId, ids)
}

/** Returns the conversations it created by address, and their contacts; concurrent transactions created the others. */
async function createMissing(
  tx: Tx,
  tenantId: string,
  counterparts: readonly Counterpart[],
  { inbox, owner }: SessionTarget,
): Promise<{ byAddress: Map<string, string>; contacts: IdentityOwner[] }> {
  if (counterparts.length === 0) return { byAddress: new Map(), contacts: [] }
  const { channel } = inbox
  const claims = counterparts.map(({ externalId }) => ({
    address: externalId,
    conversationId: ConversationId.create(),
  }))
  const claimed = await claimAddresses(tx, tenantId, channel, claims)
  const created = counterparts.flatMap((counterpart, i) =>
    claimed.has(counterpart.externalId) ? [{ counterpart, id: claims[i]!.conversationId }] : [],
  )
  if (created.length === 0) return { byAddress: new Map(), contacts: [] }
  const further = created.flatMap(({ counterpart, id }) =>
    (counterpart.alsoKnownAs ?? []).map(address => ({ address, conversationId: id })),
  )
  if (further.length > 0) await claimAddresses(tx, tenantId, channel, further)
  const people = created.map(({ counterpart }) => counterpart)
  const contacts = await findOrCreateContacts(tx, tenantId, channel, people)
  const rows = created.map(({ counterpart: { externalId }, id }, i) => ({
    id,
    channel,
    externalId,
    contactId: contacts[i]!.contactId,
    sessionId: SessionId.create(),
    inboxId: inbox.id,
    teamId: inbox.teamId,
    ownerType: owner?.type ?? null,
    ownerId: owner?.id ?? null,
    at: tx.now,
  }))
  await insertConversations(tx, tenantId, rows)
  return { byAddress: new Map(created.map(({ counterpart, id }) => [counterpart.externalId, id])), contacts }
}
