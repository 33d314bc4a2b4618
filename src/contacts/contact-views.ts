/** Loads contacts by id in the shapes of the API, in the order of the ids, and counts the contacts a viewer may see. */
import type { Db, Queryable } from '../platform/db/db.ts'
import { canSeeAll, type Viewer } from './access.ts'
import type { Contact, ContactSummary, LinkedContact } from './schemas.ts'
import { listContactJson } from './store/contact-json.ts'
import { listContactRows, listSummaryRows, listVisibleContacts } from './store/contact-views.ts'
import { countVisible, getCount } from './store/counts.ts'
import { getFieldDefinitions, toValuesByName } from './tags-and-fields/custom-fields.ts'

export {
  canSeeAll,
  isAssignedTo,
  selectAssignedContactIds,
  selectVisibleContactIds,
  type Viewer,
  visibleTo,
} from './access.ts'
export { type ContactJson, listContactJson, listSelectedContactJson } from './store/contact-json.ts'
export {
  type ContactSnapshot,
  listVisibleContacts,
  loadSnapshots,
} from './store/contact-views.ts'

export async function isContactVisible(on: Queryable, viewer: Viewer, id: string): Promise<boolean> {
  return (await listVisibleContacts(on, viewer, [id])).has(id)
}

/** Loads contacts with their identities, the shape of the contact operations. */
export async function loadContacts(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Contact[]> {
  const rows = await listContactJson(on, tenantId, ids)
  return rows.map(({ json }) => JSON.parse(json) as Contact)
}

export type SummaryMember = 'customFields' | 'lastInteractionAt'

/** Loads contacts in the shape of searches. */
export async function loadSummaries(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
  include: readonly SummaryMember[] = [],
): Promise<ContactSummary[]> {
  const rows = await listSummaryRows(on, tenantId, ids)
  const definitions = include.includes('customFields') ? await getFieldDefinitions(on, tenantId) : undefined
  return rows.map(({ fields, lastInteractionAt, ...rest }) => ({
    ...rest,
    ...(definitions ? { customFields: toValuesByName(definitions, fields) } : {}),
    ...(include.includes('lastInteractionAt') ? { lastInteractionAt } : {}),
  }))
}

/** Loads contacts with their conversations, the shape of events and of other domains. */
export async function loadContactsWithConversations(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<LinkedContact[]> {
  const [rows, definitions] = await Promise.all([
    listContactRows(on, tenantId, ids),
    getFieldDefinitions(on, tenantId),
  ])
  return rows.map(({ fields, ...rest }) => ({
    ...rest,
    tenantId,
    customFields: toValuesByName(definitions, fields),
  }))
}

/** Counts contacts: from the stored counters for owners and admins, by a query for agents. */
export function countContacts(db: Db, viewer: Viewer, state: 'active' | 'archived'): Promise<number> {
  return canSeeAll(viewer) ? getCount(db, viewer.tenantId, state) : countVisible(db, viewer, state)
}
