/** Describes the payloads that webhook endpoints receive in the API document. */
import Type, { type TProperties } from 'typebox'
import { LinkedContact } from './contacts/schemas.ts'
import { Conversation, Message } from './conversations/schemas.ts'
import { SurveyRating } from './conversations/surveys/schemas.ts'
import { Inbox } from './inboxes/schemas.ts'
import type { WebhookPayload } from './platform/http/openapi/openapi.ts'
import { AnyId, named, nullable, object, Timestamp } from './platform/http/schemas.ts'
import type { EventType } from './webhooks/schemas.ts'
import { WorkflowStatus } from './workflows/schemas.ts'

const changes = Type.Array(Type.String(), { description: 'extension: the properties that changed' })
const contact = { contact: LinkedContact }
const removedContact = object({
  ...LinkedContact.properties,
  deletedAt: { ...nullable(Timestamp), description: 'extension: null if the contact was archived' },
  mergedInto: { ...nullable(AnyId), description: 'extension: the contact it was merged into' },
})
const conversation = { conversation: Conversation }
const message = { message: Message, conversation: Conversation }

const events: Record<EventType, { schema: string; summary: string; data: TProperties }> = {
  'contact.created': { schema: 'ContactCreated', summary: 'A contact was created', data: contact },
  'contact.updated': {
    schema: 'ContactUpdated',
    summary: 'A contact was changed',
    data: { ...contact, changes },
  },
  'contact.archived': {
    schema: 'ContactArchived',
    summary: 'A contact was archived, deleted or merged into another',
    data: { contact: removedContact },
  },
  'conversation.started': {
    schema: 'ConversationStarted',
    summary: 'A session of a conversation was opened',
    data: conversation,
  },
  'conversation.updated': {
    schema: 'ConversationUpdated',
    summary:
      'The owner, team, inbox, contact, snooze, priority or labels of a conversation changed, or it was reopened',
    data: { ...conversation, changes },
  },
  'conversation.closed': {
    schema: 'ConversationClosed',
    summary: 'A conversation was closed',
    data: conversation,
  },
  'message.created': {
    schema: 'MessageCreated',
    summary: 'A message was sent or received',
    data: message,
  },
  'message.updated': {
    schema: 'MessageUpdated',
    summary: 'The status, reactions or content of a message changed',
    data: { ...message, changes },
  },
  'conversation.rated': {
    schema: 'ConversationRated',
    summary:
      'A customer rated a session of a conversation, changed the rating or commented on it (extension)',
    data: { ...conversation, rating: SurveyRating },
  },
  'inbox.updated': {
    schema: 'InboxUpdated',
    summary: 'An inbox degraded or recovered, or its team or credentials changed (extension)',
    data: { inbox: Inbox, changes },
  },
  'journey.updated': {
    schema: 'JourneyUpdated',
    summary: 'A journey was activated or paused (extension)',
    data: { journey: WorkflowStatus, changes },
  },
  'chatbot.updated': {
    schema: 'ChatbotUpdated',
    summary: 'A chatbot was activated or paused (extension)',
    data: { chatbot: WorkflowStatus, changes },
  },
}

/** Payloads are open: endpoints must ignore members that they do not know. */
export const apiWebhooks: readonly WebhookPayload[] = Object.entries(events).map(
  ([type, { schema, summary, data }]) => ({
    type,
    summary,
    body: named(
      `${schema}Event`,
      Type.Object({
        id: Type.String({ description: 'the same in the header webhook-id' }),
        type: Type.Literal(type),
        timestamp: Timestamp,
        data: Type.Object(data),
        sequence: Type.Integer({
          description:
            'extension: number of the event among the public events of the workspace, without gaps',
        }),
      }),
    ),
  }),
)
