/**
 * Opening the conversations with many people at once, for those who write to many: the same outcome as opening them one
 * by one, in a handful of statements whatever their number.
 */
import { recordChats, setVisibilities } from '../contacts/activity.ts'
import { attachPhones } from '../contacts/identities.ts'
import type { InboxRow } from '../inboxes/store/inboxes.ts'
import type { Tx } from '../platform/db/db.ts'
import { emitMany, happened } from '../platform/events/event.ts'
import { newId } from '../platform/ids.ts'
import { audienceOf } from './access.ts'
import { type Route, routeOf } from './conversations.ts'
import { conversationStarted } from './events.ts'
import { type ConversationRow, findByAddress, lockConversations, toWire } from './store/conversations.ts'
import { type Beginning, beginSessions, claimAddresses, insertConversations } from './store/opening.ts'

/** Somebody known: a contact that the transaction holds, and their address on the inbox's channel. */
export interface KnownParty {
  contactId: string
  externalId: string
  name: string | null
}

/** The conversations by address, locked, each with a session open on the inbox. */
export async function openConversations(
  tx: Tx,
  tenantId: string,
  parties: readonly KnownParty[],
  inbox: InboxRow,
): Promise<Map<string, ConversationRow>> {
  if (parties.length === 0) return new Map()
  const route = await routeOf(tx, tenantId, inbox)
  const made = await makeMissing(tx, tenantId, parties, inbox, route)
  const addresses = parties.map(party => party.externalId)
  const known = await findByAddress(tx, tenantId, inbox.channel, addresses)
  const rows = await lockConversations(
    tx,
    tenantId,
    known.map(one => one.conversationId),
  )
  const byId = new Map(rows.map(row => [row.id, row]))
  await ensureSessions(tx, tenantId, byId, { inbox, route, made })
  return new Map(
    known.flatMap(({ address, conversationId }) => {
      const row = byId.get(conversationId)
      return row ? [[address, row] as const] : []
    }),
  )
}

/** The ids of the conversations that were made. */
async function makeMissing(
  tx: Tx,
  tenantId: string,
  parties: readonly KnownParty[],
  inbox: InboxRow,
  route: Route,
): Promise<Set<string>> {
  const { channel } = inbox
  const known = await findByAddress(
    tx,
    tenantId,
    channel,
    parties.map(party => party.externalId),
  )
  const taken = new Set(known.map(one => one.address))
  const unknown = parties.filter(party => !taken.has(party.externalId))
  if (unknown.length === 0) return new Set()
  const claims = unknown.map(party => ({ address: party.externalId, conversationId: newId('conversation') }))
  const claimed = await claimAddresses(tx, tenantId, channel, claims)
  const mine = unknown.flatMap((party, i) =>
    claimed.has(party.externalId) ? [{ party, id: claims[i]!.conversationId }] : [],
  )
  const phones = mine.flatMap(({ party: { contactId, externalId } }) =>
    externalId.startsWith('+') ? [{ contactId, phone: externalId }] : [],
  )
  if (channel !== 'chatapp' && phones.length > 0) await attachPhones(tx, tenantId, channel, phones)
  await insertConversations(
    tx,
    tenantId,
    mine.map(({ party, id }) => newConversation(tx, party, id, inbox, route)),
  )
  return new Set(mine.map(({ id }) => id))
}

function newConversation(tx: Tx, party: KnownParty, id: string, inbox: InboxRow, route: Route) {
  const name = party.name?.trim().slice(0, 200) || party.externalId
  return {
    id,
    channel: inbox.channel,
    externalId: party.externalId,
    contactId: party.contactId,
    name,
    search: `${name}\n${party.externalId}`.toLowerCase(),
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
  { inbox, route, made }: { inbox: InboxRow; route: Route; made: ReadonlySet<string> },
): Promise<void> {
  const current = (row: ConversationRow) => row.status === 'open' && row.inboxId === inbox.id
  const wanting = [...rows.values()].filter(row => made.has(row.id) || !current(row))
  if (wanting.length === 0) return
  const beginnings: Beginning[] = wanting.map(row => ({
    conversationId: row.id,
    sessionId: newId('session'),
  }))
  await beginSessions(tx, tenantId, beginnings, { inboxId: inbox.id, teamId: inbox.teamId, owner: route })
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
  await tellContacts(tx, tenantId, begun)
  await emitMany(
    tx,
    begun.map(row => started(tenantId, row)),
  )
}

async function tellContacts(tx: Tx, tenantId: string, begun: readonly ConversationRow[]): Promise<void> {
  const chats = begun.map(row => ({ contactId: row.contactId, sessionId: row.sessionId, at: tx.now }))
  await recordChats(tx, tenantId, chats)
  const links = begun.map(row => ({
    contactId: row.contactId,
    conversationId: row.id,
    channel: row.channel,
    phone: row.externalId.startsWith('+') ? row.externalId : null,
    teamId: row.teamId,
    ownerId: row.ownerType === 'user' ? row.ownerId : null,
  }))
  await setVisibilities(tx, tenantId, links)
}

function started(tenantId: string, row: ConversationRow) {
  const audience = audienceOf(row)
  return happened(conversationStarted, {
    tenantId,
    data: { conversation: toWire(row) },
    ...(audience ? { audience } : {}),
  })
}
