/**
 * Opening conversations, with one person or with many at once, in a handful of statements whatever their number. Who
 * writes first to whom, from either side and however often at once, there is one contact, one conversation and one open
 * session: the key of the address decides who makes it, the lock of its state who opens the session.
 */
import { recordChats, setVisibilities } from '../contacts/activity.ts'
import { attachIdentity, attachPhones, findOrCreateContacts } from '../contacts/identities.ts'
import type { InboxRow } from '../inboxes/inboxes.ts'
import type { Tx } from '../platform/db/db.ts'
import { emitMany, happened } from '../platform/events/event.ts'
import { newId } from '../platform/ids.ts'
import { audienceOf } from './access.ts'
import { conversationStarted } from './events.ts'
import { learnNames } from './joining.ts'
import { claimAddresses, findByAddress } from './store/addresses.ts'
import { type ConversationRow, lockConversations, toWire } from './store/conversations.ts'
import { type Beginning, beginSessions, insertConversations } from './store/opening.ts'
import { findBotFor } from './store/sessions.ts'
import { linkOf } from './telling.ts'

/** The person on the other side, on the inbox's channel. */
export interface Person {
  externalId: string
  /** Every other name that the provider has for them. */
  alsoKnownAs?: readonly string[]
  name?: string | null
  /** Where it is known who that is; the transaction holds the contact. */
  contactId?: string
}

const attempts = 5

/** The conversation with this person, made when there is none, locked, with a session open on the inbox. */
export async function openConversation(
  tx: Tx,
  tenantId: string,
  person: Person,
  inbox: InboxRow,
): Promise<ConversationRow> {
  return (await openConversations(tx, tenantId, [person], inbox)).get(person.externalId)!
}

/** The same for many, by address. */
export async function openConversations(
  tx: Tx,
  tenantId: string,
  people: readonly Person[],
  inbox: InboxRow,
): Promise<Map<string, ConversationRow>> {
  const opened = new Map<string, ConversationRow>()
  const missing = () => people.filter(person => !opened.has(person.externalId))
  if (people.length === 0) return opened
  const route = await routeOf(tx, tenantId, inbox)
  for (let attempt = 0; attempt < attempts && missing().length > 0; attempt++)
    for (const [address, row] of await openOnce(tx, tenantId, missing(), { inbox, route }))
      opened.set(address, row)
  if (missing().length > 0) throw new Error('an address kept changing hands')
  return opened
}

interface Place {
  inbox: InboxRow
  route: Route
}

/** One that is joined into another while we wait for it is not among them, and must be looked up again. */
async function openOnce(
  tx: Tx,
  tenantId: string,
  people: readonly Person[],
  place: Place,
): Promise<[string, ConversationRow][]> {
  const { inbox } = place
  const known = await knownAmong(tx, tenantId, inbox, people)
  const unknown = new Map(people.flatMap(one => (known.has(one.externalId) ? [] : [[one.externalId, one]])))
  const made = await makeMissing(tx, tenantId, [...unknown.values()], place)
  if (unknown.size > 0)
    for (const [name, id] of await addressesOf(tx, tenantId, inbox, [...unknown.keys()])) known.set(name, id)
  const rows = await lockConversations(tx, tenantId, [...new Set(known.values())])
  const byId = new Map(rows.map(row => [row.id, row]))
  await ensureSessions(tx, tenantId, byId, made, place)
  return people.flatMap(({ externalId }) => {
    const row = byId.get(known.get(externalId) ?? '')
    return row ? [[externalId, row]] : []
  })
}

const namesOf = (people: readonly Person[]) =>
  people.flatMap(({ externalId, alsoKnownAs = [] }) => [externalId, ...alsoKnownAs])

async function addressesOf(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  names: readonly string[],
): Promise<Map<string, string>> {
  const known = await findByAddress(tx, tenantId, channel, names)
  return new Map(known.map(one => [one.address, one.conversationId]))
}

/** Conversations by the address we know people by; what is new of their names is learned. */
async function knownAmong(
  tx: Tx,
  tenantId: string,
  inbox: InboxRow,
  people: readonly Person[],
): Promise<Map<string, string>> {
  const known = await addressesOf(tx, tenantId, inbox, namesOf(people))
  for (const person of people) {
    const { externalId, alsoKnownAs = [], name } = person
    const ids = [externalId, ...alsoKnownAs].map(one => known.get(one))
    // The phone is the better name where both are known.
    const id = ids.find(one => one !== undefined)
    if (id === undefined) continue
    const party = { channel: inbox.channel, externalId, alsoKnownAs, ...(name ? { name } : {}) }
    if (ids.some(one => one !== id)) await learnNames(tx, tenantId, party, id)
    known.set(externalId, id)
  }
  return known
}

export type Route = { type: 'team' | 'bot'; id: string } | null

/** The active bot of the inbox's team, else the one for everybody, else the team, else nobody. */
export async function routeOf(tx: Tx, tenantId: string, inbox: InboxRow): Promise<Route> {
  const botId = await findBotFor(tx, tenantId, inbox.teamId)
  if (botId) return { type: 'bot', id: botId }
  return inbox.teamId ? { type: 'team', id: inbox.teamId } : null
}

/** The ids of those that were made; for the rest somebody else was faster. */
async function makeMissing(
  tx: Tx,
  tenantId: string,
  people: readonly Person[],
  { inbox, route }: Place,
): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  const { channel } = inbox
  const claims = people.map(person => ({ address: person.externalId, conversationId: newId('conversation') }))
  const claimed = await claimAddresses(tx, tenantId, channel, claims)
  const mine = people.flatMap((person, i) =>
    claimed.has(person.externalId) ? [{ person, id: claims[i]!.conversationId }] : [],
  )
  const further = mine.flatMap(({ person, id }) =>
    (person.alsoKnownAs ?? []).map(address => ({ address, conversationId: id })),
  )
  if (further.length > 0) await claimAddresses(tx, tenantId, channel, further)
  const contacts = await contactsOf(
    tx,
    tenantId,
    inbox,
    mine.map(one => one.person),
  )
  const rows = mine.map(({ person, id }, i) =>
    newConversation(tx, { ...person, contactId: contacts[i]! }, id, inbox, route),
  )
  if (rows.length > 0) await insertConversations(tx, tenantId, rows)
  return new Set(mine.map(({ id }) => id))
}

/** Who they are, made where nobody has the address. */
async function contactsOf(
  tx: Tx,
  tenantId: string,
  { channel }: InboxRow,
  people: readonly Person[],
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

function newConversation(
  tx: Tx,
  person: Person & { contactId: string },
  id: string,
  inbox: InboxRow,
  route: Route,
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
    ownerType: route?.type ?? null,
    ownerId: route?.id ?? null,
    at: tx.now,
  }
}

/** New, closed, or on another inbox: these get a session, which is told. */
async function ensureSessions(
  tx: Tx,
  tenantId: string,
  rows: Map<string, ConversationRow>,
  made: ReadonlySet<string>,
  { inbox, route }: Place,
): Promise<void> {
  const current = (row: ConversationRow) => row.status === 'open' && row.inboxId === inbox.id
  const wanting = [...rows.values()].filter(row => made.has(row.id) || !current(row))
  if (wanting.length === 0) return
  const beginnings: Beginning[] = wanting.map(row => ({
    conversationId: row.id,
    sessionId: newId('session'),
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
    beginSessions(tx, tenantId, beginnings, facts),
    recordChats(tx, tenantId, chats),
    setVisibilities(tx, tenantId, begun.map(linkOf)),
    emitMany(
      tx,
      begun.map(row => started(tenantId, row)),
    ),
  ])
}

function started(tenantId: string, row: ConversationRow) {
  const audience = audienceOf(row)
  return happened(conversationStarted, {
    tenantId,
    data: { conversation: toWire(row) },
    ...(audience ? { audience } : {}),
  })
}
