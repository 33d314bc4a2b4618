/** Where records and lines end in a piece of a CSV file. Pure: nothing here remembers anything. */

export type RecordError = 'unclosed quote' | 'text after quote' | 'too many cells' | 'too large'

const maxCells = 10_000

export interface RecordBounds {
  /** Behind the line end; -1 when more bytes are needed. */
  next: number
  /** Before the line end. */
  stop: number
  error: RecordError | undefined
}

const quote = 0x22
const lineFeed = 0x0a
export const carriageReturn = 0x0d
const incomplete: RecordBounds = { next: -1, stop: -1, error: undefined }

/** Puts three numbers for each cell into `cells`: its start, its end, and 0 plain, 1 quoted, 2 with doubled quotes. */
export function findRecord(
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

/** Gives the place behind the cell; -1 when its end is not there. */
function findCell(bytes: Buffer, at: number, separator: number, isLast: boolean, cells: number[]): number {
  if (bytes[at] !== quote) {
    const end = findPlainEnd(bytes, at, separator)
    if (end === bytes.length && !isLast) return -1
    cells.push(at, end, 0)
    return end
  }
  const close = findClosing(bytes, at + 1)
  // At the very end it may be the first of two.
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

/** At `end` there is a line feed, a carriage return with or without one, or the end of the file. */
function lineEndAt(bytes: Buffer, end: number, isLast: boolean): RecordBounds {
  if (end >= bytes.length) return isLast ? { next: end, stop: end, error: undefined } : incomplete
  if (bytes[end] === lineFeed) return { next: end + 1, stop: end, error: undefined }
  if (end + 1 === bytes.length && !isLast) return incomplete
  return { next: bytes[end + 1] === lineFeed ? end + 2 : end + 1, stop: end, error: undefined }
}

export function findLineEnd(bytes: Buffer, from: number, isLast: boolean): RecordBounds {
  let at = from
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
  return lineEndAt(bytes, at, isLast)
}
