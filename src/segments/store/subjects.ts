/** Tables other than those of contacts that filters query: runs of journeys, messages of campaigns, custom events. */
import { hasVisibleInbox } from '../../inboxes/visibility.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { isSent } from '../filter/conditions/got-campaign.ts'
import { isRunInProgress } from '../filter/conditions/in-journey.ts'
import { maxPerformed } from '../filter/conditions/performed-event.ts'

export interface ContactFact {
  contactId: string
  /** A journey or a campaign. */
  id: string
}

/** Lists which of the contacts have a run of which of the journeys in progress. */
export function listJourneysOf(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
  journeyIds: readonly string[],
): Promise<ContactFact[]> {
  return on.rows(sql`
    select distinct r.contact_id as "contactId", r.workflow_id as id from workflow_runs r
    where r.tenant_id = ${tenantId} and r.contact_id = any(${contactIds}) and r.workflow_id = any(${journeyIds})
      and ${isRunInProgress}`)
}

/** Lists which of the contacts, or of those merged into them, were sent the message of which of the campaigns. */
export function listCampaignsOf(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
  campaignIds: readonly string[],
): Promise<ContactFact[]> {
  return on.rows(sql`
    with aliases as materialized (
      select id as contact_id, id from unnest(${contactIds}::text[]) as given (id)
      union all
      select k.merged_into, k.id from contacts k where k.tenant_id = ${tenantId} and k.merged_into = any(${contactIds})
    )
    select distinct a.contact_id as "contactId", g.id
    from aliases a cross join unnest(${campaignIds}::text[]) as g (id)
    cross join lateral (
      select from campaign_recipients r where r.tenant_id = ${tenantId} and r.campaign_id = g.id collate "C"
        and r.contact_id = a.id collate "C" and ${isSent} limit 1) r`)
}

/** Lists the custom events of the contacts with these names: of each name, as many as conditions distinguish. */
export function listEventsOf(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
  names: readonly string[],
): Promise<{ contactId: string; name: string; at: string }[]> {
  return on.rows(sql`
    select k.id as "contactId", g.name, e.at
    from unnest(${contactIds}::text[]) as k (id) cross join unnest(${names}::text[]) as g (name)
    cross join lateral (
      select e.at from contact_events e
      where e.tenant_id = ${tenantId} and e.contact_id = k.id collate "C" and e.name = g.name collate "C"
      order by e.at desc limit ${maxPerformed + 1}) e`)
}

/** Returns which of the journeys and campaigns exist and are visible to the caller. */
export async function findVisibleJourneysAndCampaigns(
  on: Queryable,
  caller: Caller,
  journeyIds: readonly string[],
  campaignIds: readonly string[],
): Promise<{ journeys: ReadonlySet<string>; campaigns: ReadonlySet<string> }> {
  if (journeyIds.length + campaignIds.length === 0) return { journeys: new Set(), campaigns: new Set() }
  const row = await on.one<{ journeys: string[]; campaigns: string[] }>(sql`
    select array(select w.id from workflows w where w.tenant_id = ${caller.tenantId} and w.id = any(${journeyIds})
        and w.kind = 'journey' and w.deleted_at is null) as journeys,
      array(select c.id from campaigns c where c.tenant_id = ${caller.tenantId} and c.id = any(${campaignIds})
        and c.deleted_at is null and ${hasVisibleInbox(caller)}) as campaigns`)
  return { journeys: new Set(row.journeys), campaigns: new Set(row.campaigns) }
}
