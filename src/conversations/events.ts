import { event } from '../platform/events/event.ts'
import type { Conversation, Message } from './schemas.ts'

/** Who may hear of a conversation: everybody where it has no team, else the team, its owner, owners and admins. */
export interface ConversationAudience {
  teamIds: string[]
  userIds: string[]
}

export const conversationStarted = event<{ conversation: Conversation }>({ type: 'conversation.started' })
/** Owner, team, inbox or contact; not each message. */
export const conversationUpdated = event<{ conversation: Conversation }>({ type: 'conversation.updated' })
export const conversationClosed = event<{ conversation: Conversation }>({ type: 'conversation.closed' })
export const messageCreated = event<{ message: Message; conversation: Conversation }>({
  type: 'message.created',
})
/** Status or reaction. */
export const messageUpdated = event<{ message: Message; conversation: Conversation }>({
  type: 'message.updated',
})
/** For realtime: a user has read up to a message; `version` is that of what they have not read, after it. */
export const conversationRead = event<{
  userId: string
  conversationId: string
  lastMessageId: string
  version: number
}>({ type: 'conversation_read' })

export interface Comment {
  /** The provider's, as are `mediaId` and `from`. */
  id: string
  inboxId: string
  mediaId: string | null
  text: string
  from: string
  username: string | null
  at: string
}
/** Somebody commented on a post. For what runs in here: neither webhooks nor sockets tell it. */
export const commentReceived = event<{
  contactId: string
  conversationId: string | null
  comment: Comment
}>({ type: 'comment.received' })
/** For those above: a person asked to be forgotten. Nobody outside the installation hears of it. */
export const contactErased = event<{ contactIds: string[]; conversationIds: string[] }>({
  type: 'contact.erased',
})
