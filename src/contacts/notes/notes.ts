/**
 * Internal notes about a contact: for users, never for the customer. A user who sees the contact sees its notes. They are written
 * under the lock of the contact, so that a merge moves all of them and an erasure misses none.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { findContact, lockVisibleContact } from '../contacts.ts'
import { ContactNoteNotFound, ContactNoteNotYours } from '../errors.ts'
import { listAudiences } from '../store/activity.ts'
import { deleteNoteRow, findNote, insertNote, listNotes, updateNoteText } from '../store/notes.ts'
import { type ContactNote, ContactNoteId } from './schemas.ts'

export async function listContactNotes(on: Queryable, caller: Caller, id: string, page: Page) {
  const { tenantId } = caller
  const contactId = await findContact(on, caller, id)
  const { limit, after } = page
  const found = await listNotes(on, tenantId, contactId, { limit: limit + 1, after })
  const { rows, next } = page.toPage(found, note => [note.createdAt, note.id])
  return { notes: rows, ...withNextPage(next) }
}

export async function getContactNote(
  on: Queryable,
  caller: Caller,
  { id, noteId }: NotePath,
): Promise<ContactNote> {
  const contactId = await findContact(on, caller, id)
  return (await findNote(on, caller.tenantId, contactId, noteId)) ?? fail(ContactNoteNotFound)
}

export async function createContactNote(
  tx: Tx,
  caller: Caller,
  id: string,
  text: string,
): Promise<ContactNote> {
  const { tenantId } = caller
  const contact = await lockVisibleContact(tx, caller, id)
  const noteId = ContactNoteId.create()
  await insertNote(tx, tenantId, {
    id: noteId,
    contactId: contact.id,
    authorType: caller.kind,
    authorId: caller.id,
    text,
  })
  await emitNotesChanged(tx, tenantId, contact.id)
  return (await findNote(tx, tenantId, contact.id, noteId))!
}

/** Only the author changes a note: others would change what the author says. */
export async function updateContactNote(
  tx: Tx,
  caller: Caller,
  { id, noteId }: NotePath,
  text: string,
): Promise<ContactNote> {
  const note = await lockNote(tx, caller, { id, noteId })
  if (note.authorId !== caller.id) fail(ContactNoteNotYours)
  if (note.text === text) return note
  await updateNoteText(tx, caller.tenantId, noteId, text)
  await emitNotesChanged(tx, caller.tenantId, note.contactId)
  return (await findNote(tx, caller.tenantId, note.contactId, noteId))!
}

/** The author deletes a note; owners and admins delete any. */
export async function deleteContactNote(tx: Tx, caller: Caller, path: NotePath): Promise<void> {
  const note = await lockNote(tx, caller, path)
  if (note.authorId !== caller.id && caller.role === 'agent') fail(ContactNoteNotYours)
  await deleteNoteRow(tx, caller.tenantId, note.id)
  await emitNotesChanged(tx, caller.tenantId, note.contactId)
}

interface NotePath {
  /** Of the contact, or of one that was merged into it. */
  id: string
  noteId: string
}

async function lockNote(tx: Tx, caller: Caller, { id, noteId }: NotePath): Promise<ContactNote> {
  const contact = await lockVisibleContact(tx, caller, id)
  return (await findNote(tx, caller.tenantId, contact.id, noteId)) ?? fail(ContactNoteNotFound)
}

async function emitNotesChanged(tx: Tx, tenantId: string, contactId: string): Promise<void> {
  const audience = (await listAudiences(tx, tenantId, [contactId])).get(contactId)
  await emitChanged(tx, tenantId, { kind: 'contact_notes', id: contactId }, audience)
}
