/**
 * What conversations tell about contacts, in their own transactions: messages from the contact, chats that begin, and
 * whose conversations they are, which decides the agents who see the contact. A contact that is gone is passed over.
 */
import type { Tx } from '../platform/db/db.ts'
import {
  type Chat,
  type ConversationLink,
  deleteConversation,
  type Interaction,
  insertChats,
  updateInteractions,
  upsertConversations,
} from './store/activity.ts'

/** A message came from the contact. */
export function recordInteraction(tx: Tx, tenantId: string, interaction: Interaction): Promise<void> {
  return updateInteractions(tx, tenantId, [interaction])
}

/** A chat began: a session of a conversation was opened. Once for each session. */
export function recordChat(tx: Tx, tenantId: string, chat: Chat): Promise<void> {
  return insertChats(tx, tenantId, [chat])
}

/** The same for many contacts at once. */
export function recordChats(tx: Tx, tenantId: string, chats: readonly Chat[]): Promise<void> {
  return insertChats(tx, tenantId, chats)
}

/** A conversation of the contact is new, or its team or owner changed. `ownerId` is a user's. */
export function setContactVisibility(tx: Tx, tenantId: string, link: ConversationLink): Promise<void> {
  return upsertConversations(tx, tenantId, [link])
}

/** The same for many contacts at once. */
export function setContactVisibilities(
  tx: Tx,
  tenantId: string,
  links: readonly ConversationLink[],
): Promise<void> {
  return upsertConversations(tx, tenantId, links)
}

/** The conversation is linked to another contact now, or to none. */
export function unlinkConversation(
  tx: Tx,
  tenantId: string,
  contactId: string,
  conversationId: string,
): Promise<void> {
  return deleteConversation(tx, tenantId, contactId, conversationId)
}
