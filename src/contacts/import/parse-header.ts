/**
 * What the columns of a file mean. Our own columns are known by their names whatever their case; every other column is
 * a custom field by its name. `field:` in front says that a field is meant where its name is one of ours.
 */

import { DisplayName, type FieldType } from '../schemas.ts'
import { normalizeText } from '../search-text.ts'
import { emailFieldId } from '../tags-and-fields/custom-field-values.ts'
import { type FieldDefinitions, isValidFieldName } from '../tags-and-fields/custom-fields.ts'
import { matchesSchema } from './fits.ts'

export type Column =
  | { kind: 'contactId' | 'name' | 'phone' | 'tags'; header: string }
  | { kind: 'field'; header: string; fieldId: string; type: FieldType }

export interface RowError {
  row: number
  column: string
  message: string
}

export interface ParsedHeader {
  /** In the order of the file; a column that is yet to be made has no meaning so far. */
  columns: (Column | { kind: 'new'; header: string; name: string })[]
  errors: RowError[]
}

const builtIn = { contactid: 'contactId', name: 'name', phone: 'phone', tags: 'tags' } as const
const isBuiltIn = (name: string): name is keyof typeof builtIn => Object.hasOwn(builtIn, name)
const fieldPrefix = 'field:'
export const maxColumns = 500

export function isBuiltInColumn(name: string): boolean {
  const key = name.trim().toLowerCase()
  return isBuiltIn(key) || key === 'email'
}

/** The name of a field as the header of a column. */
export function toFieldHeader(name: string): string {
  const isTaken = isBuiltInColumn(name) || name.trim().toLowerCase().startsWith(fieldPrefix)
  return isTaken ? `${fieldPrefix}${name}` : name
}

export function parseHeader(
  header: readonly string[],
  book: FieldDefinitions,
  createFields: boolean,
): ParsedHeader {
  const names = [...header]
  while (names.at(-1) === '') names.pop() // what spreadsheets leave behind
  if (names.length > maxColumns)
    return failed('', `there are ${names.length} columns; at most ${maxColumns} can be read`)
  const columns = names.map(name => toColumn(name, book))
  const errors = columns.flatMap((column, i) => {
    const message = columnViolation(column, columns.slice(0, i), createFields, i)
    return message === undefined ? [] : [{ row: 0, column: column.header, message }]
  })
  const finds = columns.some(({ kind }) => kind === 'name' || kind === 'phone' || kind === 'contactId')
  if (!finds && errors.length === 0) return failed('', 'there must be a column named name or phone')
  return { columns, errors }
}

function failed(column: string, message: string): ParsedHeader {
  return { columns: [], errors: [{ row: 0, column, message }] }
}

function toColumn(header: string, book: FieldDefinitions): ParsedHeader['columns'][number] {
  const key = header.trim().toLowerCase()
  if (isBuiltIn(key)) return { kind: builtIn[key], header }
  const isMarked = key.startsWith(fieldPrefix)
  const name = isMarked ? header.slice(header.indexOf(':') + 1) : key === 'email' ? emailFieldId : header
  const field = book.byName.get(name) ?? findFieldByNormalizedName(book, name)
  if (field) return { kind: 'field', header, fieldId: field.id, type: field.type }
  return { kind: 'new', header, name }
}

function findFieldByNormalizedName(book: FieldDefinitions, name: string) {
  const key = normalizeText(name)
  return [...book.byName.values()].find(field => normalizeText(field.name) === key)
}

function columnViolation(
  column: ParsedHeader['columns'][number],
  before: ParsedHeader['columns'],
  createFields: boolean,
  index: number,
): string | undefined {
  if (column.header === '') return `column ${index + 1} has no name`
  const same = before.find(other => isSameColumn(other, column))
  if (same) return `is there twice: "${same.header}" means the same`
  if (column.kind !== 'new') return undefined
  if (!createFields)
    return 'is not a custom field of contacts; create it first, or import with createFields=true'
  return matchesSchema(DisplayName, column.name) && isValidFieldName(column.name)
    ? undefined
    : 'cannot be the name of a custom field: 1 to 100 characters, and not __proto__'
}

function isSameColumn(a: ParsedHeader['columns'][number], b: ParsedHeader['columns'][number]): boolean {
  if (a.kind === 'new' && b.kind === 'new') return normalizeText(a.name) === normalizeText(b.name)
  return a.kind === b.kind && (a.kind !== 'field' || a.fieldId === (b as typeof a).fieldId)
}
