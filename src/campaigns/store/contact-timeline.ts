import { canSeeAll, isAssignedTo } from '../../contacts/contact-views.ts'
import { hasVisibleInbox } from '../../inboxes/visibility.ts'
import { isAfterPlace, type TimelinePage } from '../../platform/contributions/timeline-parts.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../platform/db/sql.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RecipientStatus } from '../schemas.ts'

export interface CampaignEntry {
  at: string
  messageId: string
  conversationId: string
  campaignId: string
  campaignName: string
  status: RecipientStatus
}

/** Recipients have no index by contact, which every dispatch would pay for: the newest campaigns are looked up instead. */
const maxCampaigns = 1_000

/** Lists the messages of campaigns that were sent to the contact, or to one that was merged into it. */
export function listCampaignEntries(
  on: Queryable,
  caller: Caller,
  contactId: string,
  page: TimelinePage,
): Promise<CampaignEntry[]> {
  const { tenantId } = caller
  const isVisible = canSeeAll(caller)
    ? raw('true')
    : sql`exists (select from contact_conversations v where v.tenant_id = ${tenantId} and v.contact_id = ${contactId}
        and v.conversation_id = m.conversation_id and (${isAssignedTo(caller)}))`
  return on.rows(sql`
    with started as materialized (
      select c.id, c.name from campaigns c
      where c.tenant_id = ${tenantId} and c.deleted_at is null and c.started_at is not null and ${hasVisibleInbox(caller)}
      order by c.id desc limit ${inlineLimit(maxCampaigns)}
    ), aliases as materialized (
      select ${contactId} as id union all
      select k.id from contacts k where k.tenant_id = ${tenantId} and k.merged_into = ${contactId}
    ), received as materialized (
      select c.id, c.name, r.message_id, r.status from started c cross join aliases a cross join lateral (
        select r.message_id, r.status from campaign_recipients r
        where r.tenant_id = ${tenantId} and r.campaign_id = c.id and r.contact_id = a.id collate "C"
          and r.status in ('sent', 'delivered', 'read') limit 1) r
    )
    select m.created_at as at, m.id as "messageId", m.conversation_id as "conversationId", c.id as "campaignId",
      c.name as "campaignName", c.status
    from received c cross join lateral (
      select m.id, m.conversation_id, m.created_at from messages m
      where m.tenant_id = ${tenantId} and m.id = c.message_id limit 1) m
    where ${isAfterPlace(page, 'm.created_at', 'm.id')} and ${isVisible}
    order by m.created_at desc, m.id desc limit ${inlineLimit(page.limit)}`)
}
