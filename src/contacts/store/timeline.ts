import {
  isAfterPlace,
  type TimelineEntry,
  type TimelinePage,
} from '../../platform/contributions/timeline-parts.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { inlineLimit, sql } from '../../platform/db/sql.ts'

/**
 * Reads the history of a contact from its rows: when it was created, archived, merged with others and opted out. The id of the
 * first entry sorts before those of entries of the same transaction, such as the conversation that created the contact.
 */
export function listContactEntries(
  on: Queryable,
  tenantId: string,
  contactId: string,
  page: TimelinePage,
): Promise<(TimelineEntry & { name: string | null; channel: string | null })[]> {
  return on.rows(sql`
    select e.* from (
      select 'created' as type, 'added:' || c.id as id, c.created_at as at, null as name, null as channel from contacts c
      where c.tenant_id = ${tenantId} and c.id = ${contactId}
      union all
      select 'archived', c.id || ':archived', c.archived_at, null, null from contacts c
      where c.tenant_id = ${tenantId} and c.id = ${contactId} and c.archived_at is not null
      union all
      select 'merged', c.id, c.deleted_at, c.name, null from contacts c
      where c.tenant_id = ${tenantId} and c.merged_into = ${contactId}
      union all
      select 'opted_out', o.contact_id || ':' || o.channel, o.at, null, o.channel from contact_opt_outs o
      where o.tenant_id = ${tenantId} and o.contact_id = ${contactId}
    ) e where ${isAfterPlace(page, 'e.at', 'e.id')}
    order by e.at desc, e.id desc limit ${inlineLimit(page.limit)}`)
}
