import Type from 'typebox'
import { conversationStarted as started } from '../../conversations/events.ts'
import type { Conversation } from '../../conversations/schemas.ts'
import type { LogEvent } from '../../platform/events/event.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import type { Reference } from '../nodes/node-type.ts'
import { Conditions } from './conditions.ts'
import { conversationEntry } from './event-data.ts'
import { defineTrigger } from './trigger-type.ts'

export const InboxIds = Type.Optional(
  Type.Array(AnyId, { minItems: 1, maxItems: 100, description: 'Only on these; on all when left out' }),
)

export function inboxReferences({ inboxIds = [] }: { inboxIds?: string[] }): Reference[] {
  return inboxIds.map((id, i) => ({ kind: 'inbox', id, path: `inboxIds[${i}]` }))
}

export function isOnInbox(event: LogEvent, inboxIds: readonly string[] | undefined): boolean {
  const { conversation } = event.data as { conversation: Conversation }
  return !inboxIds || inboxIds.includes(conversation.inboxId)
}

export const conversationStarted = defineTrigger({
  type: 'conversation_started',
  kinds: ['journey', 'chatbot'],
  summary: 'A conversation began',
  docs: `A conversation was opened, by the first message in either direction or by the first after it had been closed. A
chatbot begins with the first message of the customer in a session that is the bot's, once for each session.`,
  config: object({ type: Type.Literal('conversation_started'), inboxIds: InboxIds, conditions: Conditions }),
  references: inboxReferences,
  events: [started.type],
  match: ({ inboxIds }, event) => (isOnInbox(event, inboxIds) ? conversationEntry(event) : undefined),
})
