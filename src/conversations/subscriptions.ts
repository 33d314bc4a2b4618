import { inboxDeleted } from '../inboxes/events.ts'
import type { Tx } from '../platform/db/db.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { closeLockedConversation } from './conversations.ts'
import { lockConversation } from './store/conversations/conversations.ts'
import { listOpenSessions } from './store/conversations/sessions.ts'

const batchSize = 500

/** Closes the conversations of a deleted inbox. Its pending messages fail when they are delivered. */
export const closeDeletedInboxes = subscription({
  name: 'conversations.inboxes',
  types: [inboxDeleted.type],
  from: 'beginning',
  apply: async (tx, events) => {
    for (const event of events)
      if (isEvent(inboxDeleted, event)) await closeInboxConversations(tx, event.tenantId, event.data.inbox.id)
  },
})

async function closeInboxConversations(tx: Tx, tenantId: string, inboxId: string): Promise<void> {
  for (;;) {
    const open = await listOpenSessions(tx, tenantId, inboxId, batchSize)
    for (const { conversationId } of open) {
      const row = await lockConversation(tx, tenantId, conversationId)
      if (row) await closeLockedConversation(tx, tenantId, row)
    }
    if (open.length < batchSize) return
  }
}
