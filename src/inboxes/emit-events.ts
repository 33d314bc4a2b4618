import type { Tx } from '../platform/db/db.ts'
import { pendingChange } from '../platform/events/changed.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { type InboxUpdate, inboxUpdated } from './events.ts'
import type { Inbox } from './schemas.ts'

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
