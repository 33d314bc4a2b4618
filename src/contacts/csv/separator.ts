/** Which character separates the cells of a file: the one that makes the most sense of its header. */
import { decodeCells } from './cells.ts'
import { type CsvRecord, recordReader } from './records.ts'

const separators = [',', ';', '\t'].map(character => character.charCodeAt(0))

export interface Header {
  separator: number
  record: CsvRecord
}

/**
 * Looks at the beginning of a file; `isAll` when that is the whole of it. `knows` says whether a name means something
 * here. Nothing when there is no header in it.
 */
export function findHeader(
  head: Buffer,
  isAll: boolean,
  isKnown: (name: string) => boolean,
): Header | undefined {
  const readings = separators.flatMap(separator => {
    const reader = recordReader(separator)
    const record = reader.push(head)[0] ?? (isAll ? reader.end()[0] : undefined)
    if (!record) return []
    const names = record.error ? [] : decodeCells(record, 'utf-8')
    return [{ separator, record, known: names.filter(isKnown).length, count: names.length }]
  })
  readings.sort((a, b) => b.known - a.known || b.count - a.count)
  return readings[0]
}
