/**
 * Receives a CSV file: stores it and enqueues its import, or shows how its beginning would be read. The imports of a
 * workspace run one after the other.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../identity/audit.ts'
import { BlobTooLarge } from '../../platform/blobs/blobs.ts'
import type { Config } from '../../platform/config.ts'
import type { Db, Queryable } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, StorageFull, UnsupportedMediaType, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { requireScopes } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { receiveUpload, type UploadContext, writeUpload } from '../../platform/http/input/uploads.ts'
import type { Reply } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { decodeCells } from '../csv/cells.ts'
import { detectBinary } from '../csv/encoding.ts'
import { recordReader } from '../csv/records.ts'
import { ImportId } from '../schemas.ts'
import { getUnfinishedImportBytes, insertImport } from '../store/imports.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { type FileInspection, inspectFile, UnreadableFile } from './inspect-file.ts'
import { parseMapping, suggestMapping } from './prepare-import.ts'
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

const maxPreviewBytes = 2 * 1024 * 1024
const maxPreviewRows = 20
const maxCellLength = 200

/** Returns separator, encoding, columns with a suggested mapping, and the first rows. */
export async function previewImport(db: Db, caller: Caller, request: FastifyRequest) {
  const file = await receiveHead(request)
  const reason = detectBinary(file.subarray(0, headBytes))
  if (reason) fail(UnsupportedMediaType, reason)
  const inspection = await inspect(file)
  const definitions = await getFieldDefinitions(db, caller.tenantId)
  const mapping = suggestMapping(inspection.header, definitions)
  const rows = readPreviewRows(file, inspection)
  return {
    separator: String.fromCharCode(inspection.separator),
    encoding: inspection.encoding.encoding,
    columns: inspection.header.map((header, i) => ({ header, suggestion: mapping[i]! })),
    rows,
  }
}

/** The file stays in memory, which its limit makes small. */
async function receiveHead(request: FastifyRequest): Promise<Buffer> {
  let received = Buffer.alloc(0)
  const store = async (source: Readable) => {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxPreviewBytes) throw new BlobTooLarge(maxPreviewBytes)
      chunks.push(chunk)
    }
    received = Buffer.concat(chunks)
    return { size, sha256: createHash('sha256').update(received).digest('hex') }
  }
  await receiveUpload(request, { fields: [], maxBytes: maxPreviewBytes, store, discard: async () => {} })
  return received
}

async function inspect(file: Buffer): Promise<FileInspection> {
  try {
    return await inspectFile(Readable.from([file]))
  } catch (error) {
    if (error instanceof UnreadableFile) return invalid(violation('file', 'unreadable', error.message))
    throw error
  }
}

function readPreviewRows(file: Buffer, { separator, start, encoding, header }: FileInspection): string[][] {
  const reader = recordReader(separator, start)
  const records = [...reader.push(file.subarray(start)), ...reader.end()]
  return records.slice(0, maxPreviewRows).map(record => {
    const cells = record.error ? [] : decodeCells(record, encoding.encoding)
    return header.map((_, i) => (cells[i] ?? '').slice(0, maxCellLength))
  })
}
