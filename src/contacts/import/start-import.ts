/** Receives a CSV file, stores it and enqueues its import. The imports of a workspace run one after the other. */
import { Readable } from 'node:stream'
import { recordAudit } from '../../identity/audit.ts'
import type { Config } from '../../platform/config.ts'
import type { Queryable } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, StorageFull, UnsupportedMediaType, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { requireScopes } from '../../platform/http/authorize.ts'
import { receiveUpload, type UploadContext, writeUpload } from '../../platform/http/input/uploads.ts'
import type { Reply } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { detectBinary } from '../csv/encoding.ts'
import { ImportId } from '../schemas.ts'
import { getUnfinishedImportBytes, insertImport } from '../store/imports.ts'
import { parseMapping } from './mapping.ts'
import { importContacts } from './run-import.ts'

const maxFileBytes = 1024 ** 3

/** Returns the id of the import, whose status can be polled. */
export async function startImport(
  context: UploadContext & Pick<Deps, 'blobs' | 'config'>,
): Promise<{ importId: string } | Reply> {
  const { blobs, caller, config, request } = context
  await checkQuota(config, context.db, caller.tenantId)
  const importId = ImportId.create()
  const blob = `${caller.tenantId}/imports/${importId}`
  const discard = () => blobs.delete(blob)
  const upload = await receiveUpload(request, {
    fields: ['dryRun', 'createFields', 'mapping'],
    maxBytes: maxFileBytes,
    store: source => blobs.put(blob, rejectBinary(source), { maxBytes: maxFileBytes }),
    discard,
  })
  const operation = { operation: 'POST /contacts/import', status: 202 }
  try {
    const { filename, size } = upload
    const { mapping: mappingText, ...flags } = upload.fields
    const [dryRun, createFields] = parseFlags(flags)
    const mapping = mappingText === undefined ? null : parseMapping(mappingText)
    if (createFields) requireScopes(['custom_field:create'], caller)
    return await writeUpload(context, operation, upload, {
      onReplay: discard,
      write: async tx => {
        const row = { id: importId, caller, filename, blob, size, dryRun, createFields, mapping }
        await insertImport(tx, caller.tenantId, row)
        await checkQuota(config, tx, caller.tenantId)
        await recordAudit(
          tx,
          caller,
          'contact.import_started',
          { type: 'import', id: importId },
          { filename, size, dryRun, createFields },
        )
        await emitChanged(tx, caller.tenantId, { kind: 'import', id: importId }, { userIds: [caller.id] })
        await enqueue(tx, importContacts, {
          tenantId: caller.tenantId,
          orderingKey: 'imports',
          payload: { importId },
        })
        return { importId }
      },
    })
  } catch (error) {
    await discard()
    throw error
  }
}

/** 507 when the files of imports that have not ended exceed the quota; checked again when the size is known. */
async function checkQuota(
  { storageMbPerWorkspace: quota }: Config,
  on: Queryable,
  tenantId: string,
): Promise<void> {
  if ((await getUnfinishedImportBytes(on, tenantId)) <= quota * 1024 * 1024) return
  fail(
    StorageFull,
    `the files of imports that have not ended have at most ${quota} MiB; wait until one has ended, or send smaller files`,
  )
}

function parseFlags(fields: Record<string, string>): [dryRun: boolean, createFields: boolean] {
  const invalidFlags = Object.entries(fields).filter(([, value]) => value !== 'true' && value !== 'false')
  if (invalidFlags.length > 0)
    invalid(...invalidFlags.map(([name]) => violation(name, 'invalid_value', 'must be true or false')))
  return [fields.dryRun === 'true', fields.createFields === 'true']
}

const headBytes = 4_096

/** Passes the bytes on; fails if the first 4 KiB are not text. */
function rejectBinary(source: Readable): Readable {
  async function* checked() {
    let head: Buffer | undefined = Buffer.alloc(0)
    for await (const chunk of source) {
      if (head === undefined) {
        yield chunk
        continue
      }
      head = Buffer.concat([head, chunk as Buffer])
      if (head.length < headBytes) continue
      yield assertText(head)
      head = undefined
    }
    if (head !== undefined && head.length > 0) yield assertText(head)
  }
  return Readable.from(checked(), { objectMode: false })
}

function assertText(head: Buffer): Buffer {
  const reason = detectBinary(head.subarray(0, headBytes))
  if (reason) fail(UnsupportedMediaType, reason)
  return head
}
