/** Reads a file once from beginning to end to detect its separator, its header, its encoding and its number of rows. */
import { yieldEvery } from '../../platform/yield.ts'
import { decodeCells } from '../csv/cells.ts'
import { byteOrderMark, encodingDetector, type TextEncoding } from '../csv/encoding.ts'
import { type CsvRecord, recordReader, TooManyUnclosedQuotes } from '../csv/records.ts'
import { isBuiltInColumn } from './parse-header.ts'

const maxRows = 2_000_000
const maxHeaderBytes = 1024 * 1024
const separators = [',', ';', '\t'].map(character => character.charCodeAt(0))

export interface FileInspection {
  encoding: TextEncoding
  separator: number
  header: string[]
  /** Offset of the first row. */
  start: number
  rows: number
}

/** The message is shown to the caller who uploaded the file. */
export class UnreadableFile extends Error {}

export async function inspectFile(file: AsyncIterable<Buffer>): Promise<FileInspection> {
  const chunks = file[Symbol.asyncIterator]()
  const { head, isComplete } = await readHead(chunks)
  const hasMark = head.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const offset = hasMark ? byteOrderMark.length : 0
  const header = findHeader(head.subarray(offset), isComplete)
  if (!header && isComplete) throw new UnreadableFile('the file is empty: it needs a header')
  if (!header)
    throw new UnreadableFile('the header cannot be read: it is too long, or a quote is never closed')
  if (header.record.error) throw new UnreadableFile(`the header cannot be read: ${header.record.error}`)
  const counted = await countRows(head, chunks, header, offset)
  const encoding: TextEncoding = hasMark ? { encoding: 'utf-8', mayBeInvalid: true } : counted.encoding
  return {
    encoding,
    separator: header.separator,
    header: decodeCells(header.record, encoding.encoding),
    start: offset + header.record.end,
    rows: counted.rows,
  }
}

/** Reads enough of the file to contain the header. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isComplete: boolean }> {
  let head = Buffer.alloc(0)
  while (head.length <= maxHeaderBytes) {
    const { done, value } = await chunks.next()
    if (done) return { head, isComplete: true }
    head = Buffer.concat([head, value])
    if (head.includes(0x0a) && head.length >= 65_536) break
  }
  return { head, isComplete: false }
}

interface Header {
  separator: number
  record: CsvRecord
}

/** Chooses the separator with the most built-in columns, then the most columns; undefined without a complete header. */
export function findHeader(head: Buffer, isComplete: boolean): Header | undefined {
  const candidates = separators.flatMap(separator => {
    const reader = recordReader(separator)
    const record = reader.push(head)[0] ?? (isComplete ? reader.end()[0] : undefined)
    if (!record) return []
    const names = record.error ? [] : decodeCells(record, 'utf-8')
    return [{ separator, record, known: names.filter(isBuiltInColumn).length, count: names.length }]
  })
  candidates.sort((a, b) => b.known - a.known || b.count - a.count)
  return candidates[0]
}

async function countRows(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  { separator, record }: Header,
  offset: number,
): Promise<{ rows: number; encoding: TextEncoding }> {
  const reader = recordReader(separator)
  const detector = encodingDetector()
  const maybeYield = yieldEvery()
  let rows = 0
  try {
    detector.push(head)
    rows += reader.push(head.subarray(offset + record.end)).length
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      detector.push(next.value)
      rows += reader.push(next.value).length
      if (rows > maxRows) throw new UnreadableFile(`the file has more than ${maxRows} rows: split it`)
      await maybeYield()
    }
    rows += reader.end().length
  } catch (error) {
    throw error instanceof TooManyUnclosedQuotes
      ? new UnreadableFile(`the file cannot be read: ${error.message}`)
      : error
  }
  return { rows, encoding: detector.result() }
}
