/**
 * Records facts of higher domains about contacts, called in their transactions: messages from a contact, opened sessions, the
 * assignments that decide which agents see the contact, and custom events. Deleted contacts are skipped.
 */
export {
  insertContactEvents,
  linkConversations,
  lockActivity,
  recordChats,
  recordContactEvent,
  recordInteractions,
  recordOpenedChats,
  unlinkConversation,
} from './store/activity.ts'
