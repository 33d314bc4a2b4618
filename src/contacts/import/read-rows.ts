/** The rows of a stored file from one place to another, a chunk at a time. */
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { type CsvRecord, recordReader } from '../csv/records.ts'
import type { FileFormat } from './layout.ts'

export interface ByteRange {
  /** The first byte of a record. */
  from: number
  /** Behind the last record. */
  to: number
  /** The number of the first row. */
  row: number
}

export async function* readRows(
  blobs: Blobs,
  blob: string,
  layout: FileFormat,
  { from, to, row }: ByteRange,
): AsyncGenerator<{ row: number; record: CsvRecord }[]> {
  if (from >= to) return
  const reader = recordReader(layout.separator, from)
  const file = await blobs.get(blob, { start: from, end: to - 1 })
  let next = row
  const numbered = (records: CsvRecord[]) => records.map(record => ({ row: next++, record }))
  for await (const chunk of file) yield numbered(reader.push(chunk as Buffer))
  yield numbered(reader.end())
}
