import { isAfterPlace, type TimelinePage } from '../../../platform/contributions/timeline-parts.ts'
import type { Queryable } from '../../../platform/db/db.ts'
import { inlineLimit, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'

export interface ContactEventRow {
  type: string
  id: string
  at: string
  conversationId: string
  channel: string
  actor: string | null
}

/**
 * Lists the openings, closings and opt-outs in the visible conversations of a contact, the newest of each conversation by
 * an index. Events from before the conversation belonged to the contact are left out, and so is the event of an opt-out
 * that is in effect, which the contact itself has.
 */
export function listContactEvents(
  on: Queryable,
  viewer: Viewer,
  contactId: string,
  page: TimelinePage,
): Promise<ContactEventRow[]> {
  const limit = inlineLimit(page.limit)
  return on.rows(sql`
    select e.type, e.id, e.at, v.id as "conversationId", v.channel, e.actor
    from conversations v
    join conversation_states s on s.tenant_id = v.tenant_id and s.conversation_id = v.id
    cross join lateral (
      select e.type, e.id, e.at, e.actor from conversation_events e
      where e.tenant_id = v.tenant_id and e.conversation_id = v.id
        and e.type in ('opened', 'reopened', 'closed', 'opted_out', 'opted_in') and ${isAfterPlace(page, 'e.at', 'e.id')}
        and not exists (select from conversation_sessions p where p.tenant_id = e.tenant_id and p.id = e.session_id
          and p.contact_id <> v.contact_id)
        and not (e.type = 'opted_out' and exists (select from contact_opt_outs o where o.tenant_id = v.tenant_id
          and o.contact_id = v.contact_id and o.channel = v.channel and o.at = e.at))
      order by e.at desc, e.id desc limit ${limit}) e
    where v.tenant_id = ${viewer.tenantId} and v.contact_id = ${contactId} and v.merged_into is null and ${visibleTo(viewer)}
    order by e.at desc, e.id desc limit ${limit}`)
}
