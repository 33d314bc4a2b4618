/** Inserts contacts as they are, without validation and without events. */
import type { Tx } from '../../platform/db/db.ts'
import { buildPhoneClaim } from '../contacts.ts'
import { buildContactRow } from '../create-contacts.ts'
import { setArchived } from '../store/contacts.ts'
import { insertContacts } from '../store/insert-contacts.ts'
import { getFieldDefinitions } from '../tags-and-fields/custom-fields.ts'

export interface TestContact {
  name: string | null
  fields: Record<string, string>
  phone?: string | undefined
  importId?: string | undefined
}

export async function insertTestContact(
  tx: Tx,
  tenantId: string,
  { name, fields, phone, importId }: TestContact,
): Promise<string> {
  const claim = phone === undefined ? null : buildPhoneClaim(phone)
  const row = buildContactRow(tx.now, await getFieldDefinitions(tx, tenantId), { name, fields, claim })
  await insertContacts(tx, tenantId, [{ ...row, ...(importId && { importId }) }])
  return row.id
}

export async function archiveTestContact(tx: Tx, tenantId: string, contactId: string): Promise<void> {
  await setArchived(tx, tenantId, contactId, true)
}
