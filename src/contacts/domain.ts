import Type from 'typebox'
import { bootstrapPart } from '../platform/contributions/bootstrap.ts'
import type { TimelinePart } from '../platform/contributions/timeline-parts.ts'
import { type Domain, domain } from '../platform/domain.ts'
import { contactBulk } from './bulk/bulk-actions.ts'
import { importContacts } from './import/run-import.ts'
import { foldContactCounts, purgeContactEvents, sweepDeletedField, sweepDeletedTag } from './jobs.ts'
import { contactBulkRoutes } from './routes/bulk.ts'
import { contactRoutes } from './routes/contacts.ts'
import { importRoutes } from './routes/imports.ts'
import { contactNoteRoutes } from './routes/notes.ts'
import { tagAndFieldRoutes } from './routes/tags-and-fields.ts'
import { contactTimelineRoutes } from './routes/timeline.ts'
import { CustomField, Tag } from './schemas.ts'
import { listTags } from './store/tags-and-fields/tags.ts'
import { listCustomFields } from './tags-and-fields/custom-fields.ts'
import { contactTimeline } from './timeline/timeline-parts.ts'

const bootstrap = [
  bootstrapPart({
    name: 'tags',
    scope: 'tag:list',
    schema: Type.Array(Tag),
    load: ({ db }, { tenantId }) => listTags(db, tenantId),
  }),
  bootstrapPart({
    name: 'customFields',
    scope: 'custom_field:list',
    schema: Type.Array(CustomField),
    load: ({ db }, { tenantId }) => listCustomFields(db, tenantId, 'contact'),
  }),
]

export const contacts = domain({
  routes: [
    ...contactBulkRoutes,
    ...contactRoutes,
    ...contactNoteRoutes,
    ...importRoutes,
    ...tagAndFieldRoutes,
  ],
  jobs: [sweepDeletedTag, sweepDeletedField, importContacts, contactBulk.job],
  crons: [foldContactCounts, contactBulk.purge, purgeContactEvents],
  bootstrap,
  contactTimeline,
})

/** The timeline of a contact, over the parts of all domains. */
export function contactTimelineApi(parts: readonly TimelinePart[]): Domain {
  return domain({ routes: contactTimelineRoutes(parts) })
}
