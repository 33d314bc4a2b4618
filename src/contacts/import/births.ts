/**
 * Rows about people who are not contacts yet. All that their events say is known here, so nothing is read back; each
 * event names the import, for those who do not react to imported contacts.
 */
import type { Tx } from '../../platform/db/db.ts'
import { emitMany, happened } from '../../platform/events/event.ts'
import { newIdAt } from '../../platform/ids.ts'
import { phoneClaim } from '../contacts.ts'
import { ContactCreated } from '../events.ts'
import { type FieldBook, namedValues } from '../fields.ts'
import type { LinkedContact } from '../schemas.ts'
import { insertContacts, type NewContactRow } from '../store/insert.ts'
import { insertContactTags } from '../store/tags.ts'
import type { Around } from './edits.ts'
import { pace } from './pace.ts'
import { mergeRows, type Prepared, profileOf } from './prepared.ts'
import type { ImportedRow } from './rows.ts'

interface Birth {
  rows: Prepared[]
  said: ImportedRow
  row: NewContactRow
}

/** What goes out at once is made in one go, and everybody else waits for that long. */
const mostAtOnce = 250

/** Gives the rows whose phone number someone else has taken meanwhile. */
export async function createFresh(
  tx: Tx,
  around: Around,
  book: FieldBook,
  fresh: readonly Prepared[][],
): Promise<Prepared[]> {
  const taken: Prepared[] = []
  for (let at = 0; at < fresh.length; at += mostAtOnce)
    taken.push(...(await createSome(tx, around, book, fresh.slice(at, at + mostAtOnce))))
  return taken
}

async function createSome(
  tx: Tx,
  around: Around,
  book: FieldBook,
  fresh: readonly Prepared[][],
): Promise<Prepared[]> {
  const breathe = pace()
  const births: Birth[] = []
  for (const rows of fresh) {
    births.push(birthOf(tx, around, rows))
    await breathe()
  }
  const made = await insertContacts(
    tx,
    around.tenantId,
    births.map(birth => birth.row),
  )
  const born = births.filter(birth => made.has(birth.row.id))
  const pairs = born.flatMap(({ row, said }) =>
    tagIdsOf(around, said).map(tagId => ({ contactId: row.id, tagId })),
  )
  if (pairs.length > 0) await insertContactTags(tx, around.tenantId, pairs)
  await emitMany(
    tx,
    born.map(birth => {
      const data = { contact: shown(tx, around, book, birth), importId: around.importId }
      return happened(ContactCreated, { tenantId: around.tenantId, data })
    }),
  )
  return births.flatMap(birth => (made.has(birth.row.id) ? [] : birth.rows))
}

function birthOf(tx: Tx, around: Around, rows: Prepared[]): Birth {
  const said = mergeRows(rows.map(row => row.said))
  const known = rows.length === 1 ? rows[0]!.profile : undefined
  const { stored, values } = known ?? profileOf(said, around.kindOf)
  const claim = said.phone === undefined ? null : phoneClaim(said.phone)
  return { rows, said, row: { ...stored, id: newIdAt('contact', tx.now), claim, values } }
}

/** Names that differ only in case are one tag. */
function tagIdsOf(around: Around, said: ImportedRow): string[] {
  return [...new Set(said.tags.map(name => around.tagIds.get(name)!))].sort()
}

function shown(tx: Tx, around: Around, book: FieldBook, { row, said }: Birth): LinkedContact {
  return {
    id: row.id,
    tenantId: around.tenantId,
    name: row.name,
    createdAt: tx.now,
    updatedAt: tx.now,
    tagIds: tagIdsOf(around, said),
    customFields: namedValues(book, row.fields),
    archivedAt: null,
    optOuts: [],
    conversations: [],
  }
}
