/** Rows about contacts that exist: many contacts changed by a few statements. Blank cells change nothing. */
import type { Tx } from '../../platform/db/db.ts'
import { emitContactsUpdated } from '../emit-events.ts'
import type { ContactChanges } from '../events.ts'
import { buildStoredProfile, type FieldValueRow, toFieldValueRows } from '../search-document.ts'
import {
  type ContactFieldValueRow,
  listPhonesByContact,
  replaceFieldValuesBatch,
  replan,
  updateProfiles,
} from '../store/bulk.ts'
import { type LockedContact, lockContacts, touch } from '../store/contacts.ts'
import { insertContactTags } from '../store/tags.ts'
import type { RowValues } from './parse-row.ts'
import { type GetField, mergeRows, type ParsedRow } from './prepared.ts'

export interface ImportContext {
  tenantId: string
  importId: string
  getField: GetField
  /** Ids of tags by the names in the file. */
  tagIds: ReadonlyMap<string, string>
}

interface ContactUpdate {
  contact: LockedContact
  said: RowValues
  changes: ContactChanges
}

/** Gives the rows whose contact has gone meanwhile. */
export async function updateContacts(
  tx: Tx,
  around: ImportContext,
  known: ReadonlyMap<string, ParsedRow[]>,
): Promise<ParsedRow[]> {
  if (known.size === 0) return []
  await replan(tx)
  const contacts = await lockContacts(tx, around.tenantId, [...known.keys()])
  const edits = contacts.map(contact => {
    const said = mergeRows(known.get(contact.id)!.map(row => row.values))
    return { contact, said, changes: diffContact(contact, said) }
  })
  await saveUpdates(
    tx,
    around,
    edits.filter(edit => Object.keys(edit.changes).length > 0),
  )
  await addTags(tx, around, edits)
  const changed = edits.filter(edit => Object.keys(edit.changes).length > 0)
  if (changed.length > 0) {
    await touch(
      tx,
      around.tenantId,
      changed.map(edit => edit.contact.id),
    )
    const updates = changed.map(edit => ({ contactId: edit.contact.id, changes: edit.changes }))
    await emitContactsUpdated(tx, around.tenantId, updates, { importId: around.importId })
  }
  const there = new Set(contacts.map(contact => contact.id))
  return [...known].flatMap(([id, rows]) => (there.has(id) ? [] : rows))
}

function diffContact(contact: LockedContact, said: RowValues): ContactChanges {
  const fieldIds = Object.keys(said.values).filter(id => contact.fields[id] !== said.values[id])
  return {
    ...(said.name !== undefined && said.name !== contact.name ? { name: true as const } : {}),
    ...(fieldIds.length > 0 ? { fieldIds } : {}),
  }
}

async function saveUpdates(tx: Tx, around: ImportContext, edits: readonly ContactUpdate[]): Promise<void> {
  if (edits.length === 0) return
  const phones = await listPhonesByContact(
    tx,
    around.tenantId,
    edits.map(edit => edit.contact.id),
  )
  const profiles = edits.map(({ contact, said }) => {
    const name = said.name ?? contact.name
    const fields = { ...contact.fields, ...said.values }
    const stored = buildStoredProfile(
      { name, fields, phones: phones.get(contact.id) ?? [] },
      around.getField,
      contact,
    )
    return { id: contact.id, ...stored }
  })
  await updateProfiles(tx, around.tenantId, profiles)
  const gone: ContactFieldValueRow[] = []
  const come: ContactFieldValueRow[] = []
  for (const [i, { contact, changes }] of edits.entries()) {
    const rowsOf = (spelled: Record<string, string>) =>
      toFieldValueRows(pickFields(spelled, changes.fieldIds ?? []), around.getField).map(row => ({
        ...row,
        contactId: contact.id,
      }))
    gone.push(...rowsOf(contact.spelled))
    come.push(...rowsOf(profiles[i]!.spelled))
  }
  await replaceFieldValuesBatch(tx, around.tenantId, without(gone, come), without(come, gone))
}

function pickFields(spelled: Record<string, string>, fieldIds: readonly string[]): Record<string, string> {
  return Object.fromEntries(fieldIds.flatMap(id => (spelled[id] === undefined ? [] : [[id, spelled[id]]])))
}

/** Values that differ only in their spelling have the same key. */
function without(
  rows: readonly ContactFieldValueRow[],
  others: readonly ContactFieldValueRow[],
): ContactFieldValueRow[] {
  const keyOf = (row: FieldValueRow & { contactId: string }) =>
    JSON.stringify([row.contactId, row.fieldId, row.key])
  const same = new Set(others.map(keyOf))
  return rows.filter(row => !same.has(keyOf(row)))
}

async function addTags(tx: Tx, around: ImportContext, edits: readonly ContactUpdate[]): Promise<void> {
  const pairs = edits.flatMap(({ contact, said }) =>
    said.tags.map(name => ({ contactId: contact.id, tagId: around.tagIds.get(name)! })),
  )
  if (pairs.length === 0) return
  const byContact = new Map(edits.map(edit => [edit.contact.id, edit]))
  for (const { contactId, tagId } of await insertContactTags(tx, around.tenantId, pairs)) {
    const { changes } = byContact.get(contactId)!
    changes.addedTagIds = [...(changes.addedTagIds ?? []), tagId]
  }
}
