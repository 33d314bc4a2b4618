/**
 * Opens conversations, one or many, in a constant number of statements. Concurrent first messages from either side lead
 * to one contact, one conversation and one open session: the primary key of the address decides which transaction
 * creates the conversation, the lock of its state which one opens the session.
 */

import { linkConversations, recordChats } from '../contacts/activity.ts'
import { attachIdentity, attachPhones, findOrCreateContacts } from '../contacts/identities.ts'
import type { InboxRow } from '../inboxes/inboxes.ts'
import type { Tx } from '../platform/db/db.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { toAudience } from './access.ts'
import { toContactLink } from './conversation-events.ts'
import { conversationStarted } from './events.ts'
import { type Counterpart, linkAddresses } from './merge-conversations.ts'
import { ConversationId, SessionId } from './schemas.ts'
import { claimAddresses, findConversationIdsByAddress } from './store/addresses.ts'
import { type ConversationRow, conversationToApi, lockConversations } from './store/conversations.ts'
import { insertConversations, type NewSession, startSessions } from './store/open-conversations.ts'
import { findAssignedBot } from './store/sessions.ts'

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
    for (const [address, id] of await findConversationIds(tx, tenantId, inbox, [...unknown.keys()]))
      known.set(address, id)
  const rows = await lockConversations(tx, tenantId, [...new Set(known.values())])
  const byId = new Map(rows.map(row => [row.id, row]))
  await ensureSessions(tx, tenantId, byId, created, target)
  return counterparts.flatMap(({ externalId }) => {
    const row = byId.get(known.get(externalId) ?? '')
    return row ? [[externalId, row]] : []
  })
}

const listAddresses = (counterparts: readonly Counterpart[]) =>
  counterparts.flatMap(({ externalId, alsoKnownAs = [] }) => [externalId, ...alsoKnownAs])

async function findConversationIds(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const rows = await findConversationIdsByAddress(tx, tenantId, channel, addresses)
  return new Map(rows.map(row => [row.address, row.conversationId]))
}

/** Returns ids of existing conversations by address; links further addresses of their customers. */
async function findKnown(
  tx: Tx,
  tenantId: string,
  inbox: InboxRow,
  counterparts: readonly Counterpart[],
): Promise<Map<string, string>> {
  const known = await findConversationIds(tx, tenantId, inbox, listAddresses(counterparts))
  for (const counterpart of counterparts) {
    const { externalId, alsoKnownAs = [] } = counterpart
    const ids = [externalId, ...alsoKnownAs].map(address => known.get(address))
    // The phone number comes first, so its conversation is preferred.
    const id = ids.find(found => found !== undefined)
    if (id === undefined) continue
    if (ids.some(found => found !== id))
      await linkAddresses(tx, tenantId, { ...counterpart, channel: inbox.channel }, id)
    known.set(externalId, id)
  }
  return known
}

export type InitialOwner = { type: 'team' | 'bot'; id: string } | null

/** The bot of the inbox's team, else the bot for all teams, else the team, else null. */
export async function getInitialOwner(tx: Tx, tenantId: string, inbox: InboxRow): Promise<InitialOwner> {
  const botId = await findAssignedBot(tx, tenantId, inbox.teamId)
  if (botId) return { type: 'bot', id: botId }
  return inbox.teamId ? { type: 'team', id: inbox.teamId } : null
}

/** Returns the ids of the conversations it created; concurrent transactions created the others. */
async function createMissing(
  tx: Tx,
  tenantId: string,
  counterparts: readonly Counterpart[],
  { inbox, owner }: SessionTarget,
): Promise<Set<string>> {
  if (counterparts.length === 0) return new Set()
  const { channel } = inbox
  const claims = counterparts.map(({ externalId }) => ({
    address: externalId,
    conversationId: ConversationId.create(),
  }))
  const claimed = await claimAddresses(tx, tenantId, channel, claims)
  const created = counterparts.flatMap((counterpart, i) =>
    claimed.has(counterpart.externalId) ? [{ counterpart, id: claims[i]!.conversationId }] : [],
  )
  const further = created.flatMap(({ counterpart, id }) =>
    (counterpart.alsoKnownAs ?? []).map(address => ({ address, conversationId: id })),
  )
  if (further.length > 0) await claimAddresses(tx, tenantId, channel, further)
  const contactIds = await findOrCreateContactIds(
    tx,
    tenantId,
    inbox,
    created.map(({ counterpart }) => counterpart),
  )
  const rows = created.map(({ counterpart, id }, i) =>
    buildConversation(tx, { ...counterpart, contactId: contactIds[i]! }, id, inbox, owner),
  )
  if (rows.length > 0) await insertConversations(tx, tenantId, rows)
  return new Set(created.map(({ id }) => id))
}

async function findOrCreateContactIds(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  counterparts: readonly Counterpart[],
): Promise<string[]> {
  const unknown = counterparts.filter(({ contactId }) => contactId === undefined)
  const found = new Map(
    (await findOrCreateContacts(tx, tenantId, channel, unknown)).map(({ contactId }, i) => [
      unknown[i]!.externalId,
      contactId,
    ]),
  )
  const phones = counterparts.flatMap(({ contactId, externalId }) =>
    contactId !== undefined && externalId.startsWith('+') ? [{ contactId, phone: externalId }] : [],
  )
  if (channel !== 'chatapp' && phones.length > 0) await attachPhones(tx, tenantId, channel, phones)
  const contactIds = counterparts.map(({ contactId, externalId }) => contactId ?? found.get(externalId)!)
  for (const [i, { alsoKnownAs = [] }] of counterparts.entries())
    for (const externalId of alsoKnownAs)
      await attachIdentity(tx, tenantId, contactIds[i]!, { channel, externalId })
  return contactIds
}

function buildConversation(
  tx: Tx,
  { externalId, contactId, name: given }: Counterpart & { contactId: string },
  id: string,
  inbox: InboxRow,
  owner: InitialOwner,
) {
  const name = given?.trim().slice(0, 200) || externalId
  return {
    id,
    channel: inbox.channel,
    externalId,
    contactId,
    name,
    search: `${name}\n${externalId}`.toLowerCase(),
    // `ensureSessions` fills it in.
    sessionId: '',
    inboxId: inbox.id,
    teamId: inbox.teamId,
    ownerType: owner?.type ?? null,
    ownerId: owner?.id ?? null,
    at: tx.now,
  }
}

/** Starts a session for each conversation that is new, closed or on another inbox, and emits `conversation.started`. */
async function ensureSessions(
  tx: Tx,
  tenantId: string,
  rows: Map<string, ConversationRow>,
  created: ReadonlySet<string>,
  { inbox, owner }: SessionTarget,
): Promise<void> {
  const isCurrent = (row: ConversationRow) => row.status === 'open' && row.inboxId === inbox.id
  const rowsToStart = [...rows.values()].filter(row => created.has(row.id) || !isCurrent(row))
  if (rowsToStart.length === 0) return
  const sessions: NewSession[] = rowsToStart.map(row => ({
    conversationId: row.id,
    sessionId: SessionId.create(),
  }))
  const attributes = { inboxId: inbox.id, teamId: inbox.teamId, owner }
  const started = rowsToStart.map(
    (row, i): ConversationRow => ({
      ...row,
      status: 'open',
      inboxId: inbox.id,
      sessionId: sessions[i]!.sessionId,
      teamId: inbox.teamId,
      ownerType: owner?.type ?? null,
      ownerId: owner?.id ?? null,
      activeOwner: owner,
    }),
  )
  for (const row of started) rows.set(row.id, row)
  const chats = started.map(row => ({ contactId: row.contactId, sessionId: row.sessionId, at: tx.now }))
  // Pipelined: the statements run in order, without a round trip between them.
  await Promise.all([
    startSessions(tx, tenantId, sessions, attributes),
    recordChats(tx, tenantId, chats),
    linkConversations(tx, tenantId, started.map(toContactLink)),
    emitMany(
      tx,
      started.map(row => buildStarted(tenantId, row)),
    ),
  ])
}

function buildStarted(tenantId: string, row: ConversationRow) {
  const audience = toAudience(row)
  return pendingEvent(conversationStarted, {
    tenantId,
    data: { conversation: conversationToApi(row) },
    ...(audience ? { audience } : {}),
  })
}
