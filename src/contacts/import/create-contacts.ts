/**
 * Rows about people who are not contacts yet. All that their events say is known here, so nothing is read back; each
 * event names the import, for those who do not react to imported contacts.
 */
import type { Tx } from '../../platform/db/db.ts'
import { emitMany, pendingEvent } from '../../platform/events/event.ts'
import { yieldEvery } from '../../platform/yield.ts'
import { buildPhoneClaim } from '../contacts.ts'
import { contactCreated } from '../events.ts'
import { ContactId, type LinkedContact } from '../schemas.ts'
import { insertContacts, type NewContactRow } from '../store/insert-contacts.ts'
import { insertContactTags } from '../store/tags.ts'
import { type FieldDefinitions, toValuesByName } from '../tags-and-fields/custom-fields.ts'
import type { RowValues } from './parse-row.ts'
import { buildProfile, mergeRows, type ParsedRow } from './prepared.ts'
import type { ImportContext } from './update-contacts.ts'

interface ContactToCreate {
  rows: ParsedRow[]
  values: RowValues
  row: NewContactRow
}

/** What goes out at once is made in one go, and everybody else waits for that long. */
const maxInsertRows = 250

/** Gives the rows whose phone number someone else has taken meanwhile. */
export async function createContacts(
  tx: Tx,
  around: ImportContext,
  book: FieldDefinitions,
  fresh: readonly ParsedRow[][],
): Promise<ParsedRow[]> {
  const taken: ParsedRow[] = []
  for (let at = 0; at < fresh.length; at += maxInsertRows)
    taken.push(...(await insertChunk(tx, around, book, fresh.slice(at, at + maxInsertRows))))
  return taken
}

async function insertChunk(
  tx: Tx,
  around: ImportContext,
  book: FieldDefinitions,
  fresh: readonly ParsedRow[][],
): Promise<ParsedRow[]> {
  const breathe = yieldEvery()
  const births: ContactToCreate[] = []
  for (const rows of fresh) {
    births.push(buildContactToCreate(tx, around, rows))
    await breathe()
  }
  const made = await insertContacts(
    tx,
    around.tenantId,
    births.map(birth => birth.row),
  )
  const born = births.filter(birth => made.has(birth.row.id))
  const pairs = born.flatMap(({ row, values: said }) =>
    toTagIds(around, said).map(tagId => ({ contactId: row.id, tagId })),
  )
  if (pairs.length > 0) await insertContactTags(tx, around.tenantId, pairs)
  await emitMany(
    tx,
    born.map(birth => {
      const data = { contact: toLinkedContact(tx, around, book, birth), importId: around.importId }
      return pendingEvent(contactCreated, { tenantId: around.tenantId, data })
    }),
  )
  return births.flatMap(birth => (made.has(birth.row.id) ? [] : birth.rows))
}

function buildContactToCreate(tx: Tx, around: ImportContext, rows: ParsedRow[]): ContactToCreate {
  const said = mergeRows(rows.map(row => row.values))
  const known = rows.length === 1 ? rows[0]!.profile : undefined
  const { stored, values } = known ?? buildProfile(said, around.getField)
  const claim = said.phone === undefined ? null : buildPhoneClaim(said.phone)
  return { rows, values: said, row: { ...stored, id: ContactId.createAt(tx.now), claim, values } }
}

/** Names that differ only in case are one tag. */
function toTagIds(around: ImportContext, said: RowValues): string[] {
  return [...new Set(said.tags.map(name => around.tagIds.get(name)!))].sort()
}

function toLinkedContact(
  tx: Tx,
  around: ImportContext,
  book: FieldDefinitions,
  { row, values: said }: ContactToCreate,
): LinkedContact {
  return {
    id: row.id,
    tenantId: around.tenantId,
    name: row.name,
    createdAt: tx.now,
    updatedAt: tx.now,
    tagIds: toTagIds(around, said),
    customFields: toValuesByName(book, row.fields),
    archivedAt: null,
    optOuts: [],
    conversations: [],
  }
}
