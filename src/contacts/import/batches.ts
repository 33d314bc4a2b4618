/** Puts rows together that are to be stored in one transaction. */
import type { CsvRecord } from '../csv/records.ts'
import type { FileFormat } from './layout.ts'
import type { RowError } from './parse-header.ts'
import { parseRow } from './parse-row.ts'
import { buildFieldLookup, buildProfile, type ParsedRow } from './prepared.ts'
import type { SeenPhones } from './seen-phones.ts'

/** Large enough that the database is at its best, small enough that nobody else waits for one. */
const maxBatchRows = 1_000
const maxBatchBytes = 1024 * 1024

export interface Batch {
  start: number
  end: number
  rows: ParsedRow[]
  /** Of rows that cannot be read. */
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

/** Reads a record into the batch; when nothing is to land, only as far as that takes. */
export function batchReader(
  layout: FileFormat,
  firsts: SeenPhones,
  dryRun: boolean,
): (batch: Batch, row: number, record: CsvRecord) => void {
  const kindOf = buildFieldLookup(layout.columns)
  return (batch, row, record) => {
    const said = parseRow(record, row, layout.columns, layout.encoding)
    batch.end = record.end
    batch.bytes += record.bytes.length
    if (Array.isArray(said)) {
      batch.failed++
      batch.errors.push(...said)
    } else {
      const firstRow = said.phone === undefined ? row : firsts.add(said.phone, row)
      batch.rows.push({ values: said, profile: dryRun ? undefined : buildProfile(said, kindOf), firstRow })
    }
  }
}
