import Type from 'typebox'
import { conversationStarted as started } from '../../../conversations/events.ts'
import { listOpeningMessages } from '../../../conversations/messages/messages.ts'
import type { Conversation } from '../../../conversations/schemas.ts'
import type { LogEvent } from '../../../platform/events/event.ts'
import { AnyId } from '../../../platform/http/schemas.ts'
import type { Reference } from '../../nodes/node-type.ts'
import { conversationEntry } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'

export const InboxIds = Type.Optional(
  Type.Array(AnyId, { minItems: 1, maxItems: 100, description: 'Only on these inboxes; default: all' }),
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
  summary: 'A conversation was started',
  docs: `Starts when a conversation is opened by its first message in either direction, or reopened by the first message after
it was closed. A chatbot starts with the customer's first message in a session assigned to the bot, once per session. The run
reads the first message as \`message\` if the customer sent it.`,
  config: { inboxIds: InboxIds },
  references: inboxReferences,
  events: [started.type],
  match: ({ inboxIds }, event) => (isOnInbox(event, inboxIds) ? conversationEntry(event) : undefined),
  loadMessages: async (tx, tenantId, entries) => {
    const messages = await listOpeningMessages(
      tx,
      tenantId,
      entries.map(({ conversationId }) => conversationId!),
    )
    for (const entry of entries) entry.message ??= messages.get(entry.conversationId!)
  },
})
