/**
 * Last stage of an import: writes a batch of rows and the progress of the import in one transaction. Each row is written
 * once or rejected with a reason, whatever other transactions do to the same contacts.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import { signalProgress } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { LeaseLost } from '../../platform/jobs/job.ts'
import { insertErrors, lockImport, saveProgress } from '../store/imports.ts'
import {
  type FieldDefinitions,
  getFieldDefinitions,
  lockFieldTypes,
} from '../tags-and-fields/custom-fields.ts'
import { findMissingTags, findOrCreateTags, lockTags } from '../tags-and-fields/tags.ts'
import type { Column, RowError } from './inspect-file.ts'
import { matchContacts } from './match-contacts.ts'
import { buildFieldLookup, type ParsedRow } from './parse-row.ts'
import { type ImportRun, loadImporter } from './prepare-import.ts'
import type { Batch } from './read-rows.ts'
import { createContacts, updateContacts } from './save-contacts.ts'

const maxAttempts = 5

/** Fails with LeaseLost if another worker has advanced the import beyond the start of the batch. */
export function writeBatch({ deps, work, state, format }: ImportRun, batch: Batch): Promise<void> {
  const { tenantId } = work
  return transact(deps.db, async tx => {
    // Pipelined: the database answers in this order.
    const [current, viewer, locked] = await Promise.all([
      lockImport(tx, tenantId, state.id),
      loadImporter(deps, tx, tenantId, state),
      lockFields(tx, tenantId, format.columns),
    ])
    if (current?.status !== 'processing' || current.position !== batch.start) throw new LeaseLost(work.id)
    const options = { viewer, importId: state.id, columns: format.columns, dryRun: state.dryRun }
    const { rejected, created } = await writeRows(tx, options, locked, batch.rows)
    const failed = new Set(rejected.map(error => error.row))
    const repeated = batch.rows.filter(
      ({ values, firstRow }) => firstRow !== values.row && !failed.has(values.row),
    )
    const errors = [...batch.errors, ...rejected, ...repeated.map(toDuplicateWarning)].sort(
      (a, b) => a.row - b.row,
    )
    await insertErrors(tx, tenantId, state.id, current.errorCount, errors)
    await saveProgress(tx, tenantId, state.id, {
      position: batch.end,
      succeeded: batch.rows.length - failed.size,
      failed: batch.failed + failed.size,
      created,
    })
    signalProgress(tx, { tenantId, kind: 'import', id: state.id, userIds: [state.createdBy] })
  })
}

function toDuplicateWarning({ values, firstRow }: ParsedRow): RowError {
  const message = `is the phone number of row ${firstRow} again: this row updated the same contact`
  return { row: values.row, column: 'phone', message }
}

interface LockedFields {
  definitions: FieldDefinitions
  /** Types of the fields that exist, by id. */
  types: ReadonlyMap<string, unknown>
}

async function lockFields(tx: Tx, tenantId: string, columns: readonly Column[]): Promise<LockedFields> {
  const fieldIds = columns.flatMap(column => (column.kind === 'field' ? [column.fieldId] : []))
  const [types, definitions] = await Promise.all([
    lockFieldTypes(tx, tenantId, fieldIds),
    getFieldDefinitions(tx, tenantId),
  ])
  return { definitions, types }
}

interface BatchOptions {
  viewer: Caller
  importId: string
  columns: readonly Column[]
  dryRun: boolean
}

/** Returns the errors of rejected rows and the number of contacts that the others create. */
async function writeRows(
  tx: Tx,
  { viewer, importId, columns, dryRun }: BatchOptions,
  locked: LockedFields,
  rows: readonly ParsedRow[],
): Promise<{ rejected: RowError[]; created: number }> {
  const rejected = await rejectMissingTags(tx, viewer, rows)
  if (dryRun) {
    const matches = await matchContacts(tx, viewer, rows)
    return { rejected: [...rejected, ...matches.rejected], created: matches.new.length }
  }
  let created = 0
  rejected.push(...rejectDeletedFields(locked, columns, rows))
  const failed = new Set(rejected.map(error => error.row))
  let pending = failed.size === 0 ? rows : rows.filter(({ values }) => !failed.has(values.row))
  const tagIds = await lockOrCreateTags(tx, viewer, [
    ...new Set(pending.flatMap(({ values }) => values.tags)),
  ])
  const context = { tenantId: viewer.tenantId, importId, getField: buildFieldLookup(columns), tagIds }
  for (let attempt = 1; pending.length > 0; attempt++) {
    if (attempt > maxAttempts) throw new Error('phone numbers changed contacts during every attempt')
    const matches = await matchContacts(tx, viewer, pending)
    rejected.push(...matches.rejected)
    // Existing contacts first: all writers lock a contact before they claim a phone number.
    const deleted = await updateContacts(tx, context, matches.existing)
    const taken = await createContacts(tx, context, locked.definitions, matches.new)
    const isTaken = new Set(taken)
    created += matches.new.filter(([first]) => !isTaken.has(first!)).length
    pending = [...deleted, ...taken]
  }
  return { rejected, created }
}

/** Rejects rows with a tag that does not exist if the importer may not create tags. */
async function rejectMissingTags(tx: Tx, importer: Caller, rows: readonly ParsedRow[]): Promise<RowError[]> {
  if (importer.scopes.has('tag:create')) return []
  const missing = await findMissingTags(tx, importer.tenantId, [
    ...new Set(rows.flatMap(({ values }) => values.tags)),
  ])
  return rows.flatMap(({ values: { row, tags } }) => {
    const name = tags.find(tag => missing.has(tag))
    if (name === undefined) return []
    return [
      { row, column: 'tags', message: `the tag "${name}" does not exist and your token lacks tag:create` },
    ]
  })
}

/** Rejects rows with a value for a field that was deleted after the import began. */
function rejectDeletedFields(
  { types }: LockedFields,
  columns: readonly Column[],
  rows: readonly ParsedRow[],
): RowError[] {
  const deleted = columns.filter(column => column.kind === 'field').filter(field => !types.has(field.fieldId))
  return deleted.flatMap(({ fieldId, header }) =>
    rows
      .filter(({ values }) => fieldId in values.fields)
      .map(({ values }) => ({
        row: values.row,
        column: header,
        message: 'the custom field was deleted during the import',
      })),
  )
}

async function lockOrCreateTags(
  tx: Tx,
  viewer: Caller,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const byName = await findOrCreateTags(tx, viewer, names)
    const ids = new Set(byName.values())
    if ((await lockTags(tx, viewer.tenantId, [...ids])).size === ids.size) return byName
  }
  throw new Error('tags were deleted during every attempt')
}
