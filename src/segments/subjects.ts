/** Loads contacts with everything that filters ask about them. */
import { loadSnapshots } from '../contacts/contact-views.ts'
import type { Queryable } from '../platform/db/db.ts'
import { groupBy } from '../platform/group-by.ts'
import type { FilterSubject } from './filter/condition.ts'
import { type ContactFilter, filterReferences, listEventNames } from './filter/filter.ts'
import { type ContactFact, listCampaignsOf, listEventsOf, listJourneysOf } from './store/subjects.ts'

/** Journeys, campaigns and custom events are loaded only if a filter names them. */
export async function loadSubjects(
  on: Queryable,
  tenantId: string,
  ids: readonly string[],
  filters: Iterable<ContactFilter>,
): Promise<FilterSubject[]> {
  const all = [...filters]
  const references = all.flatMap(filter => filterReferences(filter, ''))
  const eventNames = [...new Set(all.flatMap(listEventNames))]
  const listIds = (wanted: string) => [
    ...new Set(references.flatMap(({ kind, id }) => (kind === wanted ? [id] : []))),
  ]
  const [journeyIds, campaignIds] = [listIds('journey'), listIds('campaign')]
  const contacts = await loadSnapshots(on, tenantId, ids)
  const journeys = journeyIds.length > 0 ? await listJourneysOf(on, tenantId, ids, journeyIds) : []
  const campaigns = campaignIds.length > 0 ? await listCampaignsOf(on, tenantId, ids, campaignIds) : []
  const events = eventNames.length > 0 ? await listEventsOf(on, tenantId, ids, eventNames) : []
  const eventsOf = groupBy(events, event => event.contactId)
  const idsOf = (facts: readonly ContactFact[], contactId: string) =>
    facts.flatMap(fact => (fact.contactId === contactId ? [fact.id] : []))
  return contacts.map(contact => ({
    ...contact,
    journeyIds: idsOf(journeys, contact.id),
    campaignIds: idsOf(campaigns, contact.id),
    events: eventsOf.get(contact.id) ?? [],
  }))
}
