/**
 * What the columns of a file mean. Our own columns are known by their names whatever their case; every other column is
 * a custom field by its name. `field:` in front says that a field is meant where its name is one of ours.
 */
import { type FieldBook, isUsableName } from '../fields.ts'
import { type FieldType, LabelName } from '../schemas.ts'
import { fold } from '../spelling.ts'
import { emailField } from '../values.ts'
import { fits } from './fits.ts'

export type Column =
  | { kind: 'contactId' | 'name' | 'phone' | 'tags'; header: string }
  | { kind: 'field'; header: string; fieldId: string; type: FieldType }

export interface RowError {
  row: number
  column: string
  message: string
}

export interface Columns {
  /** In the order of the file; a column that is yet to be made has no meaning so far. */
  columns: (Column | { kind: 'new'; header: string; name: string })[]
  errors: RowError[]
}

const ours = { contactid: 'contactId', name: 'name', phone: 'phone', tags: 'tags' } as const
const isOurs = (name: string): name is keyof typeof ours => Object.hasOwn(ours, name)
const fieldPrefix = 'field:'
export const mostColumns = 500

export function isOwnColumn(name: string): boolean {
  const key = name.trim().toLowerCase()
  return isOurs(key) || key === 'email'
}

/** The name of a field as the header of a column. */
export function fieldHeader(name: string): string {
  const isTaken = isOwnColumn(name) || name.trim().toLowerCase().startsWith(fieldPrefix)
  return isTaken ? `${fieldPrefix}${name}` : name
}

export function readHeader(header: readonly string[], book: FieldBook, createFields: boolean): Columns {
  const names = [...header]
  while (names.at(-1) === '') names.pop() // what spreadsheets leave behind
  if (names.length > mostColumns)
    return failed('', `there are ${names.length} columns; at most ${mostColumns} can be read`)
  const columns = names.map(name => meaningOf(name, book))
  const errors = columns.flatMap((column, i) => {
    const message = columnFault(column, columns.slice(0, i), createFields, i)
    return message === undefined ? [] : [{ row: 0, column: column.header, message }]
  })
  const finds = columns.some(({ kind }) => kind === 'name' || kind === 'phone' || kind === 'contactId')
  if (!finds && errors.length === 0) return failed('', 'there must be a column named name or phone')
  return { columns, errors }
}

function failed(column: string, message: string): Columns {
  return { columns: [], errors: [{ row: 0, column, message }] }
}

function meaningOf(header: string, book: FieldBook): Columns['columns'][number] {
  const key = header.trim().toLowerCase()
  if (isOurs(key)) return { kind: ours[key], header }
  const isMarked = key.startsWith(fieldPrefix)
  const name = isMarked ? header.slice(header.indexOf(':') + 1) : key === 'email' ? emailField : header
  const field = book.byName.get(name) ?? findFolded(book, name)
  if (field) return { kind: 'field', header, fieldId: field.id, type: field.type }
  return { kind: 'new', header, name }
}

function findFolded(book: FieldBook, name: string) {
  const key = fold(name)
  return [...book.byName.values()].find(field => fold(field.name) === key)
}

function columnFault(
  column: Columns['columns'][number],
  before: Columns['columns'],
  createFields: boolean,
  index: number,
): string | undefined {
  if (column.header === '') return `column ${index + 1} has no name`
  const same = before.find(other => meansTheSame(other, column))
  if (same) return `is there twice: "${same.header}" means the same`
  if (column.kind !== 'new') return undefined
  if (!createFields)
    return 'is not a custom field of contacts; create it first, or import with createFields=true'
  return fits(LabelName, column.name) && isUsableName(column.name)
    ? undefined
    : 'cannot be the name of a custom field: 1 to 100 characters, and not __proto__'
}

function meansTheSame(a: Columns['columns'][number], b: Columns['columns'][number]): boolean {
  if (a.kind === 'new' && b.kind === 'new') return fold(a.name) === fold(b.name)
  return a.kind === b.kind && (a.kind !== 'field' || a.fieldId === (b as typeof a).fieldId)
}
