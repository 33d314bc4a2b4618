/** Internal events: not delivered to webhooks or realtime clients. */
import { event } from '../platform/events/event.ts'
import type { Inbox } from './schemas.ts'

export const inboxCreated = event<{ inbox: Inbox }>({ type: 'inbox.created' })
/** Team, credentials or status changed. */
export const inboxUpdated = event<{ inbox: Inbox }>({ type: 'inbox.updated' })
/** Closes the inbox's sessions and fails its unsent messages. */
export const inboxDeleted = event<{ inbox: Inbox }>({ type: 'inbox.deleted' })
