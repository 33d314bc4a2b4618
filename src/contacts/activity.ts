/**
 * Records the conversations of contacts, called by conversations in their own transactions: messages from a contact,
 * opened sessions, and the assignments that decide which agents see the contact. Deleted contacts are skipped.
 */
export {
  linkConversations,
  lockActivity,
  recordChats,
  recordInteractions,
  unlinkConversation,
} from './store/activity.ts'
