/** Events of inboxes. Webhooks and realtime clients receive the updates; the others are internal. */
import { event } from '../platform/events/event.ts'
import type { Inbox } from './schemas.ts'

export const inboxCreated = event<{ inbox: Inbox }>({ type: 'inbox.created' })
export interface InboxUpdate {
  inbox: Inbox
  changes: (
    | 'status'
    | 'teamId'
    | 'credentials'
    | 'name'
    | 'businessHours'
    | 'greeting'
    | 'away'
    | 'csat'
    | 'webchat'
  )[]
}

/** The inbox degraded or recovered (`status`), or its team, credentials or settings changed. */
export const inboxUpdated = event<InboxUpdate>({ type: 'inbox.updated', isPublic: true })
/** Closes the inbox's sessions and fails its unsent messages. */
export const inboxDeleted = event<{ inbox: Inbox }>({ type: 'inbox.deleted' })
