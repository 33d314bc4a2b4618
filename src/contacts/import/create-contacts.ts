/**
 * Creates contacts from rows. Events are built from the inserted rows without reading them back, and name the import, so
 * that consumers can ignore imported contacts.
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
import { buildProfile, mergeRows, type ParsedRow } from './parse-row.ts'
import type { ImportContext } from './update-contacts.ts'

interface ContactToCreate {
  rows: ParsedRow[]
  row: NewContactRow
  tagIds: string[]
}

/** Serializing a statement blocks the process: more rows would delay other requests. */
const maxInsertRows = 250

/** Creates one contact for each group of rows. Returns the rows whose phone number was taken meanwhile. */
export async function createContacts(
  tx: Tx,
  context: ImportContext,
  definitions: FieldDefinitions,
  groups: readonly ParsedRow[][],
): Promise<ParsedRow[]> {
  const taken: ParsedRow[] = []
  for (let at = 0; at < groups.length; at += maxInsertRows)
    taken.push(...(await insertChunk(tx, context, definitions, groups.slice(at, at + maxInsertRows))))
  return taken
}

async function insertChunk(
  tx: Tx,
  context: ImportContext,
  definitions: FieldDefinitions,
  groups: readonly ParsedRow[][],
): Promise<ParsedRow[]> {
  const { tenantId, importId } = context
  const maybeYield = yieldEvery()
  const contacts: ContactToCreate[] = []
  for (const rows of groups) {
    contacts.push(buildContactToCreate(tx, context, rows))
    await maybeYield()
  }
  const createdIds = await insertContacts(
    tx,
    tenantId,
    contacts.map(contact => contact.row),
  )
  const created = contacts.filter(({ row }) => createdIds.has(row.id))
  const pairs = created.flatMap(({ row, tagIds }) => tagIds.map(tagId => ({ contactId: row.id, tagId })))
  if (pairs.length > 0) await insertContactTags(tx, tenantId, pairs)
  await emitMany(
    tx,
    created.map(contact => {
      const data = { contact: toLinkedContact(tx, tenantId, definitions, contact), importId }
      return pendingEvent(contactCreated, { tenantId, data })
    }),
  )
  return contacts.flatMap(({ row, rows }) => (createdIds.has(row.id) ? [] : rows))
}

function buildContactToCreate(tx: Tx, context: ImportContext, rows: ParsedRow[]): ContactToCreate {
  const merged = mergeRows(rows.map(row => row.values))
  const prepared = rows.length === 1 ? rows[0]!.profile : undefined
  const { stored, values } = prepared ?? buildProfile(merged, context.getField)
  const claim = merged.phone === undefined ? null : buildPhoneClaim(merged.phone)
  // Names that differ only in case are one tag.
  const tagIds = [...new Set(merged.tags.map(name => context.tagIds.get(name)!))].sort()
  return { rows, tagIds, row: { ...stored, id: ContactId.createAt(tx.now), claim, values } }
}

function toLinkedContact(
  tx: Tx,
  tenantId: string,
  definitions: FieldDefinitions,
  { row, tagIds }: ContactToCreate,
): LinkedContact {
  return {
    id: row.id,
    tenantId,
    name: row.name,
    createdAt: tx.now,
    updatedAt: tx.now,
    tagIds,
    customFields: toValuesByName(definitions, row.fields),
    archivedAt: null,
    optOuts: [],
    conversations: row.claim
      ? [{ conversationId: null, channel: 'chatapp', metadata: { phoneNumber: row.claim.phone } }]
      : [],
  }
}
