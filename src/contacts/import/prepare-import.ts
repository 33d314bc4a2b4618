/**
 * First stage of an import: inspects the file, matches its header to columns and creates missing custom fields. The
 * resulting format is stored with the import, so that later attempts read the file in the same way.
 *
 * A mapping says for each column of the file what it becomes: `name`, `phone`, `contactId` or `tags`, `field:` and the id
 * of a custom field, `new:` and the name of a custom field to create, or `skip`. Without a mapping the header decides.
 */
import Type from 'typebox'
import { type RoleDeps, reloadCaller } from '../../identity/rights/reauthorize.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { matchesSchema } from '../../platform/http/validate.ts'
import type { Work } from '../../platform/jobs/job.ts'
import { endImport, type ImportState, insertErrors, lockImport, saveFormat } from '../store/imports.ts'
import { createField, type FieldDefinitions, getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'
import {
  type Column,
  checkColumns,
  type FileFormat,
  type FileInspection,
  type ImportColumn,
  inspectFile,
  maxColumns,
  type ParsedHeader,
  parseHeader,
  type RowError,
  toColumn,
  UnreadableFile,
} from './inspect-file.ts'

/** An attempt at an import whose file has been inspected. */
export interface ImportRun {
  deps: Deps
  work: Work
  state: ImportState
  format: FileFormat
  totalRows: number
}

/** The import cannot continue. The message is shown to the caller who uploaded the file. */
export class ImportAborted extends Error {}

const readAsWindows1252 = 'the file is not UTF-8; it was read as Windows-1252: check letters with accents'

/** Returns undefined when the file cannot be imported; the import has then failed with its errors. */
export async function prepareImport(
  deps: Deps,
  tenantId: string,
  state: ImportState,
): Promise<{ format: FileFormat; rows: number } | undefined> {
  const inspection = await inspectImportFile(deps, state)
  return transact(deps.db, async tx => {
    const current = await lockImport(tx, tenantId, state.id)
    if (current?.status !== 'processing') return undefined
    if (current.format) return { format: current.format, rows: current.totalRows }
    if (typeof inspection === 'string')
      return failImport(tx, tenantId, state.id, [{ row: 0, column: '', message: inspection }])
    const caller = await loadImporter(deps, tx, tenantId, state)
    const definitions = await getFieldDefinitions(tx, tenantId)
    const createFields = state.createFields && caller.scopes.has('custom_field:create')
    const header = state.mapping
      ? mapHeader(inspection.header, state.mapping, definitions, createFields)
      : parseHeader(inspection.header, definitions, createFields)
    if (header.errors.length > 0) return failImport(tx, tenantId, state.id, header.errors)
    const create = async (name: string) =>
      state.dryRun ? `new:${name}` : (await createField(tx, caller, 'contact', { name, type: 'text' })).id
    const format = await buildFileFormat(inspection, header, create)
    await saveFormat(tx, tenantId, state.id, format, inspection.rows)
    if (format.encoding.encoding !== 'utf-8')
      await insertErrors(tx, tenantId, state.id, 0, [{ row: 0, column: '', message: readAsWindows1252 }])
    return { format, rows: inspection.rows }
  })
}

function mapHeader(
  header: readonly string[],
  mapping: readonly string[],
  definitions: FieldDefinitions,
  createFields: boolean,
): ParsedHeader {
  const failed = (column: string, message: string) => ({ columns: [], errors: [{ row: 0, column, message }] })
  if (mapping.length !== header.length)
    return failed('', `the mapping has ${mapping.length} columns, the file has ${header.length}`)
  const columns = header.map((name, i) => applyTarget(name, mapping[i]!, definitions))
  const wrong = columns.findIndex(column => typeof column === 'string')
  if (wrong >= 0) return failed(header[wrong]!, columns[wrong] as string)
  return checkColumns(columns as ImportColumn[], createFields)
}

/** Returns the message of a file that cannot be read. */
async function inspectImportFile(deps: Deps, { blob, size }: ImportState): Promise<FileInspection | string> {
  if (size === 0) return 'the file is empty: it needs a header'
  try {
    return await inspectFile(await deps.blobs.get(blob))
  } catch (error) {
    if (error instanceof UnreadableFile) return error.message
    throw error
  }
}

async function buildFileFormat(
  { encoding, separator, start }: FileInspection,
  header: ParsedHeader,
  create: (name: string) => Promise<string>,
): Promise<FileFormat> {
  const columns: Column[] = []
  for (const column of header.columns) {
    if (column.kind !== 'new') columns.push(column)
    else
      columns.push({ kind: 'field', header: column.header, type: 'text', fieldId: await create(column.name) })
  }
  return { encoding, separator, start, columns }
}

/** Loads the current access of the caller who uploaded the file. */
export async function loadImporter(
  deps: RoleDeps,
  tx: Tx,
  tenantId: string,
  state: ImportState,
): Promise<Caller> {
  const { createdBy: id, createdByKind: kind, createdByRole: role } = state
  const caller = await reloadCaller(deps, tx, { tenantId, id, kind, role, scopes: new Set(), teamIds: [] })
  if (!caller) throw new ImportAborted('the account that started the import no longer has access')
  return caller
}

/** Ends an import as failed. Rows that were written stay. */
export async function failImport(
  tx: Tx,
  tenantId: string,
  importId: string,
  errors: readonly RowError[],
): Promise<undefined> {
  const state = await lockImport(tx, tenantId, importId)
  if (state?.status !== 'processing') return
  await insertErrors(tx, tenantId, importId, state.errorCount, errors)
  await completeImport(tx, tenantId, state, 'failed')
}

/** Ends an import and emits it to realtime clients of its creator. */
export async function completeImport(
  tx: Tx,
  tenantId: string,
  { id, createdBy }: Pick<ImportState, 'id' | 'createdBy'>,
  status: 'completed' | 'failed',
): Promise<void> {
  await endImport(tx, tenantId, id, status)
  await emitChanged(tx, tenantId, { kind: 'import', id }, { userIds: [createdBy] })
}

const builtInTargets = ['contactId', 'name', 'phone', 'tags'] as const
const fieldPrefix = 'field:'
const newPrefix = 'new:'

const Mapping = Type.Array(
  Type.String({
    maxLength: 300,
    pattern: '^(contactId|name|phone|tags|skip|field:[^\\u0000]+|new:[^\\u0000]+)$',
  }),
  { minItems: 1, maxItems: maxColumns },
)

/** Parses the form field. Throws 400 unless it is a mapping. */
export function parseMapping(text: string): string[] {
  const value = tryParse(text)
  if (matchesSchema(Mapping, value)) return value as string[]
  return invalid(
    violation(
      'mapping',
      'invalid_value',
      'must be a JSON array with one of contactId, name, phone, tags, field:<id>, new:<name> or skip for each column',
    ),
  )
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the column that the mapping makes of a column of the file; a message if it cannot. */
export function applyTarget(
  header: string,
  target: string,
  definitions: FieldDefinitions,
): ImportColumn | string {
  const builtIn = builtInTargets.find(name => name === target)
  if (builtIn) return { kind: builtIn, header }
  if (target.startsWith(newPrefix)) {
    const name = target.slice(newPrefix.length)
    // An earlier import, or a colleague, may have created the field.
    const known = toColumn(name, definitions)
    return known.kind === 'field' ? { ...known, header } : { kind: 'new', header, name }
  }
  if (!target.startsWith(fieldPrefix)) return { kind: 'skip', header }
  const field = definitions.byId.get(target.slice(fieldPrefix.length))
  return field
    ? { kind: 'field', header, fieldId: field.id, type: field.type }
    : `is mapped to ${target}, which is not a custom field of contacts`
}

/** Suggests a mapping: what the header says, else the column that people mean by such a name, else a new field. */
export function suggestMapping(header: readonly string[], definitions: FieldDefinitions): string[] {
  const taken = new Set<string>()
  return header.map(name => {
    const target = suggestTarget(name, definitions)
    if (taken.has(target)) return 'skip'
    if (target !== 'skip') taken.add(target)
    return target
  })
}

/** Usual names of columns in exports of other systems, in English and German. */
const usualNames: [RegExp, string][] = [
  [/^((full|display|contact|customer)?[ _-]?name|vollständiger name|kontakt|kunde)$/i, 'name'],
  [/^((mobile|cell|tele)?[ _-]?phone([ _-]?number)?|mobile|tel|whatsapp|msisdn|number)$/i, 'phone'],
  [/^(telefon|handy|mobil|mobiltelefon)([ _-]?(nummer|nr\.?))?$/i, 'phone'],
  [/^(e[ _-]?)?mail([ _-]?(address|adresse))?$/i, 'field:email'],
  [/^(tags?|labels?|groups?|gruppen?|schlagw(ort|örter))$/i, 'tags'],
  [
    /^(external[ _-]?(ref|id|reference)|(customer|kunden)[ _-]?(id|number|no\.?|nummer|nr\.?))$/i,
    'field:externalRef',
  ],
]

function suggestTarget(header: string, definitions: FieldDefinitions): string {
  const name = header.trim()
  if (name === '') return 'skip'
  const column = toColumn(header, definitions)
  if (column.kind === 'field') return `${fieldPrefix}${column.fieldId}`
  if (column.kind !== 'new') return column.kind
  const usual = usualNames.find(([pattern]) => pattern.test(name))?.[1]
  if (usual === undefined) return `${newPrefix}${name.slice(0, 100)}`
  return usual.startsWith(fieldPrefix) ? suggestTarget(usual.slice(fieldPrefix.length), definitions) : usual
}
