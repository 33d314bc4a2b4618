/**
 * Conversations: one counterpart on one channel, forever; work happens in sessions. Who writes first to whom, from
 * either side and however often at once, there is one contact, one conversation and one open session: the key of the
 * address decides who makes it, the lock of its state who opens the session.
 */
import { recordChat } from '../contacts/activity.ts'
import { attachIdentity, findOrCreateContactByIdentity } from '../contacts/identities.ts'
import { findUser } from '../identity/store/users.ts'
import type { InboxRow } from '../inboxes/store/inboxes.ts'
import type { Tx } from '../platform/db/db.ts'
import { raw } from '../platform/db/sql.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import { type Viewer, visibleTo } from './access.ts'
import { ConversationNotFound } from './errors.ts'
import { conversationClosed, conversationStarted, conversationUpdated } from './events.ts'
import { learnNames, type Party } from './joining.ts'
import {
  type ConversationRow,
  claimAddress,
  findByAddress,
  findConversation,
  holdTeam,
  insertConversation,
  lockConversation,
  updateState,
} from './store/conversations.ts'
import {
  closeSessions,
  findBotFor,
  insertSession,
  updateSessionOwner,
  updateSessionTeam,
} from './store/sessions.ts'
import { linkContact, tell } from './telling.ts'

const everybody = raw('true')

export async function getConversation(
  on: Parameters<typeof findConversation>[0],
  viewer: Viewer,
  id: string,
): Promise<ConversationRow> {
  return (await findConversation(on, viewer.tenantId, id, visibleTo(viewer))) ?? fail(ConversationNotFound)
}

async function lockVisible(tx: Tx, viewer: Viewer, id: string): Promise<ConversationRow> {
  return (await lockConversation(tx, viewer.tenantId, id, visibleTo(viewer))) ?? fail(ConversationNotFound)
}

/** The conversation with this person, made when there is none, locked, with a session open on the inbox. */
export async function openConversation(
  tx: Tx,
  tenantId: string,
  party: Party,
  inbox: InboxRow,
): Promise<ConversationRow> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const id =
      (await knownConversation(tx, tenantId, party)) ?? (await makeConversation(tx, tenantId, party, inbox))
    const row = id && (await lockConversation(tx, tenantId, id, everybody))
    if (row) return ensureSession(tx, tenantId, row, inbox)
  }
  throw new Error('an address kept changing hands')
}

async function knownConversation(tx: Tx, tenantId: string, party: Party): Promise<string | undefined> {
  const names = [party.externalId, ...party.alsoKnownAs]
  const known = await findByAddress(tx, tenantId, party.channel, names)
  // The phone is the better name where both are known.
  const found = known.find(one => one.address === party.externalId) ?? known[0]
  if (!found) return undefined
  const isNews = known.length < names.length || known.some(one => one.conversationId !== found.conversationId)
  if (isNews) await learnNames(tx, tenantId, party, found.conversationId)
  return found.conversationId
}

async function makeConversation(
  tx: Tx,
  tenantId: string,
  party: Party,
  inbox: InboxRow,
): Promise<string | undefined> {
  const id = newId('conversation')
  if (!(await claimAddress(tx, tenantId, party.channel, party.externalId, id))) return undefined
  for (const name of party.alsoKnownAs) await claimAddress(tx, tenantId, party.channel, name, id)
  const { contactId } = await findOrCreateContactByIdentity(tx, tenantId, {
    channel: party.channel,
    externalId: party.externalId,
    ...(party.name ? { name: party.name } : {}),
  })
  for (const name of party.alsoKnownAs)
    await attachIdentity(tx, tenantId, contactId, { channel: party.channel, externalId: name })
  const name = party.name?.trim().slice(0, 200) || party.externalId
  const route = await routeOf(tx, tenantId, inbox)
  const sessionId = newId('session')
  await insertConversation(tx, tenantId, {
    id,
    channel: party.channel,
    externalId: party.externalId,
    contactId,
    name,
    search: `${name}\n${party.externalId}`.toLowerCase(),
    sessionId,
    inboxId: inbox.id,
    teamId: inbox.teamId,
    ownerType: route?.type ?? null,
    ownerId: route?.id ?? null,
    at: tx.now,
  })
  await beginSession(tx, tenantId, { id: sessionId, conversationId: id, inbox, route })
  return id
}

export type Route = { type: 'team' | 'bot'; id: string } | null

/** The active bot of the inbox's team, else the one for everybody, else the team, else nobody. */
export async function routeOf(tx: Tx, tenantId: string, inbox: InboxRow): Promise<Route> {
  const botId = await findBotFor(tx, tenantId, inbox.teamId)
  if (botId) return { type: 'bot', id: botId }
  return inbox.teamId ? { type: 'team', id: inbox.teamId } : null
}

/** A closed conversation, or one that moves to another inbox, gets a new session. */
async function ensureSession(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  inbox: InboxRow,
): Promise<ConversationRow> {
  if (row.status === 'open' && row.inboxId === inbox.id) return row
  await closeSessions(tx, tenantId, row.id)
  const route = await routeOf(tx, tenantId, inbox)
  const sessionId = newId('session')
  await updateState(tx, tenantId, row.id, {
    status: 'open',
    sessionId,
    inboxId: inbox.id,
    teamId: inbox.teamId,
    owner: route,
  })
  await beginSession(tx, tenantId, { id: sessionId, conversationId: row.id, inbox, route })
  return (await findConversation(tx, tenantId, row.id, everybody))!
}

async function beginSession(
  tx: Tx,
  tenantId: string,
  session: { id: string; conversationId: string; inbox: InboxRow; route: Route },
): Promise<void> {
  const { inbox, route } = session
  const { id, conversationId } = session
  await insertSession(tx, tenantId, {
    id,
    conversationId,
    inboxId: inbox.id,
    teamId: inbox.teamId,
    owner: route,
  })
  await holdTeam(tx, tenantId, conversationId, inbox.teamId)
  const row = (await findConversation(tx, tenantId, conversationId, everybody))!
  await recordChat(tx, tenantId, { contactId: row.contactId, sessionId: id, at: tx.now })
  await linkContact(tx, tenantId, row)
  await tell(tx, tenantId, conversationStarted, row)
}

/** Ends the open sessions; closing what is closed changes nothing. */
export async function closeConversation(tx: Tx, caller: Caller, id: string): Promise<void> {
  await endConversation(tx, caller.tenantId, await lockVisible(tx, caller, id))
}

export async function endConversation(tx: Tx, tenantId: string, row: ConversationRow): Promise<void> {
  if (row.status === 'closed') return
  await closeSessions(tx, tenantId, row.id)
  await updateState(tx, tenantId, row.id, { status: 'closed' })
  await holdTeam(tx, tenantId, row.id, null)
  await tell(tx, tenantId, conversationClosed, { ...row, status: 'closed' })
}

export async function reassignConversation(
  tx: Tx,
  caller: Caller,
  id: string,
  userId: string,
): Promise<void> {
  const row = await lockVisible(tx, caller, id)
  const user = await findUser(tx, caller.tenantId, userId)
  if (!user || user.disabled)
    invalid(violation('userId', 'unknown_user', 'is not an enabled user of this workspace'))
  await assignOwner(tx, caller.tenantId, row, { type: 'user', id: userId })
}

export async function assignOwner(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  owner: { type: 'user' | 'team' | 'bot'; id: string } | null,
): Promise<void> {
  if (row.ownerType === (owner?.type ?? null) && row.ownerId === (owner?.id ?? null)) return
  await updateState(tx, tenantId, row.id, { owner })
  await updateSessionOwner(tx, tenantId, row.sessionId, owner)
  const changed = (await findConversation(tx, tenantId, row.id, everybody))!
  await linkContact(tx, tenantId, changed)
  await tell(tx, tenantId, conversationUpdated, changed)
}

/** To a team, whose members see it from now on, and none of them in particular. */
export async function assignTeam(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  teamId: string,
): Promise<void> {
  const owner = { type: 'team' as const, id: teamId }
  if (row.teamId === teamId) return assignOwner(tx, tenantId, row, owner)
  await updateState(tx, tenantId, row.id, { owner, teamId })
  await updateSessionOwner(tx, tenantId, row.sessionId, owner)
  await updateSessionTeam(tx, tenantId, row.sessionId, teamId)
  if (row.status === 'open') await holdTeam(tx, tenantId, row.id, teamId)
  const changed = (await findConversation(tx, tenantId, row.id, everybody))!
  await linkContact(tx, tenantId, changed)
  await tell(tx, tenantId, conversationUpdated, changed)
}
