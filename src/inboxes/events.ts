/** For the domains above: nobody outside the installation hears of these. */
import { event } from '../platform/events/event.ts'
import type { Inbox } from './schemas.ts'

export const inboxCreated = event<{ inbox: Inbox }>({ type: 'inbox.created' })
/** Team, credentials or status changed. */
export const inboxUpdated = event<{ inbox: Inbox }>({ type: 'inbox.updated' })
/** Its sessions end, and what was still to be sent from it fails. */
export const inboxDeleted = event<{ inbox: Inbox }>({ type: 'inbox.deleted' })
