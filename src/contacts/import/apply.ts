/**
 * Makes contacts of rows, in the transaction that also says that they are done. Whatever others do to the same
 * contacts at the same time, each row lands once or is refused with a reason.
 */
import type { Tx } from '../../platform/db/db.ts'
import { type FieldBook, fieldBook, holdFieldTypes } from '../fields.ts'
import { holdTagIds, tagsNamed } from '../tags.ts'
import type { Viewer } from '../visibility.ts'
import { createFresh } from './births.ts'
import type { Column, RowError } from './columns.ts'
import { type Around, editKnown } from './edits.ts'
import { kindsOf, type Prepared } from './prepared.ts'
import { findTargets } from './targets.ts'

export interface Applying {
  viewer: Viewer
  importId: string
  columns: readonly Column[]
  dryRun: boolean
}

const attempts = 5

/** What holds still while rows land: read at once with what else the transaction needs. */
export interface Ground {
  book: FieldBook
  heldFields: ReadonlyMap<string, unknown>
}

/** Fields stay until the transaction ends. */
export async function holdGround(tx: Tx, tenantId: string, columns: readonly Column[]): Promise<Ground> {
  const fieldIds = columns.flatMap(column => (column.kind === 'field' ? [column.fieldId] : []))
  const [heldFields, book] = await Promise.all([
    holdFieldTypes(tx, tenantId, fieldIds),
    fieldBook(tx, tenantId),
  ])
  return { book, heldFields }
}

/** Gives the rows that were refused. */
export async function applyRows(
  tx: Tx,
  applying: Applying,
  ground: Ground,
  rows: readonly Prepared[],
): Promise<RowError[]> {
  const { viewer } = applying
  if (applying.dryRun) return (await findTargets(tx, viewer, rows)).refused
  const refused = refuseGoneFields(ground, applying.columns, rows)
  let pending = without(rows, refused)
  const around = await surroundings(tx, applying, pending)
  for (let attempt = 1; pending.length > 0; attempt++) {
    if (attempt > attempts) throw new Error('phone numbers kept changing hands during an import')
    const targets = await findTargets(tx, viewer, pending)
    refused.push(...targets.refused)
    pending = await land(tx, around, ground.book, targets)
  }
  return refused
}

/** Those that exist first: whoever changes one of them holds it before asking for a phone number. */
async function land(
  tx: Tx,
  around: Around,
  book: FieldBook,
  targets: { known: Map<string, Prepared[]>; fresh: Prepared[][] },
): Promise<Prepared[]> {
  const gone = await editKnown(tx, around, targets.known)
  const taken = await createFresh(tx, around, book, targets.fresh)
  return [...gone, ...taken]
}

function without(rows: readonly Prepared[], refused: readonly RowError[]): readonly Prepared[] {
  if (refused.length === 0) return rows
  const gone = new Set(refused.map(error => error.row))
  return rows.filter(({ said }) => !gone.has(said.row))
}

/** Those that were deleted since the import began take nothing more. */
function refuseGoneFields(
  { heldFields }: Ground,
  columns: readonly Column[],
  rows: readonly Prepared[],
): RowError[] {
  const gone = columns
    .filter(column => column.kind === 'field')
    .filter(field => !heldFields.has(field.fieldId))
  return gone.flatMap(({ fieldId, header }) =>
    rows
      .filter(({ said }) => fieldId in said.values)
      .map(({ said }) => ({
        row: said.row,
        column: header,
        message: 'the custom field was deleted during the import',
      })),
  )
}

async function surroundings(tx: Tx, applying: Applying, rows: readonly Prepared[]): Promise<Around> {
  const { viewer, importId, columns } = applying
  const names = [...new Set(rows.flatMap(({ said }) => said.tags))]
  const tagIds = await heldTags(tx, viewer, names)
  return { tenantId: viewer.tenantId, importId, kindOf: kindsOf(columns), tagIds }
}

/** Tags by name, made when they are new; they cannot be deleted until the transaction ends. */
async function heldTags(tx: Tx, viewer: Viewer, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const ids = await tagsNamed(tx, viewer, names)
    const wanted = new Set(ids.values())
    if ((await holdTagIds(tx, viewer.tenantId, [...wanted])).size === wanted.size) return ids
  }
  throw new Error('tags kept being deleted during an import')
}
