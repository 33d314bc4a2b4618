/** Contacts in the shapes of the contract, by id, in the order asked for. */
import type { Queryable } from '../platform/db/db.ts'
import { fieldBook, namedValues } from './fields.ts'
import type { Contact, ContactSummary, LinkedContact } from './schemas.ts'
import { loadContacts, loadSummaries } from './store/shown.ts'

async function load(on: Queryable, tenantId: string, ids: readonly string[]) {
  const [rows, book] = await Promise.all([loadContacts(on, tenantId, ids), fieldBook(on, tenantId)])
  return rows.map(({ fields, identities, conversations, ...rest }) => {
    const contact = { ...rest, tenantId, customFields: namedValues(book, fields) }
    return { contact, identities, conversations }
  })
}

/** Linked by identities, as the contacts group shows them. */
export async function loadShown(on: Queryable, tenantId: string, ids: readonly string[]): Promise<Contact[]> {
  return (await load(on, tenantId, ids)).map(({ contact, identities }) => ({ ...contact, identities }))
}

/** Linked by conversations, as everything else shows them. */
export async function loadLinked(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<LinkedContact[]> {
  return (await load(on, tenantId, ids)).map(({ contact, conversations }) => ({ ...contact, conversations }))
}

/** As search results show them. */
export function loadSummarised(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactSummary[]> {
  return loadSummaries(on, tenantId, ids)
}
