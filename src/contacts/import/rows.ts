/**
 * What one row of a file says, or what is wrong with it. Needs nothing but the row, so that rows can be read again
 * with the same result.
 */
import { cellsOf, splitNames } from '../csv/cells.ts'
import { isReadable, type Letters } from '../csv/encoding.ts'
import type { CsvRecord } from '../csv/records.ts'
import type { RecordFault } from '../csv/scan.ts'
import { canonicalPhone } from '../phones.ts'
import { ContactName, LabelName, mostValueCharacters } from '../schemas.ts'
import { valueFault } from '../values.ts'
import type { Column, RowError } from './columns.ts'
import { fits } from './fits.ts'

/** Blank cells are not in it. */
export interface ImportedRow {
  row: number
  contactId?: string
  phone?: string
  name?: string
  /** by field id */
  values: Record<string, string>
  tags: string[]
}

const faults: Record<RecordFault, string> = {
  'unclosed quote': 'a quote is opened in this line and never closed',
  'text after quote': 'there is text behind a closing quote: double the quotes inside of a quoted cell',
  'too many cells': 'there are too many cells: check the quotes',
  'too large': 'the row is too large',
}

const mostTags = 100

export function readRow(
  record: CsvRecord,
  row: number,
  columns: readonly Column[],
  letters: Letters,
): ImportedRow | RowError[] {
  const wrong = (message: string): RowError[] => [{ row, column: '', message }]
  if (record.fault) return wrong(faults[record.fault])
  if (!isReadable(record.bytes, letters)) return wrong('the row is not valid UTF-8')
  const cells = cellsOf(record, letters.encoding)
  while (cells.length > columns.length && cells.at(-1) === '') cells.pop()
  if (cells.length !== columns.length)
    return wrong(`the row has ${cells.length} cells, the header has ${columns.length}`)
  if (cells.every(cell => cell === '')) return wrong('the row is empty')
  const said: ImportedRow = { row, values: {}, tags: [] }
  const errors = columns.flatMap((column, i) => {
    const message = cells[i] === '' ? undefined : readCell(said, column, cells[i]!)
    return message === undefined ? [] : [{ row, column: column.header, message }]
  })
  return errors.length > 0 ? errors : said
}

/** Puts what the cell says into the row, or gives what is wrong with it. */
function readCell(said: ImportedRow, column: Column, cell: string): string | undefined {
  if (cell.includes('\0')) return 'has a NUL character'
  if (column.kind === 'field') {
    said.values[column.fieldId] = cell
    return valueFault({ id: column.fieldId, type: column.type }, cell, '')?.message
  }
  if (column.kind === 'tags') return readTags(said, cell)
  if (column.kind === 'phone') {
    said.phone = cell.length > 60 ? undefined : canonicalPhone(cell)
    return said.phone === undefined ? 'must be a phone number in E.164 form, such as +14155550100' : undefined
  }
  said[column.kind] = cell
  if (column.kind === 'name') return fits(ContactName, cell) ? undefined : 'must have 1 to 200 characters'
  return cell.length > 100 ? 'is not the id of a contact' : undefined
}

function readTags(said: ImportedRow, cell: string): string | undefined {
  if (cell.length > mostValueCharacters) return `must have at most ${mostValueCharacters} characters`
  said.tags = splitNames(cell)
  if (said.tags.length > mostTags) return `must have at most ${mostTags} tags`
  return said.tags.every(name => fits(LabelName, name)) ? undefined : 'a tag must have 1 to 100 characters'
}
