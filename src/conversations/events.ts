import { event } from '../platform/events/event.ts'
import type { Conversation, Message } from './schemas.ts'

/** Recipients of the events of a conversation with a team: the team, the owner, and all owners and admins. */
export interface ConversationAudience {
  teamIds: string[]
  userIds: string[]
}

export const conversationStarted = event<{ conversation: Conversation }>({
  type: 'conversation.started',
  isPublic: true,
})
/** Owner, team, inbox or contact changed. Not emitted for messages. */
export const conversationUpdated = event<{ conversation: Conversation; changes: string[] }>({
  type: 'conversation.updated',
  isPublic: true,
})
export const conversationClosed = event<{ conversation: Conversation }>({
  type: 'conversation.closed',
  isPublic: true,
})
export const messageCreated = event<{ message: Message; conversation: Conversation }>({
  type: 'message.created',
  isPublic: true,
})
/** Status, reactions or content changed. */
export const messageUpdated = event<{ message: Message; conversation: Conversation; changes: string[] }>({
  type: 'message.updated',
  isPublic: true,
})
/** For realtime clients: a user has read up to a message; `version` is the version of the unread counters after it. */
export const conversationRead = event<{
  userId: string
  conversationId: string
  lastMessageId: string
  version: number
}>({ type: 'conversation_read' })

export interface Comment {
  /** Id given by the provider, as are `mediaId` and `from`. */
  id: string
  inboxId: string
  mediaId: string | null
  text: string
  from: string
  username: string | null
  at: string
}
/** A customer commented on a post. Not sent to webhooks or realtime clients. */
export const commentReceived = event<{
  contactId: string
  conversationId: string | null
  comment: Comment
}>({ type: 'comment.received' })
/** A contact was erased. For higher domains only: not sent to webhooks or realtime clients. */
export const contactErased = event<{ contactIds: string[]; conversationIds: string[] }>({
  type: 'contact.erased',
})
