/** Parses one row of a file into values or errors. The result depends on the row alone, so rows can be parsed again. */
import { matchesSchema } from '../../platform/http/validate.ts'
import { decodeCells, splitNames } from '../csv/cells.ts'
import { isValidText } from '../csv/encoding.ts'
import type { CsvRecord, RecordError } from '../csv/records.ts'
import { canonicalPhone } from '../identities/phones.ts'
import { ContactName, DisplayName, type FieldType, maxValueLength } from '../schemas.ts'
import {
  buildStoredProfile,
  type FieldValueRow,
  type StoredProfile,
  toFieldValueRows,
} from '../search/search-document.ts'
import { type TypedField, valueViolation } from '../tags-and-fields/custom-field-values.ts'
import type { Column, FileFormat, RowError } from './inspect-file.ts'

/** The cells of a row that are not blank. */
export interface RowValues {
  row: number
  contactId?: string
  phone?: string
  name?: string
  /** By field id. */
  fields: Record<string, string>
  tags: string[]
}

/** A row with the profile of the contact it may create, computed before the transaction begins. */
export interface ParsedRow {
  values: RowValues
  profile: PreparedProfile | undefined
  /** The row in which its phone number occurs first. */
  firstRow: number
}

export interface PreparedProfile {
  stored: StoredProfile
  values: FieldValueRow[]
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
  { columns, encoding }: FileFormat,
): RowValues | RowError[] {
  const rowError = (message: string): RowError[] => [{ row, column: '', message }]
  if (record.error) return rowError(recordErrors[record.error])
  if (!isValidText(record.bytes, encoding)) return rowError('the row is not valid UTF-8')
  const cells = decodeCells(record, encoding.encoding)
  while (cells.length > columns.length && cells.at(-1) === '') cells.pop()
  if (cells.length > columns.length)
    return rowError(`the row has ${cells.length} cells, the header has ${columns.length}`)
  while (cells.length < columns.length) cells.push('')
  if (cells.every(cell => cell === '')) return rowError('the row is empty')
  const values: RowValues = { row, fields: {}, tags: [] }
  const errors = columns.flatMap((column, i) => {
    const message = cells[i] === '' ? undefined : parseCell(values, column, cells[i]!)
    return message === undefined ? [] : [{ row, column: column.header, message }]
  })
  return errors.length > 0 ? errors : values
}

/** Adds the value of a cell to the row. Returns the message of an invalid cell. */
function parseCell(values: RowValues, column: Column, cell: string): string | undefined {
  if (column.kind === 'skip') return undefined
  if (cell.includes('\0')) return 'has a NUL character'
  if (column.kind === 'field') {
    values.fields[column.fieldId] = cell
    return valueViolation({ id: column.fieldId, type: column.type }, cell, '')?.message
  }
  if (column.kind === 'tags') return parseTags(values, cell)
  if (column.kind === 'phone') {
    values.phone = cell.length > 60 ? undefined : canonicalPhone(cell)
    return values.phone === undefined
      ? 'must be a phone number in E.164 form, such as +14155550100'
      : undefined
  }
  values[column.kind] = cell
  if (column.kind === 'name')
    return matchesSchema(ContactName, cell) ? undefined : 'must have 1 to 200 characters'
  return cell.length > 100 ? 'is not the id of a contact' : undefined
}

function parseTags(values: RowValues, cell: string): string | undefined {
  if (cell.length > maxValueLength) return `must have at most ${maxValueLength} characters`
  values.tags = splitNames(cell).map(name => name.trim())
  if (values.tags.length > maxTags) return `must have at most ${maxTags} tags`
  return values.tags.every(name => matchesSchema(DisplayName, name))
    ? undefined
    : 'a tag must have 1 to 100 characters'
}

export type GetField = (fieldId: string) => TypedField

/** Types come from the columns: the type of a field never changes. */
export function buildFieldLookup(columns: readonly Column[]): GetField {
  const types = new Map<string, FieldType>()
  for (const column of columns) if (column.kind === 'field') types.set(column.fieldId, column.type)
  return id => ({ id, type: types.get(id) ?? 'text' })
}

export function buildProfile(values: RowValues, getField: GetField): PreparedProfile {
  const phones = values.phone === undefined ? [] : [values.phone]
  const stored = buildStoredProfile({ name: values.name ?? null, fields: values.fields, phones }, getField)
  return { stored, values: toFieldValueRows(stored.searchValues, getField) }
}

/** Merges the rows of one contact, as if they were applied one after the other. */
export function mergeRows(rows: readonly RowValues[]): RowValues {
  const [first, ...others] = rows as [RowValues, ...RowValues[]]
  if (others.length === 0) return first
  const merged = { ...first, fields: { ...first.fields } }
  const tags = new Set(first.tags)
  for (const { fields, tags: more, ...rest } of others) {
    Object.assign(merged, rest)
    Object.assign(merged.fields, fields)
    for (const name of more) tags.add(name)
  }
  return { ...merged, tags: [...tags] }
}
