/**
 * What one row of a file says, or what is wrong with it. Needs nothing but the row, so that rows can be read again
 * with the same result.
 */
import { decodeCells, splitNames } from '../csv/cells.ts'
import { isValidText, type TextEncoding } from '../csv/encoding.ts'
import type { CsvRecord } from '../csv/records.ts'
import type { RecordError } from '../csv/scan.ts'
import { canonicalPhone } from '../phones.ts'
import { ContactName, DisplayName, maxValueLength } from '../schemas.ts'
import { valueViolation } from '../tags-and-fields/custom-field-values.ts'
import { matchesSchema } from './fits.ts'
import type { Column, RowError } from './parse-header.ts'

/** Blank cells are not in it. */
export interface RowValues {
  row: number
  contactId?: string
  phone?: string
  name?: string
  /** by field id */
  values: Record<string, string>
  tags: string[]
}

const recordErrors: Record<RecordError, string> = {
  'unclosed quote': 'a quote is opened in this line and never closed',
  'text after quote': 'there is text behind a closing quote: double the quotes inside of a quoted cell',
  'too many cells': 'there are too many cells: check the quotes',
  'too large': 'the row is too large',
}

const maxTags = 100

export function parseRow(
  record: CsvRecord,
  row: number,
  columns: readonly Column[],
  letters: TextEncoding,
): RowValues | RowError[] {
  const wrong = (message: string): RowError[] => [{ row, column: '', message }]
  if (record.error) return wrong(recordErrors[record.error])
  if (!isValidText(record.bytes, letters)) return wrong('the row is not valid UTF-8')
  const cells = decodeCells(record, letters.encoding)
  while (cells.length > columns.length && cells.at(-1) === '') cells.pop()
  if (cells.length !== columns.length)
    return wrong(`the row has ${cells.length} cells, the header has ${columns.length}`)
  if (cells.every(cell => cell === '')) return wrong('the row is empty')
  const said: RowValues = { row, values: {}, tags: [] }
  const errors = columns.flatMap((column, i) => {
    const message = cells[i] === '' ? undefined : parseCell(said, column, cells[i]!)
    return message === undefined ? [] : [{ row, column: column.header, message }]
  })
  return errors.length > 0 ? errors : said
}

/** Puts what the cell says into the row, or gives what is wrong with it. */
function parseCell(said: RowValues, column: Column, cell: string): string | undefined {
  if (cell.includes('\0')) return 'has a NUL character'
  if (column.kind === 'field') {
    said.values[column.fieldId] = cell
    return valueViolation({ id: column.fieldId, type: column.type }, cell, '')?.message
  }
  if (column.kind === 'tags') return parseTags(said, cell)
  if (column.kind === 'phone') {
    said.phone = cell.length > 60 ? undefined : canonicalPhone(cell)
    return said.phone === undefined ? 'must be a phone number in E.164 form, such as +14155550100' : undefined
  }
  said[column.kind] = cell
  if (column.kind === 'name')
    return matchesSchema(ContactName, cell) ? undefined : 'must have 1 to 200 characters'
  return cell.length > 100 ? 'is not the id of a contact' : undefined
}

function parseTags(said: RowValues, cell: string): string | undefined {
  if (cell.length > maxValueLength) return `must have at most ${maxValueLength} characters`
  said.tags = splitNames(cell)
  if (said.tags.length > maxTags) return `must have at most ${maxTags} tags`
  return said.tags.every(name => matchesSchema(DisplayName, name))
    ? undefined
    : 'a tag must have 1 to 100 characters'
}
