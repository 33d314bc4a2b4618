/**
 * Finds the records of a CSV file in its bytes as they arrive, and says where each ends, so that reading can go on
 * from there later. What is found depends on the bytes alone, not on how they are cut into pieces. A record whose
 * quotes are broken ends with its first line: one bad row costs itself, not the rest of the file.
 */
import { carriageReturn, findLineEnd, findRecord, type RecordBounds, type RecordError } from './scan.ts'

export interface CsvRecord {
  /** Its bytes, without the line end; what `cells` speak of. */
  bytes: Buffer
  /** Three numbers for each cell: its start, its end, and 0 plain, 1 quoted, 2 with doubled quotes. */
  cells: readonly number[]
  error: RecordError | undefined
  /** Where it ends in the file: the next one begins there. */
  end: number
}

export interface RecordReader {
  push(chunk: Buffer): CsvRecord[]
  /** There are no more bytes. */
  end(): CsvRecord[]
}

export const maxRecordBytes = 4 * 1024 * 1024
/** Looking for an end that never comes costs as much as the largest record; a file may do that only so often. */
const maxLongSearches = 20

export class TooManyUnclosedQuotes extends Error {
  constructor() {
    super('too many quotes are never closed')
  }
}

export function recordReader(separator: number, offset = 0): RecordReader {
  const searches = { long: 0 }
  let held: Buffer = Buffer.alloc(0)
  let start = offset // of `held` in the file
  let skipping = false // within a line that is too large to hold

  /** Drops bytes up to the end of the line. */
  function skip(at: number, records: CsvRecord[], isLast: boolean): number {
    const line = findLineEnd(held, at, isLast)
    skipping = line.next < 0
    if (skipping) return held.at(-1) === carriageReturn ? held.length - 1 : held.length
    records.push({ bytes: Buffer.alloc(0), cells: [], error: 'too large', end: start + line.next })
    return line.next
  }

  function take(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = skipping ? skip(0, records, isLast) : 0
    while (at < held.length && !skipping) {
      const cells: number[] = []
      const exact = findRecord(held, at, separator, isLast, cells)
      const found = resolveBounds(held, at, isLast, exact, searches)
      if (found === undefined) break
      const record = buildRecord(held, at, cells, found, start)
      if (record) records.push(record)
      at = found.error === 'too large' ? skip(at, records, isLast) : found.next
    }
    start += at
    held = held.subarray(at)
    return records
  }

  const arrived: Buffer[] = []
  let size = 0 // of what arrived behind `held`

  function gather(isLast: boolean): CsvRecord[] {
    held = held.length === 0 && arrived.length === 1 ? arrived[0]! : Buffer.concat([held, ...arrived])
    arrived.length = 0
    size = 0
    return take(isLast)
  }

  return {
    push(chunk) {
      arrived.push(chunk)
      size += chunk.length
      // A long record is looked at again when there is as much more of it, not with every chunk.
      return size < held.length && held.length < maxRecordBytes ? [] : gather(false)
    },
    end: () => gather(true),
  }
}

/** The record as found, or the first line of one that is broken; nothing when more bytes must arrive first. */
function resolveBounds(
  held: Buffer,
  at: number,
  isLast: boolean,
  exact: RecordBounds,
  searches: { long: number },
): RecordBounds | undefined {
  const isOver = ({ next }: RecordBounds) => (next < 0 ? held.length : next) - at > maxRecordBytes
  const isLong = isOver(exact)
  if (!isLong && !exact.error) return exact.next < 0 ? undefined : exact
  const line = findLineEnd(held, at, isLast)
  if (isOver(line)) return { ...line, error: 'too large' }
  if (line.next < 0) return undefined
  const fault = isLong ? 'unclosed quote' : exact.error
  if (fault !== 'text after quote' && ++searches.long > maxLongSearches) throw new TooManyUnclosedQuotes()
  return { ...line, error: fault }
}

/** Nothing for an empty line, and for what is to be skipped. */
function buildRecord(
  held: Buffer,
  at: number,
  cells: number[],
  { stop, next, error: fault }: RecordBounds,
  start: number,
): CsvRecord | undefined {
  const isBlank = cells.length === 3 && cells[2] === 0 && cells[0] === cells[1]
  if (fault === 'too large' || (isBlank && !fault)) return undefined
  for (let i = 0; i < cells.length; i += 3) {
    cells[i]! -= at
    cells[i + 1]! -= at
  }
  return { bytes: held.subarray(at, stop), cells: fault ? [] : cells, error: fault, end: start + next }
}
