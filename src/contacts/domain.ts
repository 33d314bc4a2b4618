import { domain } from '../platform/domain.ts'
import { importContacts } from './imports.ts'
import { contactRoutes } from './routes/contacts.ts'
import { importRoutes } from './routes/imports.ts'
import { labelRoutes } from './routes/labels.ts'
import { foldContactCounts, sweepDeletedField, sweepDeletedTag } from './sweeping.ts'

export const contacts = domain({
  routes: [...contactRoutes, ...importRoutes, ...labelRoutes],
  jobs: [sweepDeletedTag, sweepDeletedField, importContacts],
  crons: [foldContactCounts],
})
