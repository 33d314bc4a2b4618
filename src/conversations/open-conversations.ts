/**
 * Opening conversations, with one person or with many at once, in a handful of statements whatever their number. Who
 * writes first to whom, from either side and however often at once, there is one contact, one conversation and one open
 * session: the key of the address decides who makes it, the lock of its state who opens the session.
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
import { insertConversations, type NewSession, startSessions } from './store/opening.ts'
import { findAssignedBot } from './store/sessions.ts'

const maxAttempts = 5

/** The conversation with this person, made when there is none, locked, with a session open on the inbox. */
export async function openConversation(
  tx: Tx,
  tenantId: string,
  person: Counterpart,
  inbox: InboxRow,
): Promise<ConversationRow> {
  return (await openConversations(tx, tenantId, [person], inbox)).get(person.externalId)!
}

/** The same for many, by address. */
export async function openConversations(
  tx: Tx,
  tenantId: string,
  people: readonly Counterpart[],
  inbox: InboxRow,
): Promise<Map<string, ConversationRow>> {
  const opened = new Map<string, ConversationRow>()
  const missing = () => people.filter(person => !opened.has(person.externalId))
  if (people.length === 0) return opened
  const route = await getInitialOwner(tx, tenantId, inbox)
  for (let attempt = 0; attempt < maxAttempts && missing().length > 0; attempt++)
    for (const [address, row] of await openBatch(tx, tenantId, missing(), { inbox, owner: route }))
      opened.set(address, row)
  if (missing().length > 0) throw new Error('an address kept changing hands')
  return opened
}

interface SessionTarget {
  inbox: InboxRow
  owner: InitialOwner
}

/** One that is joined into another while we wait for it is not among them, and must be looked up again. */
async function openBatch(
  tx: Tx,
  tenantId: string,
  people: readonly Counterpart[],
  place: SessionTarget,
): Promise<[string, ConversationRow][]> {
  const { inbox } = place
  const known = await findKnown(tx, tenantId, inbox, people)
  const unknown = new Map(people.flatMap(one => (known.has(one.externalId) ? [] : [[one.externalId, one]])))
  const made = await createMissing(tx, tenantId, [...unknown.values()], place)
  if (unknown.size > 0)
    for (const [name, id] of await findConversationIds(tx, tenantId, inbox, [...unknown.keys()]))
      known.set(name, id)
  const rows = await lockConversations(tx, tenantId, [...new Set(known.values())])
  const byId = new Map(rows.map(row => [row.id, row]))
  await ensureSessions(tx, tenantId, byId, made, place)
  return people.flatMap(({ externalId }) => {
    const row = byId.get(known.get(externalId) ?? '')
    return row ? [[externalId, row]] : []
  })
}

const listAddresses = (people: readonly Counterpart[]) =>
  people.flatMap(({ externalId, alsoKnownAs = [] }) => [externalId, ...alsoKnownAs])

async function findConversationIds(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  names: readonly string[],
): Promise<Map<string, string>> {
  const known = await findConversationIdsByAddress(tx, tenantId, channel, names)
  return new Map(known.map(one => [one.address, one.conversationId]))
}

/** Conversations by the address we know people by; what is new of their names is learned. */
async function findKnown(
  tx: Tx,
  tenantId: string,
  inbox: InboxRow,
  people: readonly Counterpart[],
): Promise<Map<string, string>> {
  const known = await findConversationIds(tx, tenantId, inbox, listAddresses(people))
  for (const person of people) {
    const { externalId, alsoKnownAs = [] } = person
    const ids = [externalId, ...alsoKnownAs].map(one => known.get(one))
    // The phone is the better name where both are known.
    const id = ids.find(one => one !== undefined)
    if (id === undefined) continue
    if (ids.some(one => one !== id))
      await linkAddresses(tx, tenantId, { ...person, channel: inbox.channel }, id)
    known.set(externalId, id)
  }
  return known
}

export type InitialOwner = { type: 'team' | 'bot'; id: string } | null

/** The active bot of the inbox's team, else the one for everybody, else the team, else nobody. */
export async function getInitialOwner(tx: Tx, tenantId: string, inbox: InboxRow): Promise<InitialOwner> {
  const botId = await findAssignedBot(tx, tenantId, inbox.teamId)
  if (botId) return { type: 'bot', id: botId }
  return inbox.teamId ? { type: 'team', id: inbox.teamId } : null
}

/** The ids of those that were made; for the rest somebody else was faster. */
async function createMissing(
  tx: Tx,
  tenantId: string,
  people: readonly Counterpart[],
  { inbox, owner: route }: SessionTarget,
): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  const { channel } = inbox
  const claims = people.map(person => ({
    address: person.externalId,
    conversationId: ConversationId.create(),
  }))
  const claimed = await claimAddresses(tx, tenantId, channel, claims)
  const mine = people.flatMap((person, i) =>
    claimed.has(person.externalId) ? [{ person, id: claims[i]!.conversationId }] : [],
  )
  const further = mine.flatMap(({ person, id }) =>
    (person.alsoKnownAs ?? []).map(address => ({ address, conversationId: id })),
  )
  if (further.length > 0) await claimAddresses(tx, tenantId, channel, further)
  const contacts = await findOrCreateContactIds(
    tx,
    tenantId,
    inbox,
    mine.map(one => one.person),
  )
  const rows = mine.map(({ person, id }, i) =>
    buildConversation(tx, { ...person, contactId: contacts[i]! }, id, inbox, route),
  )
  if (rows.length > 0) await insertConversations(tx, tenantId, rows)
  return new Set(mine.map(({ id }) => id))
}

/** Who they are, made where nobody has the address. */
async function findOrCreateContactIds(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  people: readonly Counterpart[],
): Promise<string[]> {
  const strangers = people.filter(person => person.contactId === undefined)
  const found = new Map(
    (await findOrCreateContacts(tx, tenantId, channel, strangers)).map(({ contactId }, i) => [
      strangers[i]!.externalId,
      contactId,
    ]),
  )
  const phones = people.flatMap(({ contactId, externalId }) =>
    contactId !== undefined && externalId.startsWith('+') ? [{ contactId, phone: externalId }] : [],
  )
  if (channel !== 'chatapp' && phones.length > 0) await attachPhones(tx, tenantId, channel, phones)
  const contacts = people.map(({ contactId, externalId }) => contactId ?? found.get(externalId)!)
  for (const [i, { alsoKnownAs = [] }] of people.entries())
    for (const externalId of alsoKnownAs)
      await attachIdentity(tx, tenantId, contacts[i]!, { channel, externalId })
  return contacts
}

function buildConversation(
  tx: Tx,
  person: Counterpart & { contactId: string },
  id: string,
  inbox: InboxRow,
  owner: InitialOwner,
) {
  const name = person.name?.trim().slice(0, 200) || person.externalId
  return {
    id,
    channel: inbox.channel,
    externalId: person.externalId,
    contactId: person.contactId,
    name,
    search: `${name}\n${person.externalId}`.toLowerCase(),
    // The session follows at once.
    sessionId: '',
    inboxId: inbox.id,
    teamId: inbox.teamId,
    ownerType: owner?.type ?? null,
    ownerId: owner?.id ?? null,
    at: tx.now,
  }
}

/** New, closed, or on another inbox: these get a session, which is told. */
async function ensureSessions(
  tx: Tx,
  tenantId: string,
  rows: Map<string, ConversationRow>,
  made: ReadonlySet<string>,
  { inbox, owner: route }: SessionTarget,
): Promise<void> {
  const current = (row: ConversationRow) => row.status === 'open' && row.inboxId === inbox.id
  const wanting = [...rows.values()].filter(row => made.has(row.id) || !current(row))
  if (wanting.length === 0) return
  const beginnings: NewSession[] = wanting.map(row => ({
    conversationId: row.id,
    sessionId: SessionId.create(),
  }))
  const facts = { inboxId: inbox.id, teamId: inbox.teamId, owner: route }
  const begun = wanting.map(
    (row, i): ConversationRow => ({
      ...row,
      status: 'open',
      inboxId: inbox.id,
      sessionId: beginnings[i]!.sessionId,
      teamId: inbox.teamId,
      ownerType: route?.type ?? null,
      ownerId: route?.id ?? null,
      activeOwner: route,
    }),
  )
  for (const row of begun) rows.set(row.id, row)
  const chats = begun.map(row => ({ contactId: row.contactId, sessionId: row.sessionId, at: tx.now }))
  // In order, without waiting for one before the next leaves.
  await Promise.all([
    startSessions(tx, tenantId, beginnings, facts),
    recordChats(tx, tenantId, chats),
    linkConversations(tx, tenantId, begun.map(toContactLink)),
    emitMany(
      tx,
      begun.map(row => buildStarted(tenantId, row)),
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
