import Type from 'typebox'
import { AnyId, literals, named, object, type Static } from '../../platform/http/schemas.ts'

export const importStatuses = ['queued', 'processing', 'completed', 'failed'] as const

export const ImportStatus = named(
  'ContactImport',
  object({
    importId: AnyId,
    status: literals(importStatuses),
    totalRows: Type.Integer({ description: 'known once the file has been looked at' }),
    successCount: Type.Integer(),
    failedCount: Type.Integer(),
    errors: Type.Array(
      object({
        row: Type.Integer({
          description: 'counts data records from 1; 0 is the header, or the file as a whole',
        }),
        column: Type.String(),
        message: Type.String(),
      }),
      { description: 'the first 1,000; also says which rows repeat a phone number of an earlier one' },
    ),
  }),
)
export type ImportStatus = Static<typeof ImportStatus>

const Flag = literals(['true', 'false'])
export const ImportForm = object({
  file: Type.String({ format: 'binary', description: 'CSV with a header; at most 1 GiB and 2,000,000 rows' }),
  dryRun: Type.Optional({ ...Flag, description: 'extension: only looks at the file' }),
  createFields: Type.Optional({
    ...Flag,
    description: 'extension: columns that are no custom field yet become one, of type text',
  }),
})
