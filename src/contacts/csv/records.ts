/**
 * Splits the bytes of a CSV file into records and reports the offset behind each record, so that reading can resume
 * there. The result depends on the bytes alone, not on the chunks they arrive in. A record with broken quotes ends with
 * its first line, so that a bad row never consumes the rest of the file.
 */
export type RecordError = 'unclosed quote' | 'text after quote' | 'too many cells' | 'too large'

const maxCells = 10_000

interface RecordBounds {
  /** Position behind the line end; -1 when more bytes are needed. */
  next: number
  /** Position before the line end. */
  stop: number
  error: RecordError | undefined
}

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const incomplete: RecordBounds = { next: -1, stop: -1, error: undefined }

export interface CsvRecord {
  /** The bytes without the line end; `cells` are positions in them. */
  bytes: Buffer
  /** Three numbers for each cell: start, end, and 0 plain, 1 quoted, 2 with doubled quotes. */
  cells: readonly number[]
  error: RecordError | undefined
  /** Offset behind the record in the file. */
  end: number
}

export interface RecordReader {
  push(chunk: Buffer): CsvRecord[]
  /** Returns the remaining records at the end of the file. */
  end(): CsvRecord[]
}

export const maxRecordBytes = 4 * 1024 * 1024
/** Each search for a missing closing quote scans up to maxRecordBytes. */
const maxLongSearches = 20

export class TooManyUnclosedQuotes extends Error {
  constructor() {
    super('too many quotes are never closed')
  }
}

export function recordReader(separator: number, offset = 0): RecordReader {
  const searches = { long: 0 }
  let pending: Buffer = Buffer.alloc(0)
  let start = offset // of `pending` in the file
  let skipping = false // within a line that is too large to buffer

  /** Discards bytes up to the end of the line. */
  function skip(at: number, records: CsvRecord[], isLast: boolean): number {
    const line = findLineEnd(pending, at, isLast)
    skipping = line.next < 0
    if (skipping) return pending.at(-1) === carriageReturn ? pending.length - 1 : pending.length
    records.push({ bytes: Buffer.alloc(0), cells: [], error: 'too large', end: start + line.next })
    return line.next
  }

  function take(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = skipping ? skip(0, records, isLast) : 0
    while (at < pending.length && !skipping) {
      const cells: number[] = []
      const exact = findRecord(pending, at, separator, isLast, cells)
      const bounds = resolveBounds(pending, at, isLast, exact, searches)
      if (bounds === undefined) break
      const record = buildRecord(pending, at, cells, bounds, start)
      if (record) records.push(record)
      at = bounds.error === 'too large' ? skip(at, records, isLast) : bounds.next
    }
    start += at
    pending = pending.subarray(at)
    return records
  }

  const arrived: Buffer[] = []
  let size = 0 // of the chunks that arrived after `pending`

  function flush(isLast: boolean): CsvRecord[] {
    pending =
      pending.length === 0 && arrived.length === 1 ? arrived[0]! : Buffer.concat([pending, ...arrived])
    arrived.length = 0
    size = 0
    return take(isLast)
  }

  return {
    push(chunk) {
      arrived.push(chunk)
      size += chunk.length
      // A long record is scanned again when its size has doubled, not for every chunk.
      return size < pending.length && pending.length < maxRecordBytes ? [] : flush(false)
    },
    end: () => flush(true),
  }
}

/** Returns the record, or the first line of a broken record; undefined when more bytes are needed. */
function resolveBounds(
  pending: Buffer,
  at: number,
  isLast: boolean,
  exact: RecordBounds,
  searches: { long: number },
): RecordBounds | undefined {
  const isOver = ({ next }: RecordBounds) => (next < 0 ? pending.length : next) - at > maxRecordBytes
  const isLong = isOver(exact)
  if (!isLong && !exact.error) return exact.next < 0 ? undefined : exact
  const line = findLineEnd(pending, at, isLast)
  if (isOver(line)) return { ...line, error: 'too large' }
  if (line.next < 0) return undefined
  const error = isLong ? 'unclosed quote' : exact.error
  if (error !== 'text after quote' && ++searches.long > maxLongSearches) throw new TooManyUnclosedQuotes()
  return { ...line, error }
}

/** Returns undefined for a line without text in any cell and for a line that is skipped. */
function buildRecord(
  pending: Buffer,
  at: number,
  cells: number[],
  { stop, next, error }: RecordBounds,
  start: number,
): CsvRecord | undefined {
  if (error === 'too large' || (!error && isBlank(pending, cells))) return undefined
  for (let i = 0; i < cells.length; i += 3) {
    cells[i]! -= at
    cells[i + 1]! -= at
  }
  return { bytes: pending.subarray(at, stop), cells: error ? [] : cells, error, end: start + next }
}

function isBlank(bytes: Buffer, cells: readonly number[]): boolean {
  for (let i = 0; i < cells.length; i += 3) {
    for (let at = cells[i]!; at < cells[i + 1]!; at++)
      if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false
  }
  return true
}

/** Appends three numbers for each cell to `cells`: start, end, and 0 plain, 1 quoted, 2 with doubled quotes. */
function findRecord(
  bytes: Buffer,
  from: number,
  separator: number,
  isLast: boolean,
  cells: number[],
): RecordBounds {
  for (let at = from; ; ) {
    const end = findCell(bytes, at, separator, isLast, cells)
    if (end < 0) return isLast ? { next: at, stop: at, error: 'unclosed quote' } : incomplete
    if (bytes[end] !== separator) return closeRecord(bytes, end, isLast)
    at = end + 1
    if (cells.length === 3 * maxCells) return { next: at, stop: at, error: 'too many cells' }
    if (at === bytes.length && !isLast) return incomplete
  }
}

/** Returns the position behind the cell; -1 when more bytes are needed. */
function findCell(bytes: Buffer, at: number, separator: number, isLast: boolean, cells: number[]): number {
  if (bytes[at] !== quote) {
    const end = findPlainEnd(bytes, at, separator)
    if (end === bytes.length && !isLast) return -1
    cells.push(at, end, 0)
    return end
  }
  const close = findClosing(bytes, at + 1)
  // A quote at the end of the buffer may be the first of a doubled quote.
  if (close.at < 0 || (close.at + 1 === bytes.length && !isLast)) return -1
  cells.push(at + 1, close.at, close.doubled ? 2 : 1)
  return close.at + 1
}

function findClosing(bytes: Buffer, from: number): { at: number; doubled: boolean } {
  let doubled = false
  for (let at = bytes.indexOf(quote, from); at >= 0; at = bytes.indexOf(quote, at + 2)) {
    if (bytes[at + 1] !== quote) return { at, doubled }
    doubled = true
  }
  return { at: -1, doubled }
}

function findPlainEnd(bytes: Buffer, from: number, separator: number): number {
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === separator || byte === lineFeed || byte === carriageReturn) break
  }
  return at
}

function closeRecord(bytes: Buffer, end: number, isLast: boolean): RecordBounds {
  if (end < bytes.length && bytes[end] !== lineFeed && bytes[end] !== carriageReturn)
    return { next: end, stop: end, error: 'text after quote' }
  return lineEndAt(bytes, end, isLast)
}

/** Reads the line end at `end`: LF, CR, CRLF or the end of the file. */
function lineEndAt(bytes: Buffer, end: number, isLast: boolean): RecordBounds {
  if (end >= bytes.length) return isLast ? { next: end, stop: end, error: undefined } : incomplete
  if (bytes[end] === lineFeed) return { next: end + 1, stop: end, error: undefined }
  if (end + 1 === bytes.length && !isLast) return incomplete
  return { next: bytes[end + 1] === lineFeed ? end + 2 : end + 1, stop: end, error: undefined }
}

function findLineEnd(bytes: Buffer, from: number, isLast: boolean): RecordBounds {
  let at = from
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
  return lineEndAt(bytes, at, isLast)
}
