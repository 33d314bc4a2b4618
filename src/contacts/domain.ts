import { domain } from '../platform/domain.ts'
import { importContacts } from './import/start-import.ts'
import { contactRoutes } from './routes/contacts.ts'
import { importRoutes } from './routes/imports.ts'
import { tagAndFieldRoutes } from './routes/tags-and-fields.ts'
import { foldContactCounts, sweepDeletedField, sweepDeletedTag } from './sweeping.ts'

export const contacts = domain({
  routes: [...contactRoutes, ...importRoutes, ...tagAndFieldRoutes],
  jobs: [sweepDeletedTag, sweepDeletedField, importContacts],
  crons: [foldContactCounts],
})
