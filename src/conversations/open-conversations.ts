/**
 * Opens conversations, one or many, in a constant number of statements. Concurrent first messages from either side lead
 * to one contact, one conversation and one open session: the primary key of the address decides which transaction
 * creates the conversation, the lock of its state which one opens the session.
 */

import { linkConversations, lockActivity, recordChats } from '../contacts/activity.ts'
import { emitContactsCreated } from '../contacts/emit-events.ts'
import { findOrCreateContacts, type IdentityOwner } from '../contacts/identities.ts'
import type { InboxRow } from '../inboxes/inboxes.ts'
import type { Tx } from '../platform/db/db.ts'
import { TransactionConflict } from '../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { toAudience } from './access.ts'
import { linkToContact, toContactLink } from './conversation-events.ts'
import { conversationStarted } from './events.ts'
import { type Counterpart, linkAddresses } from './merge-conversations.ts'
import { ConversationId, SessionId } from './schemas.ts'
import { claimAddresses, findConversationIdsByAddress, type KnownAddress } from './store/addresses.ts'
import {
  type ConversationRow,
  conversationToApi,
  listConversationsByIds,
  lockConversations,
} from './store/conversations.ts'
import { insertConversations, startSessions } from './store/open-conversations.ts'
import { listAssignedBots } from './store/sessions.ts'

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
  const owner = await getInitialOwner(tx, tenantId, inbox)
  for (let attempt = 0; attempt < maxAttempts && missing().length > 0; attempt++)
    for (const [address, row] of await openBatch(tx, tenantId, missing(), { inbox, owner }))
      opened.set(address, row)
  if (missing().length > 0) throw new Error('an address was linked to another conversation in every attempt')
  return opened
}

interface SessionTarget {
  inbox: InboxRow
  owner: InitialOwner
}

/** Leaves out conversations that are merged into another meanwhile; the caller looks these addresses up again. */
async function openBatch(
  tx: Tx,
  tenantId: string,
  counterparts: readonly Counterpart[],
  target: SessionTarget,
): Promise<[string, ConversationRow][]> {
  const { inbox } = target
  const known = await findKnown(tx, tenantId, inbox, counterparts)
  const unknown = new Map(
    counterparts.flatMap(counterpart => {
      const { externalId } = counterpart
      return known.has(externalId) ? [] : [[externalId, counterpart]]
    }),
  )
  const created = await createMissing(tx, tenantId, [...unknown.values()], target)
  if (unknown.size > 0)
    for (const row of await findAddresses(tx, tenantId, inbox, [...unknown.keys()]))
      known.set(row.address, row)
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
  await ensureSessions(tx, tenantId, byId, { target, created: created.ids, moved, newContacts })
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

export type InitialOwner = { type: 'team' | 'bot'; id: string } | null

/** The first bot of the inbox's team, else the first one for all teams, else the team, else null. */
export async function getInitialOwner(tx: Tx, tenantId: string, inbox: InboxRow): Promise<InitialOwner> {
  const [botId] = await listAssignedBots(tx, tenantId, inbox.teamId)
  if (botId) return { type: 'bot', id: botId }
  return inbox.teamId ? { type: 'team', id: inbox.teamId } : null
}

/** Returns the ids of the conversations it created, and their contacts; concurrent transactions created the others. */
async function createMissing(
  tx: Tx,
  tenantId: string,
  counterparts: readonly Counterpart[],
  { inbox, owner }: SessionTarget,
): Promise<{ ids: Set<string>; contacts: IdentityOwner[] }> {
  if (counterparts.length === 0) return { ids: new Set(), contacts: [] }
  const { channel } = inbox
  const claims = counterparts.map(({ externalId }) => ({
    address: externalId,
    conversationId: ConversationId.create(),
  }))
  const claimed = await claimAddresses(tx, tenantId, channel, claims)
  const created = counterparts.flatMap((counterpart, i) =>
    claimed.has(counterpart.externalId) ? [{ counterpart, id: claims[i]!.conversationId }] : [],
  )
  if (created.length === 0) return { ids: new Set(), contacts: [] }
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
    // `ensureSessions` fills it in.
    sessionId: '',
    inboxId: inbox.id,
    teamId: inbox.teamId,
    ownerType: owner?.type ?? null,
    ownerId: owner?.id ?? null,
    at: tx.now,
  }))
  await insertConversations(tx, tenantId, rows)
  return { ids: new Set(created.map(({ id }) => id)), contacts }
}

interface SessionStart {
  target: SessionTarget
  created: ReadonlySet<string>
  /** Conversations that have another contact than their session. */
  moved: readonly string[]
  newContacts: readonly IdentityOwner[]
}

/**
 * Starts a session for each conversation that is new, closed, on another inbox or has another contact; in the last case
 * it keeps its team and owner. Emits `contact.created`, once the contacts are linked, and `conversation.started`.
 */
async function ensureSessions(
  tx: Tx,
  tenantId: string,
  rows: Map<string, ConversationRow>,
  { target, created, moved, newContacts }: SessionStart,
): Promise<void> {
  const isCurrent = (row: ConversationRow) =>
    row.status === 'open' && row.inboxId === target.inbox.id && !created.has(row.id)
  const started = [...rows.values()]
    .filter(row => !isCurrent(row) || moved.includes(row.id))
    .map(row => startSession(isCurrent(row) ? row : assignInitially(row, target)))
  for (const row of started) rows.set(row.id, row)
  if (started.length === 0 && newContacts.length === 0) return
  const chats = started.map(row => ({ contactId: row.contactId, sessionId: row.sessionId, at: tx.now }))
  // Pipelined: the statements run in order, without a round trip between them.
  const linking = [
    startSessions(tx, tenantId, started),
    recordChats(tx, tenantId, chats),
    linkConversations(tx, tenantId, started.map(toContactLink)),
  ]
  if (newContacts.length > 0) {
    await Promise.all(linking)
    const contactIds = newContacts.map(contact => contact.contactId)
    await emitContactsCreated(tx, tenantId, contactIds)
  }
  const events = started.map(row => buildStarted(tenantId, row))
  await Promise.all([...linking, emitMany(tx, events)])
}

const startSession = (row: ConversationRow): ConversationRow => ({
  ...row,
  status: 'open',
  sessionId: SessionId.create(),
})

function assignInitially(row: ConversationRow, { inbox, owner }: SessionTarget): ConversationRow {
  return {
    ...row,
    inboxId: inbox.id,
    teamId: inbox.teamId,
    ownerType: owner?.type ?? null,
    ownerId: owner?.id ?? null,
    activeOwner: owner,
  }
}

function buildStarted(tenantId: string, row: ConversationRow) {
  const audience = toAudience(row)
  return pendingEvent(conversationStarted, {
    tenantId,
    data: { conversation: conversationToApi(row) },
    ...(audience ? { audience } : {}),
  })
}
