import { problemKind } from '../../platform/errors.ts'

export const ContactImportNotFound = problemKind(404, 'contact_import_not_found', 'There is no such import')
