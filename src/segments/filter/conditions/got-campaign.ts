/** Matches contacts to which the message of a campaign was sent, also before they were merged into the contact. */
import Type from 'typebox'
import { raw, sql } from '../../../platform/db/sql.ts'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

export const isSent = raw(`r.status in ('sent', 'delivered', 'read')`)

export const gotCampaign = conditionType({
  schema: object(
    { type: Type.Literal('gotCampaign'), campaignId: AnyId },
    { description: 'extension: the message of the campaign was sent to the contact' },
  ),
  references: ({ campaignId }) => [{ kind: 'campaign', id: campaignId, path: 'campaignId' }],
  sql: ({ campaignId }, { tenantId }) => {
    const own = sql`
      select r.contact_id from campaign_recipients r
      where r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and ${isSent}`
    const merged = sql`
      select k.merged_into as contact_id from contacts k join campaign_recipients r
        on r.tenant_id = ${tenantId} and r.campaign_id = ${campaignId} and r.contact_id = k.id and ${isSent}
      where k.tenant_id = ${tenantId} and k.merged_into is not null`
    const ids = sql`${own} union all ${merged}`
    const isRecipient = (contact: string) => sql`
      select true from campaign_recipients r where r.tenant_id = c.tenant_id and r.campaign_id = ${campaignId}
        and r.contact_id = ${raw(contact)} and ${isSent} limit 1`
    return {
      check: sql`(coalesce((${isRecipient('c.id')}), false) or coalesce((
        select true from contacts k cross join lateral (${isRecipient('k.id')}) r
        where k.tenant_id = c.tenant_id and k.merged_into = c.id limit 1), false))`,
      collectCheck: sql`c.id in (${ids})`,
      ids,
      orderedIds: [own, merged],
    }
  },
  matches: ({ campaignId }, { campaignIds }) => campaignIds.includes(campaignId),
})
