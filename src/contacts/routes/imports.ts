import Type from 'typebox'
import { recordAudit } from '../../identity/audit.ts'
import { everyone, managers } from '../../identity/rights/roles.ts'
import { BodyTooLarge, fail, StorageFull, UnsupportedMediaType } from '../../platform/errors.ts'
import { IdempotencyKeyBusy, IdempotencyKeyReused } from '../../platform/http/idempotency/idempotency.ts'
import { nextPageToken, tokenPage, withNextPage } from '../../platform/http/page.ts'
import { replyWithCsv } from '../../platform/http/response/export-reply.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { exportContacts } from '../csv/export-contacts.ts'
import { ContactImportNotFound } from '../errors.ts'
import { previewImport, startImport } from '../import/start-import.ts'
import { ImportForm, ImportPreview, ImportStatus, ImportSummary } from '../schemas.ts'
import { findImportStatus, listImports } from '../store/imports.ts'

const route = section('Contacts')

export const importRoutes = [
  route('POST /contacts/import', {
    operationId: 'importContacts',
    summary: 'Import contacts from a CSV file, in the background',
    description:
      'Columns: name, phone, email, externalRef, tags (names separated by commas or semicolons) and any custom field by its name. A row updates the contact with its phone number; without one, the contact with its externalRef or e-mail address. Other rows create contacts. Blank cells change nothing, missing cells at the end of a row are blank, and lines without text are skipped. Creating custom fields needs custom_field:create, creating tags tag:create.',
    access: { scopes: ['contact:create'], roles: everyone },
    multipart: true,
    idempotent: false, // the key is checked after the upload
    body: ImportForm,
    success: { status: 202, body: object({ importId: AnyId }) },
    errors: [BodyTooLarge, UnsupportedMediaType, IdempotencyKeyBusy, IdempotencyKeyReused, StorageFull],
    handle: context => startImport(context),
  }),
  route('POST /contacts/import/preview', {
    operationId: 'previewContactImport',
    summary: 'Preview how an import would read a file',
    description:
      'Send the beginning of the file, at most 2 MiB. Returns the detected separator and encoding, the columns with a suggested mapping, and the first 20 rows. Nothing is stored.',
    access: { scopes: ['contact:create'], roles: everyone },
    extension: true,
    multipart: true,
    idempotent: false,
    body: object({ file: Type.String({ format: 'binary' }) }),
    success: { status: 200, body: ImportPreview },
    errors: [BodyTooLarge, UnsupportedMediaType],
    handle: ({ db, caller, request }) => previewImport(db, caller, request),
  }),
  route('GET /contacts/imports', {
    operationId: 'listContactImports',
    summary: 'List the imports, newest first',
    description: 'Without the errors of their rows. Agents see their own imports only.',
    access: { scopes: ['contact:list'], roles: everyone },
    extension: true,
    page: tokenPage,
    success: { status: 200, body: object({ imports: Type.Array(ImportSummary), nextPageToken }) },
    handle: async ({ db, caller, page }) => {
      const { rows, next } = page.toPage(await listImports(db, caller, page), row => [row.importId])
      return { imports: rows, ...withNextPage(next) }
    },
  }),
  route('GET /contacts/imports/{id}', {
    operationId: 'getContactImport',
    summary: 'Get the progress of an import and the errors of its rows',
    description: 'Poll it until `status` is `completed` or `failed`.',
    access: { scopes: ['contact:list'], roles: everyone },
    success: { status: 200, body: ImportStatus },
    errors: [ContactImportNotFound],
    handle: async ({ db, caller, params }) =>
      (await findImportStatus(db, caller, params.id)) ?? fail(ContactImportNotFound),
  }),
  route('GET /contacts/export', {
    operationId: 'exportContacts',
    summary: 'Export contacts as CSV',
    description:
      'The import reads it back to the same contacts. A cell that a spreadsheet would run as a formula begins with an apostrophe, which the import removes.',
    access: { scopes: ['contact:export'], roles: managers },
    extension: true,
    query: object({
      archived: Type.Optional(Type.Boolean({ description: 'archived contacts instead of active ones' })),
    }),
    success: { status: 200, contentType: 'text/csv' },
    handle: context => {
      const { db, write, caller, query } = context
      const { tenantId } = caller
      const archived = query.archived ?? false
      const workspace = { type: 'workspace', id: tenantId }
      return replyWithCsv(context, {
        tenantId,
        fileName: 'contacts.csv',
        lines: exportContacts(db, caller, { archived }),
        record: () => write(tx => recordAudit(tx, caller, 'contact.exported', workspace, { archived })),
      })
    },
  }),
]
