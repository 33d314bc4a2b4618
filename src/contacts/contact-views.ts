/** Contacts in the shapes of the contract, by id, in the order asked for. */
import type { Queryable } from '../platform/db/db.ts'
import { type Contact, type ContactSummary, type LinkedContact } from './schemas.ts'
import { listContactRows, listSummaryRows } from './store/contact-views.ts'
import { getFieldDefinitions, toValuesByName } from './tags-and-fields/custom-fields.ts'

async function load(on: Queryable, tenantId: string, ids: readonly string[]) {
  const [rows, book] = await Promise.all([
    listContactRows(on, tenantId, ids),
    getFieldDefinitions(on, tenantId),
  ])
  return rows.map(({ fields, identities, conversations, ...rest }) => {
    const contact = { ...rest, tenantId, customFields: toValuesByName(book, fields) }
    return { contact, identities, conversations }
  })
}

/** Linked by identities, as the contacts group shows them. */
export async function loadContacts(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Contact[]> {
  return (await load(on, tenantId, ids)).map(({ contact, identities }) => ({ ...contact, identities }))
}

/** Linked by conversations, as everything else shows them. */
export async function loadContactsWithConversations(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<LinkedContact[]> {
  return (await load(on, tenantId, ids)).map(({ contact, conversations }) => ({ ...contact, conversations }))
}

/** As search results show them. */
export function loadSummaries(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ContactSummary[]> {
  return listSummaryRows(on, tenantId, ids)
}
