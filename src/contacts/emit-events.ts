/**
 * Emits contact events with the current state of the contact. Call it at the end of a change while the contacts are
 * locked, so that the events of a contact have the order of its changes. The audience limits which agents receive them.
 */
import type { Tx } from '../platform/db/db.ts'
import { emitMany, type PendingEvent, pendingEvent } from '../platform/events/event.ts'
import { loadContactsWithConversations } from './contact-views.ts'
import {
  type ContactChanges,
  contactArchived,
  contactCreated,
  contactUpdated,
  toChangedProperties,
} from './events.ts'
import type { LinkedContact } from './schemas.ts'
import { listAudiences } from './store/activity.ts'

interface Cause {
  causationDepth?: number
  importId?: string
}

type BuildEvent = (
  contact: LinkedContact,
  common: { tenantId: string; audience?: object; causationDepth?: number },
) => PendingEvent

async function emitForContacts(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  cause: Cause,
  build: BuildEvent,
): Promise<void> {
  if (ids.length === 0) return
  const [contacts, audiences] = await Promise.all([
    loadContactsWithConversations(tx, tenantId, ids),
    listAudiences(tx, tenantId, ids),
  ])
  const { causationDepth } = cause
  await emitMany(
    tx,
    contacts.map(contact =>
      build(contact, { tenantId, audience: audiences.get(contact.id), causationDepth }),
    ),
  )
}

function toSource({ importId }: Cause): { importId?: string } {
  return importId === undefined ? {} : { importId }
}

export function emitContactsCreated(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  cause: Cause = {},
): Promise<void> {
  return emitForContacts(tx, tenantId, ids, cause, (contact, common) =>
    pendingEvent(contactCreated, { ...common, data: { contact, ...toSource(cause) } }),
  )
}

export function emitContactsUpdated(
  tx: Tx,
  tenantId: string,
  updates: readonly { contactId: string; changes: ContactChanges }[],
  cause: Cause = {},
): Promise<void> {
  const changesById = new Map(updates.map(update => [update.contactId, update.changes]))
  return emitForContacts(tx, tenantId, [...changesById.keys()], cause, (contact, common) => {
    const contactChanges = changesById.get(contact.id)!
    const changes = toChangedProperties(contactChanges)
    return pendingEvent(contactUpdated, {
      ...common,
      data: { contact, changes, contactChanges, ...toSource(cause) },
    })
  })
}

/** Also for a contact that is deleted or merged: it counts as archived from now on. */
export function emitContactArchived(
  tx: Tx,
  tenantId: string,
  id: string,
  { deleted = false, mergedInto = null }: { deleted?: boolean; mergedInto?: string | null } = {},
): Promise<void> {
  return emitForContacts(tx, tenantId, [id], {}, (contact, common) => {
    const archivedAt = contact.archivedAt ?? tx.now
    const deletedAt = deleted ? tx.now : null
    return pendingEvent(contactArchived, {
      ...common,
      data: { contact: { ...contact, archivedAt, deletedAt, mergedInto } },
    })
  })
}
