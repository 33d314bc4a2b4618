/** Shows how the beginning of a file would be read by an import: separator, encoding, columns, rows and a mapping. */

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { BlobTooLarge } from '../../platform/blobs/blobs.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail, invalid, UnsupportedMediaType, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { receiveUpload } from '../../platform/http/input/uploads.ts'
import { decodeCells } from '../csv/cells.ts'
import { detectBinary } from '../csv/encoding.ts'
import { recordReader } from '../csv/records.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import { type FileInspection, inspectFile, UnreadableFile } from './inspect-file.ts'
import { suggestMapping } from './mapping.ts'

const maxPreviewBytes = 2 * 1024 * 1024
const maxRows = 20
const maxCellLength = 200

export async function previewImport(db: Db, caller: Caller, request: FastifyRequest) {
  const file = await receiveHead(request)
  const reason = detectBinary(file.subarray(0, 4_096))
  if (reason) fail(UnsupportedMediaType, reason)
  const inspection = await inspect(file)
  const definitions = await getFieldDefinitions(db, caller.tenantId)
  const mapping = suggestMapping(inspection.header, definitions)
  const rows = readRows(file, inspection)
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

function readRows(file: Buffer, { separator, start, encoding, header }: FileInspection): string[][] {
  const reader = recordReader(separator, start)
  const records = [...reader.push(file.subarray(start)), ...reader.end()]
  return records.slice(0, maxRows).map(record => {
    const cells = record.error ? [] : decodeCells(record, encoding.encoding)
    return header.map((_, i) => (cells[i] ?? '').slice(0, maxCellLength))
  })
}
