/** Emits conversation events and updates the contact's visibility. */
import { isDeepStrictEqual } from 'node:util'
import { linkConversations, unlinkConversation } from '../contacts/activity.ts'
import type { Tx } from '../platform/db/db.ts'
import { emit, emitMany, type PendingEvent, pendingEvent } from '../platform/events/event.ts'
import { toAudience } from './access.ts'
import { conversationClosed, type conversationStarted, conversationUpdated } from './events.ts'
import { type ConversationRow, conversationToApi } from './store/conversations/conversation-rows.ts'
import { findConversation, moveToContact, updateContact } from './store/conversations/conversations.ts'

/** An agent sees a contact through the team and the owner of its conversations. */
export function toContactLink(row: ConversationRow) {
  return {
    contactId: row.contactId,
    conversationId: row.id,
    channel: row.channel,
    phone: row.externalId.startsWith('+') ? row.externalId : null,
    teamId: row.teamId,
    ownerId: row.ownerType === 'user' ? row.ownerId : null,
  }
}

/** Links a locked conversation to the contact that owns its address; the caller adds the link of the contact. */
export async function linkToContact(
  tx: Tx,
  tenantId: string,
  row: ConversationRow,
  contactId: string,
): Promise<void> {
  if (row.contactId !== contactId) await unlinkConversation(tx, tenantId, row.contactId, row.id)
  await updateContact(tx, tenantId, row.id, contactId)
}

export async function syncContactVisibility(tx: Tx, tenantId: string, row: ConversationRow): Promise<void> {
  await linkConversations(tx, tenantId, [toContactLink(row)])
}

/** A closed conversation is neither snoozed nor waiting. */
export function toClosed({ openedAt }: ConversationRow, now: string) {
  const closedAt = now > openedAt ? now : openedAt
  return { status: 'closed' as const, closedAt, waitingSince: null, snoozed: false, snoozedUntil: null }
}

export async function emitConversation(
  tx: Tx,
  tenantId: string,
  type: typeof conversationStarted | typeof conversationClosed,
  row: ConversationRow,
): Promise<void> {
  await emit(tx, type, { tenantId, data: { conversation: conversationToApi(row) }, ...toAddressees(row) })
}

/** Emits the state after a change, with the names of the properties that differ from before. */
export async function emitConversationUpdated(
  tx: Tx,
  tenantId: string,
  before: ConversationRow,
  after: ConversationRow,
): Promise<void> {
  await emitMany(tx, [buildConversationUpdated(tenantId, before, after)])
}

export function buildConversationUpdated(
  tenantId: string,
  before: ConversationRow,
  after: ConversationRow,
): PendingEvent {
  const conversation = conversationToApi(after)
  const earlier = conversationToApi(before)
  const changes = Object.entries(conversation)
    .filter(([name, value]) => !isDeepStrictEqual(earlier[name as keyof typeof conversation], value))
    .map(([name]) => name)
  return pendingEvent(conversationUpdated, {
    tenantId,
    data: { conversation, changes },
    ...toAddressees(after, before),
  })
}

export function buildConversationClosed(tenantId: string, row: ConversationRow): PendingEvent {
  const data = { conversation: conversationToApi(row) }
  return pendingEvent(conversationClosed, { tenantId, data, ...toAddressees(row) })
}

/** With the row before a change, the audience names who saw the conversation until then; null: everyone. */
function toAddressees(row: ConversationRow, before?: ConversationRow): { audience?: object } {
  const audience = toAudience(row)
  if (!audience) return {}
  return { audience: before ? { ...audience, former: toAudience(before) ?? null } : audience }
}

/** Moves conversations of a merged contact to the contact that survives. */
export async function moveConversationsToContact(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  merge: { from: string; into: string },
): Promise<void> {
  const rows = await Promise.all(ids.map(id => findConversation(tx, tenantId, id)))
  await moveToContact(tx, tenantId, ids, merge)
  for (const before of rows) {
    const row = before && (await findConversation(tx, tenantId, before.id))
    if (row) await emitConversationUpdated(tx, tenantId, before, row)
  }
}
