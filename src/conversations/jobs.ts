import { transact } from '../platform/db/transact.ts'
import { Discard, job } from '../platform/jobs/job.ts'
import { emitConversationUpdated } from './conversation-events.ts'
import { lockConversation, updateState } from './store/conversations/conversations.ts'

interface Wake {
  conversationId: string
  until: string
}

/** Ends a snooze at its time. Does nothing if the conversation was woken or snoozed again meanwhile. */
export const wakeConversation = job<Wake>({
  name: 'conversations.wake_conversation',
  priority: 'normal',
  handle: ({ db }, { conversationId, until }, work) =>
    transact(db, async tx => {
      const row = await lockConversation(tx, work.tenantId, conversationId)
      if (!row?.snoozed || row.snoozedUntil !== until) throw new Discard('the snooze has ended')
      const change = { snoozed: false, snoozedUntil: null }
      await updateState(tx, work.tenantId, row.id, change)
      await emitConversationUpdated(tx, work.tenantId, row, { ...row, ...change })
      await work.finish(tx)
    }),
})
