/** Erasing a person: their contact is deleted as usual, and then nothing that was known of them is kept. */
import type { Tx } from '../platform/db/db.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { deleteContact } from './contacts.ts'
import { ContactNotFound } from './errors.ts'
import { clearContacts, lockContactsForErasure } from './store/erasure.ts'

export interface ErasedContact {
  /** The contact and those that were merged into it. */
  contactIds: string[]
  addresses: string[]
}

export async function eraseContact(tx: Tx, caller: Caller, id: string): Promise<ErasedContact> {
  const found = await lockContactsForErasure(tx, caller.tenantId, id)
  const own = found.find(contact => contact.id === id) ?? fail(ContactNotFound)
  if (!own.deleted) await deleteContact(tx, caller, id)
  const contactIds = found.map(contact => contact.id)
  await clearContacts(tx, caller.tenantId, contactIds)
  return { contactIds, addresses: found.flatMap(contact => contact.phones) }
}
