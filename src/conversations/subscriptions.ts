/** What conversations do about news from below. */
import { inboxDeleted } from '../inboxes/events.ts'
import type { Tx } from '../platform/db/db.ts'
import { raw } from '../platform/db/sql.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { endConversation } from './conversations.ts'
import { lockConversation } from './store/conversations.ts'
import { listOpenOfInbox } from './store/sessions.ts'

const atOnce = 500

/** A deleted inbox ends its sessions; what was still to be sent from it fails when its turn comes. */
export const followInboxes = subscription({
  name: 'conversations.inboxes',
  types: [inboxDeleted.type],
  from: 'beginning',
  apply: async (tx, events) => {
    for (const event of events)
      if (isEvent(inboxDeleted, event)) await closeAllOf(tx, event.tenantId, event.data.inbox.id)
  },
})

async function closeAllOf(tx: Tx, tenantId: string, inboxId: string): Promise<void> {
  for (;;) {
    const open = await listOpenOfInbox(tx, tenantId, inboxId, atOnce)
    for (const { conversationId } of open) {
      const row = await lockConversation(tx, tenantId, conversationId, raw('true'))
      if (row) await endConversation(tx, tenantId, row)
    }
    if (open.length < atOnce) return
  }
}
