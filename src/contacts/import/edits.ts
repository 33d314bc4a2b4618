/** Rows about contacts that exist: many contacts changed by a few statements. Blank cells change nothing. */
import type { Tx } from '../../platform/db/db.ts'
import { announceUpdated } from '../announce.ts'
import type { ContactChanges } from '../events.ts'
import { type FieldValueRow, storedProfile, valueRows } from '../profile.ts'
import { phonesOfMany, planAnew, replaceValuesOfMany, updateProfiles, type ValueOf } from '../store/bulk.ts'
import { type LockedContact, lockContacts, touch } from '../store/contacts.ts'
import { insertContactTags } from '../store/tags.ts'
import { type KindOf, mergeRows, type Prepared } from './prepared.ts'
import type { ImportedRow } from './rows.ts'

export interface Around {
  tenantId: string
  importId: string
  kindOf: KindOf
  /** Ids of tags by the names in the file. */
  tagIds: ReadonlyMap<string, string>
}

interface Edit {
  contact: LockedContact
  said: ImportedRow
  changes: ContactChanges
}

/** Gives the rows whose contact has gone meanwhile. */
export async function editKnown(
  tx: Tx,
  around: Around,
  known: ReadonlyMap<string, Prepared[]>,
): Promise<Prepared[]> {
  if (known.size === 0) return []
  await planAnew(tx)
  const contacts = await lockContacts(tx, around.tenantId, [...known.keys()])
  const edits = contacts.map(contact => {
    const said = mergeRows(known.get(contact.id)!.map(row => row.said))
    return { contact, said, changes: changesOf(contact, said) }
  })
  await storeEdits(
    tx,
    around,
    edits.filter(edit => Object.keys(edit.changes).length > 0),
  )
  await tagKnown(tx, around, edits)
  const changed = edits.filter(edit => Object.keys(edit.changes).length > 0)
  if (changed.length > 0) {
    await touch(
      tx,
      around.tenantId,
      changed.map(edit => edit.contact.id),
    )
    const updates = changed.map(edit => ({ contactId: edit.contact.id, changes: edit.changes }))
    await announceUpdated(tx, around.tenantId, updates, { importId: around.importId })
  }
  const there = new Set(contacts.map(contact => contact.id))
  return [...known].flatMap(([id, rows]) => (there.has(id) ? [] : rows))
}

function changesOf(contact: LockedContact, said: ImportedRow): ContactChanges {
  const fieldIds = Object.keys(said.values).filter(id => contact.fields[id] !== said.values[id])
  return {
    ...(said.name !== undefined && said.name !== contact.name ? { name: true as const } : {}),
    ...(fieldIds.length > 0 ? { fieldIds } : {}),
  }
}

async function storeEdits(tx: Tx, around: Around, edits: readonly Edit[]): Promise<void> {
  if (edits.length === 0) return
  const phones = await phonesOfMany(
    tx,
    around.tenantId,
    edits.map(edit => edit.contact.id),
  )
  const profiles = edits.map(({ contact, said }) => {
    const name = said.name ?? contact.name
    const fields = { ...contact.fields, ...said.values }
    const stored = storedProfile(
      { name, fields, phones: phones.get(contact.id) ?? [] },
      around.kindOf,
      contact,
    )
    return { id: contact.id, ...stored }
  })
  await updateProfiles(tx, around.tenantId, profiles)
  const gone: ValueOf[] = []
  const come: ValueOf[] = []
  for (const [i, { contact, changes }] of edits.entries()) {
    const rowsOf = (spelled: Record<string, string>) =>
      valueRows(only(spelled, changes.fieldIds ?? []), around.kindOf).map(row => ({
        ...row,
        contactId: contact.id,
      }))
    gone.push(...rowsOf(contact.spelled))
    come.push(...rowsOf(profiles[i]!.spelled))
  }
  await replaceValuesOfMany(tx, around.tenantId, without(gone, come), without(come, gone))
}

function only(spelled: Record<string, string>, fieldIds: readonly string[]): Record<string, string> {
  return Object.fromEntries(fieldIds.flatMap(id => (spelled[id] === undefined ? [] : [[id, spelled[id]]])))
}

/** Values that differ only in their spelling have the same key. */
function without(rows: readonly ValueOf[], others: readonly ValueOf[]): ValueOf[] {
  const keyOf = (row: FieldValueRow & { contactId: string }) =>
    JSON.stringify([row.contactId, row.fieldId, row.key])
  const same = new Set(others.map(keyOf))
  return rows.filter(row => !same.has(keyOf(row)))
}

async function tagKnown(tx: Tx, around: Around, edits: readonly Edit[]): Promise<void> {
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
