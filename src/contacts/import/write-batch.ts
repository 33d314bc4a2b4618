/**
 * Makes contacts of rows, in the transaction that also says that they are done. Whatever others do to the same
 * contacts at the same time, each row lands once or is refused with a reason.
 */
import type { Tx } from '../../platform/db/db.ts'
import {
  type FieldDefinitions,
  getFieldDefinitions,
  lockFieldTypes,
} from '../tags-and-fields/custom-fields.ts'
import { findOrCreateTags, lockTags } from '../tags-and-fields/tags.ts'
import type { Viewer } from '../visibility.ts'
import { createContacts } from './create-contacts.ts'
import { matchContacts } from './match-contacts.ts'
import type { Column, RowError } from './parse-header.ts'
import { buildFieldLookup, type ParsedRow } from './prepared.ts'
import { type ImportContext, updateContacts } from './update-contacts.ts'

export interface BatchOptions {
  viewer: Viewer
  importId: string
  columns: readonly Column[]
  dryRun: boolean
}

const maxAttempts = 5

/** What holds still while rows land: read at once with what else the transaction needs. */
export interface LockedFields {
  definitions: FieldDefinitions
  types: ReadonlyMap<string, unknown>
}

/** Fields stay until the transaction ends. */
export async function lockFields(
  tx: Tx,
  tenantId: string,
  columns: readonly Column[],
): Promise<LockedFields> {
  const fieldIds = columns.flatMap(column => (column.kind === 'field' ? [column.fieldId] : []))
  const [heldFields, book] = await Promise.all([
    lockFieldTypes(tx, tenantId, fieldIds),
    getFieldDefinitions(tx, tenantId),
  ])
  return { definitions: book, types: heldFields }
}

/** Gives the rows that were refused. */
export async function writeRows(
  tx: Tx,
  applying: BatchOptions,
  ground: LockedFields,
  rows: readonly ParsedRow[],
): Promise<RowError[]> {
  const { viewer } = applying
  if (applying.dryRun) return (await matchContacts(tx, viewer, rows)).rejected
  const refused = rejectDeletedFields(ground, applying.columns, rows)
  let pending = without(rows, refused)
  const around = await buildContext(tx, applying, pending)
  for (let attempt = 1; pending.length > 0; attempt++) {
    if (attempt > maxAttempts) throw new Error('phone numbers kept changing hands during an import')
    const targets = await matchContacts(tx, viewer, pending)
    refused.push(...targets.rejected)
    pending = await writeMatches(tx, around, ground.definitions, targets)
  }
  return refused
}

/** Those that exist first: whoever changes one of them holds it before asking for a phone number. */
async function writeMatches(
  tx: Tx,
  around: ImportContext,
  book: FieldDefinitions,
  targets: { existing: Map<string, ParsedRow[]>; new: ParsedRow[][] },
): Promise<ParsedRow[]> {
  const gone = await updateContacts(tx, around, targets.existing)
  const taken = await createContacts(tx, around, book, targets.new)
  return [...gone, ...taken]
}

function without(rows: readonly ParsedRow[], refused: readonly RowError[]): readonly ParsedRow[] {
  if (refused.length === 0) return rows
  const gone = new Set(refused.map(error => error.row))
  return rows.filter(({ values: said }) => !gone.has(said.row))
}

/** Those that were deleted since the import began take nothing more. */
function rejectDeletedFields(
  { types: heldFields }: LockedFields,
  columns: readonly Column[],
  rows: readonly ParsedRow[],
): RowError[] {
  const gone = columns
    .filter(column => column.kind === 'field')
    .filter(field => !heldFields.has(field.fieldId))
  return gone.flatMap(({ fieldId, header }) =>
    rows
      .filter(({ values: said }) => fieldId in said.values)
      .map(({ values: said }) => ({
        row: said.row,
        column: header,
        message: 'the custom field was deleted during the import',
      })),
  )
}

async function buildContext(
  tx: Tx,
  applying: BatchOptions,
  rows: readonly ParsedRow[],
): Promise<ImportContext> {
  const { viewer, importId, columns } = applying
  const names = [...new Set(rows.flatMap(({ values: said }) => said.tags))]
  const tagIds = await lockOrCreateTags(tx, viewer, names)
  return { tenantId: viewer.tenantId, importId, getField: buildFieldLookup(columns), tagIds }
}

/** Tags by name, made when they are new; they cannot be deleted until the transaction ends. */
async function lockOrCreateTags(
  tx: Tx,
  viewer: Viewer,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const ids = await findOrCreateTags(tx, viewer, names)
    const wanted = new Set(ids.values())
    if ((await lockTags(tx, viewer.tenantId, [...wanted])).size === wanted.size) return ids
  }
  throw new Error('tags kept being deleted during an import')
}
