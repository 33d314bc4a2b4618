/**
 * Says what happened to contacts, with the contact as it is now. Called at the end of a change, with the contacts
 * locked, so that the events of one contact are in the order of its changes. Agents who may not see the contact are
 * kept from hearing by the audience.
 */
import type { Tx } from '../platform/db/db.ts'
import { emitMany, happened, type Occurrence } from '../platform/events/event.ts'
import { ContactArchivedEvent, type ContactChanges, ContactCreated, ContactUpdated } from './events.ts'
import { loadLinked } from './reading.ts'
import type { LinkedContact } from './schemas.ts'
import { audiencesOf } from './store/activity.ts'

interface Cause {
  causeDepth?: number
  importId?: string
}

type Say = (
  contact: LinkedContact,
  common: { tenantId: string; audience?: object; causeDepth?: number },
) => Occurrence

async function announce(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  cause: Cause,
  say: Say,
): Promise<void> {
  if (ids.length === 0) return
  const [contacts, audiences] = await Promise.all([
    loadLinked(tx, tenantId, ids),
    audiencesOf(tx, tenantId, ids),
  ])
  const { causeDepth } = cause
  await emitMany(
    tx,
    contacts.map(contact => say(contact, { tenantId, audience: audiences.get(contact.id), causeDepth })),
  )
}

function sourceOf({ importId }: Cause): { importId?: string } {
  return importId === undefined ? {} : { importId }
}

export function announceCreated(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  cause: Cause = {},
): Promise<void> {
  return announce(tx, tenantId, ids, cause, (contact, common) =>
    happened(ContactCreated, { ...common, data: { contact, ...sourceOf(cause) } }),
  )
}

export function announceUpdated(
  tx: Tx,
  tenantId: string,
  updates: readonly { contactId: string; changes: ContactChanges }[],
  cause: Cause = {},
): Promise<void> {
  const changes = new Map(updates.map(update => [update.contactId, update.changes]))
  return announce(tx, tenantId, [...changes.keys()], cause, (contact, common) =>
    happened(ContactUpdated, {
      ...common,
      data: { contact, changes: changes.get(contact.id)!, ...sourceOf(cause) },
    }),
  )
}

export function announceArchived(tx: Tx, tenantId: string, id: string, cause: Cause = {}): Promise<void> {
  return announce(tx, tenantId, [id], cause, (contact, common) =>
    happened(ContactArchivedEvent, {
      ...common,
      // a deleted contact is gone as if archived
      data: { contact: { ...contact, archivedAt: contact.archivedAt ?? tx.now } },
    }),
  )
}
