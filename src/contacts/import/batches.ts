/** Puts rows together that are to be stored in one transaction. */
import type { CsvRecord } from '../csv/records.ts'
import type { RowError } from './columns.ts'
import type { FirstRows } from './first-rows.ts'
import type { Layout } from './layout.ts'
import { kindsOf, type Prepared, profileOf } from './prepared.ts'
import { readRow } from './rows.ts'

/** Large enough that the database is at its best, small enough that nobody else waits for one. */
const mostRows = 1_000
const mostBytes = 1024 * 1024

export interface Batch {
  start: number
  end: number
  rows: Prepared[]
  /** Of rows that cannot be read. */
  errors: RowError[]
  failed: number
  bytes: number
}

export function emptyBatch(start: number): Batch {
  return { start, end: start, rows: [], errors: [], failed: 0, bytes: 0 }
}

export function isFull(batch: Batch): boolean {
  return batch.rows.length + batch.failed >= mostRows || batch.bytes >= mostBytes
}

export function isEmpty(batch: Batch): boolean {
  return batch.rows.length + batch.failed === 0
}

/** Reads a record into the batch; when nothing is to land, only as far as that takes. */
export function batcher(
  layout: Layout,
  firsts: FirstRows,
  dryRun: boolean,
): (batch: Batch, row: number, record: CsvRecord) => void {
  const kindOf = kindsOf(layout.columns)
  return (batch, row, record) => {
    const said = readRow(record, row, layout.columns, layout.letters)
    batch.end = record.end
    batch.bytes += record.bytes.length
    if (Array.isArray(said)) {
      batch.failed++
      batch.errors.push(...said)
    } else {
      const firstRow = said.phone === undefined ? row : firsts.note(said.phone, row)
      batch.rows.push({ said, profile: dryRun ? undefined : profileOf(said, kindOf), firstRow })
    }
  }
}
