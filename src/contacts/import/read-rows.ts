/** Reads the rows of a stored file from a byte offset on and groups them into batches of one transaction each. */
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { type CsvRecord, recordReader } from '../csv/records.ts'
import type { FileFormat, RowError } from './parse-header.ts'
import { buildFieldLookup, buildProfile, type ParsedRow, parseRow } from './parse-row.ts'
import type { SeenPhones } from './seen-phones.ts'

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
