/**
 * Deletes pictures whose holder no longer refers to them: users who chose another URL in their profile, and contacts that
 * were deleted or merged into another. Identity and contacts do not know the files, so their events lead here.
 */
import { contactArchived } from '../../contacts/events.ts'
import { changed } from '../../platform/events/changed.ts'
import { isEvent, type LogEvent } from '../../platform/events/event.ts'
import { subscription } from '../../platform/events/subscription.ts'
import { type PictureHolder, releasePictures, releaseUnnamed } from '../store/media/pictures.ts'

export const releaseFormerPictures = subscription({
  name: 'conversations.pictures',
  types: [changed.type, contactArchived.type],
  from: 'end',
  apply: async (tx, events) => {
    const [first] = events
    if (!first) return
    const { tenantId } = first
    const contacts = events.flatMap(toRemovedContact)
    if (contacts.length > 0) await releasePictures(tx, tenantId, contacts)
    const users = new Set(events.flatMap(toChangedUser))
    if (users.size > 0) await releaseUnnamed(tx, tenantId, [...users])
  },
})

const toRemovedContact = (event: LogEvent): PictureHolder[] => {
  if (!isEvent(contactArchived, event)) return []
  const { id, deletedAt, mergedInto } = event.data.contact
  return deletedAt === null && mergedInto === null ? [] : [`contact:${id}`]
}

const toChangedUser = (event: LogEvent): PictureHolder[] =>
  isEvent(changed, event) && event.data.kind === 'user' ? [`user:${event.data.id}`] : []
