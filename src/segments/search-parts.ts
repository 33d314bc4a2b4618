/** Contributes contacts and segments to the search over all kinds. */
import { loadSummaries } from '../contacts/contact-views.ts'
import { namedPart, type SearchPart } from '../platform/contributions/search.ts'
import { findContacts } from './contact-search.ts'
import { buildListConjuncts } from './list-query.ts'
import { newestFirst } from './search.ts'
import { listSegmentNames } from './store/segments.ts'

const contactPart: SearchPart = {
  kind: 'contact',
  scope: 'contact:list',
  find: async ({ db, clock }, caller, { text, limit }) => {
    const { tenantId } = caller
    const conjuncts = await buildListConjuncts(db, caller, { search: text }, clock.now())
    const query = { tenantId, conjuncts, sort: newestFirst }
    const ids = (await findContacts(db, query, undefined, limit)).map(([, id]) => id)
    const contacts = await loadSummaries(db, tenantId, ids)
    return contacts.map(({ id, name, phone, email }) => ({
      id,
      title: name ?? phone ?? email ?? id,
      detail: phone ?? email,
    }))
  },
}

export const segmentSearch = [
  contactPart,
  namedPart({
    kind: 'segment',
    scope: 'segment:list',
    list: ({ db }, { tenantId }) => listSegmentNames(db, tenantId),
  }),
]
