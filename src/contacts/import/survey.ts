/**
 * The first look at a file, from its beginning to its end: what separates its cells, how its letters are written, and
 * how many rows it has. Nothing is kept of it but that.
 */

import { cellsOf } from '../csv/cells.ts'
import { byteOrderMark, encodingWatch, type Letters } from '../csv/encoding.ts'
import { recordReader, TooManyBrokenQuotes } from '../csv/records.ts'
import { findHeader, type Header } from '../csv/separator.ts'
import { isOwnColumn } from './columns.ts'
import { pace } from './pace.ts'

export const mostRows = 2_000_000
const longestHeader = 1024 * 1024

export interface Survey {
  letters: Letters
  separator: number
  header: string[]
  /** Where the first row begins. */
  start: number
  rows: number
}

/** The message of an error is for whoever sent the file. */
export class Unreadable extends Error {}

export async function survey(file: AsyncIterable<Buffer>): Promise<Survey> {
  const chunks = file[Symbol.asyncIterator]()
  const { head, isAll } = await readHead(chunks)
  const isMarked = head.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const bom = isMarked ? byteOrderMark.length : 0
  const found = findHeader(head.subarray(bom), isAll, isOwnColumn)
  if (!found && isAll) throw new Unreadable('the file is empty: it needs a header')
  if (!found) throw new Unreadable('the header cannot be read: it is too long, or a quote is never closed')
  if (found.record.fault) throw new Unreadable(`the header cannot be read: ${found.record.fault}`)
  const counted = await countRows(head, chunks, found, bom)
  const letters: Letters = isMarked ? { encoding: 'utf-8', mayBreak: true } : counted.letters
  return {
    letters,
    separator: found.separator,
    header: cellsOf(found.record, letters.encoding),
    start: bom + found.record.end,
    rows: counted.rows,
  }
}

/** As much as holds the header. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isAll: boolean }> {
  let head = Buffer.alloc(0)
  while (head.length <= longestHeader) {
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
): Promise<{ rows: number; letters: Letters }> {
  const reader = recordReader(separator)
  const watch = encodingWatch()
  const breathe = pace()
  let rows = 0
  try {
    watch.see(head)
    rows += reader.push(head.subarray(bom + record.end)).length
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      watch.see(next.value)
      rows += reader.push(next.value).length
      if (rows > mostRows) throw new Unreadable(`there are more than ${mostRows} rows: split the file`)
      await breathe()
    }
    rows += reader.end().length
  } catch (error) {
    throw error instanceof TooManyBrokenQuotes
      ? new Unreadable(`the file cannot be read: ${error.message}`)
      : error
  }
  return { rows, letters: watch.result() }
}
