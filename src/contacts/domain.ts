import { domain } from '../platform/domain.ts'
import { importContacts } from './import/run-import.ts'
import { foldContactCounts, sweepDeletedField, sweepDeletedTag } from './jobs.ts'
import { contactRoutes } from './routes/contacts.ts'
import { importRoutes } from './routes/imports.ts'
import { tagAndFieldRoutes } from './routes/tags-and-fields.ts'

export const contacts = domain({
  routes: [...contactRoutes, ...importRoutes, ...tagAndFieldRoutes],
  jobs: [sweepDeletedTag, sweepDeletedField, importContacts],
  crons: [foldContactCounts],
})
