/** Emits conversation events and updates the contact's visibility. */
import { isDeepStrictEqual } from 'node:util'
import { linkConversations, unlinkConversation } from '../contacts/activity.ts'
import type { Tx } from '../platform/db/db.ts'
import { emit } from '../platform/events/event.ts'
import { toAudience } from './access.ts'
import { type conversationClosed, type conversationStarted, conversationUpdated } from './events.ts'
import {
  type ConversationRow,
  conversationToApi,
  findConversation,
  moveToContact,
  updateContact,
} from './store/conversations.ts'

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
  before: Partial<ConversationRow>,
  after: ConversationRow,
): Promise<void> {
  const conversation = conversationToApi(after)
  const changes = Object.entries(conversation)
    .filter(([name, value]) => !isDeepStrictEqual(before[name as keyof typeof conversation], value))
    .map(([name]) => name)
  await emit(tx, conversationUpdated, { tenantId, data: { conversation, changes }, ...toAddressees(after) })
}

function toAddressees(row: ConversationRow): { audience?: object } {
  const audience = toAudience(row)
  return audience ? { audience } : {}
}

/** Moves conversations of a merged contact to the contact that survives. */
export async function moveConversationsToContact(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  merge: { from: string; into: string },
): Promise<void> {
  const rows = await Promise.all(ids.map(id => findConversation(tx, tenantId, id)))
  const before = new Map(rows.flatMap(row => (row ? [[row.id, row]] : [])))
  await moveToContact(tx, tenantId, ids, merge)
  for (const id of ids) {
    const row = await findConversation(tx, tenantId, id)
    if (row) await emitConversationUpdated(tx, tenantId, before.get(id) ?? {}, row)
  }
}
