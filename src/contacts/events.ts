import { event } from '../platform/events/event.ts'
import type { LinkedContact } from './schemas.ts'

/** The changes of a contact, for triggers on particular changes. Not published. */
export interface ContactChanges {
  name?: true
  avatarUrl?: true
  phone?: true
  unarchived?: true
  optOuts?: true
  fieldIds?: string[]
  addedTagIds?: string[]
  removedTagIds?: string[]
}

export const contactCreated = event<{ contact: LinkedContact; importId?: string }>({
  type: 'contact.created',
  isPublic: true,
})
export const contactUpdated = event<{
  contact: LinkedContact
  /** The properties that changed. */
  changes: string[]
  contactChanges: ContactChanges
  importId?: string
}>({ type: 'contact.updated', isPublic: true })
/** Also emitted when the contact is deleted or merged into another. */
export const contactArchived = event<{
  contact: LinkedContact & { deletedAt: string | null; mergedInto: string | null }
}>({ type: 'contact.archived', isPublic: true })

/** Returns the names of the changed properties as they are published. */
export function toChangedProperties(changes: ContactChanges): string[] {
  const { name, avatarUrl, phone, unarchived, optOuts, fieldIds, addedTagIds, removedTagIds } = changes
  return [
    ...(name ? ['name'] : []),
    ...(avatarUrl ? ['avatarUrl'] : []),
    ...(phone ? ['phone'] : []),
    ...(addedTagIds || removedTagIds ? ['tagIds'] : []),
    ...(fieldIds ? ['customFields'] : []),
    ...(optOuts ? ['optOuts'] : []),
    ...(unarchived ? ['archivedAt'] : []),
  ]
}
