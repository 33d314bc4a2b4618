/** Events of inboxes. Webhooks and realtime clients receive the updates; the others are internal. */
import type { Tx } from '../platform/db/db.ts'
import { pendingChange } from '../platform/events/changed.ts'
import { emitMany, event, pendingEvent } from '../platform/events/event.ts'
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

/** Emits the update for webhooks and realtime clients. */
export async function emitInboxUpdated(
  tx: Tx,
  tenantId: string,
  inbox: Inbox,
  changes: InboxUpdate['changes'],
): Promise<void> {
  await emitMany(tx, [
    pendingEvent(inboxUpdated, { tenantId, data: { inbox, changes } }),
    pendingChange(tenantId, { kind: 'inbox', id: inbox.id }),
  ])
}
