/** Starts sessions of locked conversations: who owns a new session, and which events its start emits. */
import { recordOpenedChats } from '../../contacts/activity.ts'
import { emitContactsCreated } from '../../contacts/emit-events.ts'
import type { IdentityOwner } from '../../contacts/identities/identities.ts'
import type { InboxRow } from '../../inboxes/inboxes.ts'
import type { Tx } from '../../platform/db/db.ts'
import { emitMany, pendingEvent } from '../../platform/events/event.ts'
import { toAudience } from '../access.ts'
import { toContactLink } from '../conversation-events.ts'
import { conversationStarted } from '../events.ts'
import { SessionId } from '../schemas.ts'
import { type ConversationRow, conversationToApi } from '../store/conversations/conversation-rows.ts'
import { startSessions } from '../store/conversations/open-conversations.ts'
import { listAssignedBots } from '../store/conversations/sessions.ts'

export type InitialOwner = { type: 'team' | 'bot'; id: string } | null

/** The first bot of the inbox's team, else the first one for all teams, else the team, else null. */
export async function getInitialOwner(tx: Tx, tenantId: string, inbox: InboxRow): Promise<InitialOwner> {
  const [botId] = await listAssignedBots(tx, tenantId, inbox.teamId)
  if (botId) return { type: 'bot', id: botId }
  return inbox.teamId ? { type: 'team', id: inbox.teamId } : null
}

export interface SessionTarget {
  inbox: InboxRow
  owner: InitialOwner
}

interface SessionStart {
  target: SessionTarget
  /** Conversations that this transaction created, with their first sessions. */
  created: ReadonlySet<string>
  /** Conversations that have another contact than their session. */
  moved: readonly string[]
  newContacts: readonly IdentityOwner[]
}

/**
 * Starts a session for each conversation that is closed, on another inbox or has another contact; in the last case it
 * keeps its team and owner. Emits `contact.created`, once the contacts are linked, and `conversation.started`.
 */
export async function ensureSessions(
  tx: Tx,
  tenantId: string,
  rows: Map<string, ConversationRow>,
  { target, created, moved, newContacts }: SessionStart,
): Promise<void> {
  const isCurrent = (row: ConversationRow) => row.status === 'open' && row.inboxId === target.inbox.id
  const restarted = [...rows.values()]
    .filter(row => !isCurrent(row) || moved.includes(row.id))
    .map(row => withNewSession(isCurrent(row) ? row : assignInitially(row, target), tx.now))
  for (const row of restarted) rows.set(row.id, row)
  const started = [...restarted, ...[...rows.values()].filter(row => created.has(row.id))]
  if (started.length === 0 && newContacts.length === 0) return
  const chats = started.map(row => ({ ...toContactLink(row), sessionId: row.sessionId, at: tx.now }))
  // Pipelined: the statements run in order, without a round trip between them.
  const linking = [startSessions(tx, tenantId, restarted), recordOpenedChats(tx, tenantId, chats)]
  if (newContacts.length > 0) {
    await Promise.all(linking)
    const contactIds = newContacts.map(contact => contact.contactId)
    await emitContactsCreated(tx, tenantId, contactIds)
  }
  const events = started.map(row => buildStarted(tenantId, row))
  await Promise.all([...linking, emitMany(tx, events)])
}

/**
 * Describes the conversation with a new session. A transaction that began earlier may get the lock later, so a session
 * opens at least 1 ms after the one before it: ordering by time is ordering by lock.
 */
export function withNewSession(row: ConversationRow, now: string): ConversationRow {
  const opened = new Date(Math.max(Date.parse(now), Date.parse(row.openedAt) + 1)).toISOString()
  const sessionId = SessionId.create()
  return { ...row, status: 'open', sessionId, openedAt: opened, closedAt: null, revision: row.revision + 1 }
}

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
