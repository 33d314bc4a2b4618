/**
 * Reads a file once from beginning to end to detect its separator, its header, its encoding and its number of rows, and
 * matches the header to columns. Built-in columns are found by name without regard to case; every other column is the
 * custom field of that name. The prefix `field:` marks a custom field with the name of a built-in column.
 */
import { matchesSchema } from '../../platform/http/validate.ts'
import { yieldEvery } from '../../platform/yield.ts'
import { decodeCells } from '../csv/cells.ts'
import { byteOrderMark, encodingDetector, type TextEncoding } from '../csv/encoding.ts'
import { type CsvRecord, recordReader, TooManyUnclosedQuotes } from '../csv/records.ts'
import { DisplayName, type FieldType } from '../schemas.ts'
import { normalizeText } from '../search/search-text.ts'
import { emailFieldId, externalRefFieldId } from '../tags-and-fields/custom-field-values.ts'
import { type FieldDefinitions, isValidFieldName } from '../tags-and-fields/custom-fields.ts'

const maxRows = 2_000_000
const maxHeaderBytes = 1024 * 1024
const separators = [',', ';', '\t'].map(character => character.charCodeAt(0))

export interface FileInspection {
  encoding: TextEncoding
  separator: number
  header: string[]
  /** Offset of the first row. */
  start: number
  rows: number
}

/** The message is shown to the caller who uploaded the file. */
export class UnreadableFile extends Error {}

export async function inspectFile(file: AsyncIterable<Buffer>): Promise<FileInspection> {
  const chunks = file[Symbol.asyncIterator]()
  const { head, isComplete } = await readHead(chunks)
  const hasMark = head.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  const offset = hasMark ? byteOrderMark.length : 0
  const header = findHeader(head.subarray(offset), isComplete)
  if (!header && isComplete) throw new UnreadableFile('the file is empty: it needs a header')
  if (!header)
    throw new UnreadableFile('the header cannot be read: it is too long, or a quote is never closed')
  if (header.record.error) throw new UnreadableFile(`the header cannot be read: ${header.record.error}`)
  const counted = await countRows(head, chunks, header, offset)
  const encoding: TextEncoding = hasMark ? { encoding: 'utf-8', mayBeInvalid: true } : counted.encoding
  return {
    encoding,
    separator: header.separator,
    header: decodeCells(header.record, encoding.encoding),
    start: offset + header.record.end,
    rows: counted.rows,
  }
}

/** Reads enough of the file to contain the header. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isComplete: boolean }> {
  let head = Buffer.alloc(0)
  while (head.length <= maxHeaderBytes) {
    const { done, value } = await chunks.next()
    if (done) return { head, isComplete: true }
    head = Buffer.concat([head, value])
    if (head.includes(0x0a) && head.length >= 65_536) break
  }
  return { head, isComplete: false }
}

interface Header {
  separator: number
  record: CsvRecord
}

/** Chooses the separator with the most built-in columns, then the most columns; undefined without a complete header. */
export function findHeader(head: Buffer, isComplete: boolean): Header | undefined {
  const candidates = separators.flatMap(separator => {
    const reader = recordReader(separator)
    const record = reader.push(head)[0] ?? (isComplete ? reader.end()[0] : undefined)
    if (!record) return []
    const names = record.error ? [] : decodeCells(record, 'utf-8')
    return [{ separator, record, known: names.filter(isBuiltInColumn).length, count: names.length }]
  })
  candidates.sort((a, b) => b.known - a.known || b.count - a.count)
  return candidates[0]
}

async function countRows(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  { separator, record }: Header,
  offset: number,
): Promise<{ rows: number; encoding: TextEncoding }> {
  const reader = recordReader(separator)
  const detector = encodingDetector()
  const maybeYield = yieldEvery()
  let rows = 0
  try {
    detector.push(head)
    rows += reader.push(head.subarray(offset + record.end)).length
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      detector.push(next.value)
      rows += reader.push(next.value).length
      if (rows > maxRows) throw new UnreadableFile(`the file has more than ${maxRows} rows: split it`)
      await maybeYield()
    }
    rows += reader.end().length
  } catch (error) {
    throw error instanceof TooManyUnclosedQuotes
      ? new UnreadableFile(`the file cannot be read: ${error.message}`)
      : error
  }
  return { rows, encoding: detector.result() }
}

export type Column =
  | { kind: 'contactId' | 'name' | 'phone' | 'tags' | 'skip'; header: string }
  | { kind: 'field'; header: string; fieldId: string; type: FieldType }

/** How a file is read. Detected once and then the same for every attempt. */
export interface FileFormat {
  encoding: TextEncoding
  separator: number
  /** Offset of the first row. */
  start: number
  columns: Column[]
}

export interface RowError {
  row: number
  column: string
  message: string
}

/** `new` is a custom field that does not exist yet. */
export type ImportColumn = Column | { kind: 'new'; header: string; name: string }

export interface ParsedHeader {
  /** In the order of the file. */
  columns: ImportColumn[]
  errors: RowError[]
}

const builtIn = { contactid: 'contactId', name: 'name', phone: 'phone', tags: 'tags' } as const
const isBuiltIn = (name: string): name is keyof typeof builtIn => Object.hasOwn(builtIn, name)
/** Columns that are predefined fields under another name. */
const fieldColumns = new Map([
  ['email', emailFieldId],
  ['externalref', externalRefFieldId],
])
/** Fields that a row without a phone number is matched by. */
export const matchFieldIds: readonly string[] = [externalRefFieldId, emailFieldId]
const fieldPrefix = 'field:'
export const maxColumns = 500

export function isBuiltInColumn(name: string): boolean {
  const key = name.trim().toLowerCase()
  return isBuiltIn(key) || fieldColumns.has(key)
}

export function toFieldHeader(name: string): string {
  if (name === externalRefFieldId) return 'externalRef'
  const isTaken = isBuiltInColumn(name) || name.trim().toLowerCase().startsWith(fieldPrefix)
  return isTaken ? `${fieldPrefix}${name}` : name
}

export function parseHeader(
  header: readonly string[],
  definitions: FieldDefinitions,
  createFields: boolean,
): ParsedHeader {
  const names = [...header]
  while (names.at(-1) === '') names.pop() // spreadsheets write empty trailing cells
  if (names.length > maxColumns)
    return failed('', `the file has ${names.length} columns: it must have at most ${maxColumns}`)
  return checkColumns(
    names.map(name => toColumn(name, definitions)),
    createFields,
  )
}

/** Returns the columns with the errors that they have together. */
export function checkColumns(columns: ImportColumn[], createFields: boolean): ParsedHeader {
  const errors = columns.flatMap((column, i) => {
    const message = columnViolation(column, columns.slice(0, i), createFields, i)
    return message === undefined ? [] : [{ row: 0, column: column.header, message }]
  })
  if (!columns.some(identifiesContact) && errors.length === 0)
    return failed('', 'the file must have a column named name, phone, email or externalRef')
  return { columns, errors }
}

function identifiesContact(column: ImportColumn): boolean {
  if (column.kind === 'field') return matchFieldIds.includes(column.fieldId)
  return column.kind === 'name' || column.kind === 'phone' || column.kind === 'contactId'
}

function failed(column: string, message: string): ParsedHeader {
  return { columns: [], errors: [{ row: 0, column, message }] }
}

export function toColumn(header: string, definitions: FieldDefinitions): ImportColumn {
  const key = header.trim().toLowerCase()
  if (isBuiltIn(key)) return { kind: builtIn[key], header }
  const hasPrefix = key.startsWith(fieldPrefix)
  const name = hasPrefix ? header.slice(header.indexOf(':') + 1) : (fieldColumns.get(key) ?? header)
  const field = definitions.byName.get(name) ?? findFieldByNormalizedName(definitions, name)
  if (field) return { kind: 'field', header, fieldId: field.id, type: field.type }
  return { kind: 'new', header, name }
}

function findFieldByNormalizedName(definitions: FieldDefinitions, name: string) {
  const key = normalizeText(name)
  return [...definitions.byName.values()].find(field => normalizeText(field.name) === key)
}

function columnViolation(
  column: ImportColumn,
  previous: readonly ImportColumn[],
  createFields: boolean,
  index: number,
): string | undefined {
  if (column.kind === 'skip') return undefined
  if (column.header === '') return `column ${index + 1} has no name`
  const same = previous.find(other => isSameColumn(other, column))
  if (same) return `is a duplicate: "${same.header}" is the same column`
  if (column.kind !== 'new') return undefined
  if (!createFields)
    return 'is not a custom field of contacts; create it first, or import with createFields=true'
  return matchesSchema(DisplayName, column.name) && isValidFieldName(column.name)
    ? undefined
    : 'must have 1 to 100 characters and must not be __proto__ to become a custom field'
}

function isSameColumn(a: ImportColumn, b: ImportColumn): boolean {
  if (a.kind === 'new' && b.kind === 'new') return normalizeText(a.name) === normalizeText(b.name)
  return a.kind === b.kind && (a.kind !== 'field' || a.fieldId === (b as typeof a).fieldId)
}
