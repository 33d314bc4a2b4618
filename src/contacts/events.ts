import { event } from '../platform/events/event.ts'
import type { LinkedContact } from './schemas.ts'

/** The changed properties, for triggers on particular changes. */
export interface ContactChanges {
  name?: true
  phone?: true
  unarchived?: true
  fieldIds?: string[]
  addedTagIds?: string[]
  removedTagIds?: string[]
}

export const contactCreated = event<{ contact: LinkedContact; importId?: string }>({
  type: 'contact.created',
})
export const contactUpdated = event<{ contact: LinkedContact; changes: ContactChanges; importId?: string }>({
  type: 'contact.updated',
})
/** Also emitted when the contact is deleted. */
export const contactArchived = event<{ contact: LinkedContact }>({ type: 'contact.archived' })
