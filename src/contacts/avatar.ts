/**
 * The picture of a contact. Its URL is stored with the contact; the file belongs to the domain that encodes it. A contact
 * that is deleted loses its picture; one that is merged gives it to a survivor without one.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { lockVisibleContact } from './contacts.ts'
import { emitContactsUpdated } from './emit-events.ts'
import { touch, updateAvatar } from './store/contacts.ts'

export async function setContactAvatar(
  tx: Tx,
  caller: Caller,
  id: string,
  url: string | null,
): Promise<void> {
  const { tenantId } = caller
  const contact = await lockVisibleContact(tx, caller, id)
  if (!(await updateAvatar(tx, tenantId, contact.id, url))) return
  await touch(tx, tenantId, [contact.id])
  await emitContactsUpdated(tx, tenantId, [{ contactId: contact.id, changes: { avatarUrl: true } }])
}
