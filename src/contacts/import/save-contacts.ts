/**
 * Writes the rows of a batch: updates existing contacts, many by a few statements, where blank cells change nothing, and
 * creates new ones. Events are built from the written rows without reading them back, and name the import, so that
 * consumers can ignore imported contacts.
 */
import type { Tx } from '../../platform/db/db.ts'
import { emitMany, pendingEvent } from '../../platform/events/event.ts'
import { yieldEvery } from '../../platform/yield.ts'
import { buildPhoneClaim } from '../contacts.ts'
import { emitContactsUpdated } from '../emit-events.ts'
import { type ContactChanges, contactCreated } from '../events.ts'
import { ContactId, type LinkedContact } from '../schemas.ts'
import { buildStoredProfile, toFieldValueRows } from '../search/search-document.ts'
import { listPhonesByContact, replan, updateProfiles } from '../store/bulk/bulk.ts'
import {
  type ContactFieldValueRow,
  type LockedContact,
  lockContacts,
  replaceFieldValues,
  touch,
} from '../store/contacts.ts'
import { insertContacts, type NewContactRow } from '../store/insert-contacts.ts'
import { insertContactTags } from '../store/tags-and-fields/tags.ts'
import { type FieldDefinitions, toValuesByName } from '../tags-and-fields/custom-fields.ts'
import { buildProfile, type GetField, mergeRows, type ParsedRow, type RowValues } from './parse-row.ts'

export interface ImportContext {
  tenantId: string
  importId: string
  getField: GetField
  /** Tag ids by the names in the file. */
  tagIds: ReadonlyMap<string, string>
}

interface ContactUpdate {
  contact: LockedContact
  values: RowValues
  changes: ContactChanges
}

const hasChanges = ({ changes }: ContactUpdate) => Object.keys(changes).length > 0

/** Returns the rows whose contact was deleted meanwhile. */
export async function updateContacts(
  tx: Tx,
  context: ImportContext,
  rowsByContact: ReadonlyMap<string, ParsedRow[]>,
): Promise<ParsedRow[]> {
  if (rowsByContact.size === 0) return []
  const { tenantId, importId } = context
  await replan(tx)
  const contacts = await lockContacts(tx, tenantId, [...rowsByContact.keys()])
  const updates = contacts.map(contact => {
    const values = mergeRows(rowsByContact.get(contact.id)!.map(row => row.values))
    return { contact, values, changes: diffContact(contact, values) }
  })
  await saveUpdates(tx, context, updates.filter(hasChanges))
  await addTags(tx, context, updates)
  const changed = updates
    .filter(hasChanges)
    .map(({ contact, changes }) => ({ contactId: contact.id, changes }))
  if (changed.length > 0) {
    await touch(
      tx,
      tenantId,
      changed.map(update => update.contactId),
    )
    await emitContactsUpdated(tx, tenantId, changed, { importId })
  }
  const existing = new Set(contacts.map(contact => contact.id))
  return [...rowsByContact].flatMap(([id, rows]) => (existing.has(id) ? [] : rows))
}

function diffContact(contact: LockedContact, { name, fields }: RowValues): ContactChanges {
  const fieldIds = Object.keys(fields).filter(id => contact.fields[id] !== fields[id])
  return {
    ...(name !== undefined && name !== contact.name ? { name: true as const } : {}),
    ...(fieldIds.length > 0 ? { fieldIds } : {}),
  }
}

async function saveUpdates(
  tx: Tx,
  { tenantId, getField }: ImportContext,
  updates: readonly ContactUpdate[],
): Promise<void> {
  if (updates.length === 0) return
  const phones = await listPhonesByContact(
    tx,
    tenantId,
    updates.map(({ contact }) => contact.id),
  )
  const profiles = updates.map(({ contact, values }) => {
    const name = values.name ?? contact.name
    const fields = { ...contact.fields, ...values.fields }
    const profile = { name, fields, phones: phones.get(contact.id) ?? [] }
    return { id: contact.id, ...buildStoredProfile(profile, getField, contact) }
  })
  await updateProfiles(tx, tenantId, profiles)
  const before: ContactFieldValueRow[] = []
  const after: ContactFieldValueRow[] = []
  for (const [i, { contact, changes }] of updates.entries()) {
    const toRows = (searchValues: Record<string, string>) => {
      const changed = pickFields(searchValues, changes.fieldIds ?? [])
      return toFieldValueRows(changed, getField).map(row => ({ ...row, contactId: contact.id }))
    }
    before.push(...toRows(contact.searchValues))
    after.push(...toRows(profiles[i]!.searchValues))
  }
  await replaceFieldValues(tx, tenantId, before, after)
}

function pickFields(values: Record<string, string>, fieldIds: readonly string[]): Record<string, string> {
  return Object.fromEntries(fieldIds.flatMap(id => (values[id] === undefined ? [] : [[id, values[id]]])))
}

async function addTags(
  tx: Tx,
  { tenantId, tagIds }: ImportContext,
  updates: readonly ContactUpdate[],
): Promise<void> {
  const pairs = updates.flatMap(({ contact, values }) =>
    values.tags.map(name => ({ contactId: contact.id, tagId: tagIds.get(name)! })),
  )
  if (pairs.length === 0) return
  const byContact = new Map(updates.map(update => [update.contact.id, update]))
  for (const { contactId, tagId } of await insertContactTags(tx, tenantId, pairs)) {
    const { changes } = byContact.get(contactId)!
    changes.addedTagIds = [...(changes.addedTagIds ?? []), tagId]
  }
}

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
  const { importId } = context
  return { rows, tagIds, row: { ...stored, id: ContactId.createAt(tx.now), claim, values, importId } }
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
    avatarUrl: null,
    optOuts: [],
    conversations: row.claim
      ? [{ conversationId: null, channel: 'chatapp', metadata: { phoneNumber: row.claim.phone } }]
      : [],
  }
}
