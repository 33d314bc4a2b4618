/** Erases a contact: deletes it like any other, then clears all data stored about the person. */
import type { Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { deleteContact } from './contacts.ts'
import { ContactNotFound } from './errors.ts'
import { clearContacts, lockContactsForErasure } from './store/erasure.ts'
import { deleteNotesOf } from './store/notes.ts'

export interface ErasedContact {
  /** The contact and the contacts merged into it. */
  contactIds: string[]
  addresses: string[]
}

export async function eraseContact(tx: Tx, caller: Caller, id: string): Promise<ErasedContact> {
  const contacts = await lockContactsForErasure(tx, caller.tenantId, id)
  const target = contacts.find(contact => contact.id === id) ?? fail(ContactNotFound)
  if (!target.deleted) await deleteContact(tx, caller, id)
  const contactIds = contacts.map(contact => contact.id)
  await clearContacts(tx, caller.tenantId, contactIds)
  await deleteNotesOf(tx, caller.tenantId, contactIds)
  return { contactIds, addresses: contacts.flatMap(contact => contact.phones) }
}
