import { event } from '../platform/events/event.ts'
import type { Note } from './notes/schemas.ts'
import type { Conversation, Message } from './schemas.ts'
import type { SurveyRating } from './surveys/schemas.ts'

/** Recipients of the events of a conversation with a team: the team, the owner, and all owners and admins. */
export interface ConversationAudience {
  teamIds: string[]
  userIds: string[]
}

export const conversationStarted = event<{ conversation: Conversation }>({
  type: 'conversation.started',
  isPublic: true,
})
/** Owner, team, inbox, contact, status (reopened), snooze, priority or labels changed. Not emitted for messages. */
export const conversationUpdated = event<{ conversation: Conversation; changes: string[] }>({
  type: 'conversation.updated',
  isPublic: true,
})
export const conversationClosed = event<{ conversation: Conversation }>({
  type: 'conversation.closed',
  isPublic: true,
})
/** A customer answered the survey about a session, changed the rating or commented on it. */
export const conversationRated = event<{ conversation: Conversation; rating: SurveyRating }>({
  type: 'conversation.rated',
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
/** For the message search: the content of a message was edited, withdrawn or rendered. */
export const messageContentReplaced = event<{ message: Message }>({ type: 'message.content_replaced' })
/**
 * For realtime clients: a user has read up to a message, or marked later messages as unread; null: all of them. `version`
 * is the version of the unread counters after it.
 */
export const conversationRead = event<{
  userId: string
  conversationId: string
  lastMessageId: string | null
  version: number
}>({ type: 'conversation_read' })
/** For realtime clients: a message was scheduled, got another time, or failed when it was due. */
export const messageScheduled = event<{ message: Message; conversation: Conversation }>({
  type: 'message.scheduled',
})
export const messageUnscheduled = event<{
  message: Pick<Message, 'id' | 'conversationId'>
  conversation: Conversation
}>({ type: 'message.unscheduled' })
/** Notes are for realtime clients only: webhooks do not deliver them. */
export const noteCreated = event<{ note: Note; conversation: Conversation }>({ type: 'note.created' })
export const noteUpdated = event<{ note: Note; conversation: Conversation; changes: string[] }>({
  type: 'note.updated',
})
export const noteDeleted = event<{ note: Pick<Note, 'id' | 'conversationId'>; conversation: Conversation }>({
  type: 'note.deleted',
})

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
export const contactErased = event<{
  contactIds: string[]
  conversationIds: string[]
  /** Absent in events of earlier versions. */
  addresses?: string[]
}>({
  type: 'contact.erased',
})
