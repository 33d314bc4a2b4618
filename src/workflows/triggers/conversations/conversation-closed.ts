import { conversationClosed as closed } from '../../../conversations/events.ts'
import { conversationEntry } from '../event-data.ts'
import { defineTrigger } from '../trigger-type.ts'
import { InboxIds, inboxReferences, isOnInbox } from './conversation-started.ts'

export const conversationClosed = defineTrigger({
  type: 'conversation_closed',
  summary: 'A conversation was closed',
  docs: 'Starts when a conversation is closed. A message that the run sends reopens it.',
  config: { inboxIds: InboxIds },
  references: inboxReferences,
  events: [closed.type],
  match: ({ inboxIds }, event) => (isOnInbox(event, inboxIds) ? conversationEntry(event) : undefined),
})
