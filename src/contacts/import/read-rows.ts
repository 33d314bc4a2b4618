/** Reads the rows of a stored file from a byte offset on and groups them into batches of one transaction each. */
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { type CsvRecord, recordReader } from '../csv/records.ts'
import type { FileFormat, RowError } from './inspect-file.ts'
import { buildFieldLookup, buildProfile, type ParsedRow, parseRow } from './parse-row.ts'

export interface ByteRange {
  /** Offset of the first record. */
  from: number
  /** Offset behind the last record. */
  to: number
  /** Number of the first row. */
  row: number
}

/** Yields the rows of each chunk of the file. */
export async function* readRows(
  blobs: Blobs,
  blob: string,
  format: FileFormat,
  { from, to, row }: ByteRange,
): AsyncGenerator<{ row: number; record: CsvRecord }[]> {
  if (from >= to) return
  const reader = recordReader(format.separator, from)
  const file = await blobs.get(blob, { start: from, end: to - 1 })
  let next = row
  const numbered = (records: CsvRecord[]) => records.map(record => ({ row: next++, record }))
  for await (const chunk of file) yield numbered(reader.push(chunk as Buffer))
  yield numbered(reader.end())
}

/** Large enough for the throughput of the database, small enough that no other request waits long for a batch. */
const maxBatchRows = 1_000
const maxBatchBytes = 1024 * 1024

export interface Batch {
  /** Offset of the first record. */
  start: number
  /** Offset behind the last record. */
  end: number
  rows: ParsedRow[]
  errors: RowError[]
  failed: number
  bytes: number
}

export function emptyBatch(start: number): Batch {
  return { start, end: start, rows: [], errors: [], failed: 0, bytes: 0 }
}

export function isFull(batch: Batch): boolean {
  return batch.rows.length + batch.failed >= maxBatchRows || batch.bytes >= maxBatchBytes
}

export function isEmpty(batch: Batch): boolean {
  return batch.rows.length + batch.failed === 0
}

/** Returns a function that parses a record and adds it to a batch. A dry run skips the profiles, which are not written. */
export function batchReader(
  format: FileFormat,
  seen: SeenPhones,
  dryRun: boolean,
): (batch: Batch, row: number, record: CsvRecord) => void {
  const getField = buildFieldLookup(format.columns)
  return (batch, row, record) => {
    const values = parseRow(record, row, format)
    batch.end = record.end
    batch.bytes += record.bytes.length
    if (Array.isArray(values)) {
      batch.failed++
      batch.errors.push(...values)
    } else {
      const firstRow = values.phone === undefined ? row : seen.add(values.phone, row)
      batch.rows.push({ values, profile: dryRun ? undefined : buildProfile(values, getField), firstRow })
    }
  }
}

/**
 * Hash table from phone numbers to the row of their first occurrence. Twelve bytes per slot keep a million numbers in a
 * few tens of megabytes. A number is stored as two halves of nine digits; no phone number has more than eighteen.
 */
export interface SeenPhones {
  /** Returns the row of the first occurrence: the given row when the number is new. */
  add(phone: string, row: number): number
}

const maxLoad = 0.7

/** `expected` is the number of phone numbers: growing the table later would block the process for a moment. */
export function seenPhones(expected = 0): SeenPhones {
  let slots = 1 << Math.max(10, Math.ceil(Math.log2((expected + 1) / maxLoad)))
  let high = new Uint32Array(slots)
  let low = new Uint32Array(slots)
  let rows = new Uint32Array(slots) // 0 in free slots
  let used = 0

  /** Returns the slot of the number, or the free slot for it. */
  function find(a: number, b: number): number {
    const mask = slots - 1
    let slot = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) >>> 0
    slot = (slot ^ (slot >>> 15)) & mask
    while (rows[slot] !== 0 && (high[slot] !== a || low[slot] !== b)) slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const previous = { high, low, rows }
    slots *= 2
    high = new Uint32Array(slots)
    low = new Uint32Array(slots)
    rows = new Uint32Array(slots)
    for (const [i, row] of previous.rows.entries()) {
      if (row === 0) continue
      const slot = find(previous.high[i]!, previous.low[i]!)
      high[slot] = previous.high[i]!
      low[slot] = previous.low[i]!
      rows[slot] = row
    }
  }

  return {
    add(phone, row) {
      const a = Number(phone.slice(1, 10))
      const b = Number(`1${phone.slice(10)}`) // the 1 keeps leading zeros and the length
      const slot = find(a, b)
      if (rows[slot] !== 0) return rows[slot]!
      high[slot] = a
      low[slot] = b
      rows[slot] = row
      if (++used > slots * maxLoad) grow()
      return row
    },
  }
}
