/**
 * The first look at a file, from its beginning to its end: what separates its cells, how its letters are written, and
 * how many rows it has. Nothing is kept of it but that.
 */

import { yieldEvery } from '../../platform/yield.ts'
import { decodeCells } from '../csv/cells.ts'
import { byteOrderMark, encodingDetector, type TextEncoding } from '../csv/encoding.ts'
import { recordReader, TooManyUnclosedQuotes } from '../csv/records.ts'
import { findHeader, type Header } from '../csv/separator.ts'
import { isBuiltInColumn } from './parse-header.ts'

export const maxRows = 2_000_000
const maxHeaderBytes = 1024 * 1024

export interface FileInspection {
  encoding: TextEncoding
  separator: number
  header: string[]
  /** Where the first row begins. */
  start: number
  rows: number
}

/** The message of an error is for whoever sent the file. */
export class UnreadableFile extends Error {}

export async function inspectFile(file: AsyncIterable<Buffer>): Promise<FileInspection> {
  const chunks = file[Symbol.asyncIterator]()
  const { head, isAll } = await readHead(chunks)
  const isMarked = head.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const bom = isMarked ? byteOrderMark.length : 0
  const found = findHeader(head.subarray(bom), isAll, isBuiltInColumn)
  if (!found && isAll) throw new UnreadableFile('the file is empty: it needs a header')
  if (!found)
    throw new UnreadableFile('the header cannot be read: it is too long, or a quote is never closed')
  if (found.record.error) throw new UnreadableFile(`the header cannot be read: ${found.record.error}`)
  const counted = await countRows(head, chunks, found, bom)
  const letters: TextEncoding = isMarked ? { encoding: 'utf-8', mayBreak: true } : counted.encoding
  return {
    encoding: letters,
    separator: found.separator,
    header: decodeCells(found.record, letters.encoding),
    start: bom + found.record.end,
    rows: counted.rows,
  }
}

/** As much as holds the header. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isAll: boolean }> {
  let head = Buffer.alloc(0)
  while (head.length <= maxHeaderBytes) {
    const { done, value } = await chunks.next()
    if (done) return { head, isAll: true }
    head = Buffer.concat([head, value])
    if (head.includes(0x0a) && head.length >= 65_536) break
  }
  return { head, isAll: false }
}

async function countRows(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  { separator, record }: Header,
  bom: number,
): Promise<{ rows: number; encoding: TextEncoding }> {
  const reader = recordReader(separator)
  const watch = encodingDetector()
  const breathe = yieldEvery()
  let rows = 0
  try {
    watch.push(head)
    rows += reader.push(head.subarray(bom + record.end)).length
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      watch.push(next.value)
      rows += reader.push(next.value).length
      if (rows > maxRows) throw new UnreadableFile(`there are more than ${maxRows} rows: split the file`)
      await breathe()
    }
    rows += reader.end().length
  } catch (error) {
    throw error instanceof TooManyUnclosedQuotes
      ? new UnreadableFile(`the file cannot be read: ${error.message}`)
      : error
  }
  return { rows, encoding: watch.result() }
}
