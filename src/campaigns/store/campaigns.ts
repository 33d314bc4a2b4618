import type { SendableContent } from '../../inboxes/content.ts'
import { hasVisibleInbox, type InboxViewer } from '../../inboxes/visibility.ts'
import { maxNamed, type NamedResource } from '../../platform/contributions/search.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { inlineLimit, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { SegmentUse } from '../../segments/dependents.ts'
import type { Campaign, CampaignStatus } from '../schemas.ts'
import type { Counts } from './progress.ts'

export interface CampaignRow extends Campaign {
  tenantId: string
  startedAt: string | null
  finishedAt: string | null
  scheduleNo: number
}

type CallerId = Pick<Caller, 'id' | 'tenantId'>

const columns =
  raw(`c.id, c.name, c.status, c.segment_id as "segmentId", c.inbox_id as "inboxId", c.channel, c.content,
  c.send_rate as "sendRate", c.revision, c.scheduled_at as "scheduledAt", c.evaluated_at as "evaluatedAt",
  c.sent_at as "sentAt", c.audience_count as "audienceCount", c.dispatch_error as "dispatchError",
  c.created_at as "createdAt", c.updated_at as "updatedAt", c.updated_by as "updatedBy", c.tenant_id as "tenantId", c.started_at as "startedAt",
  c.finished_at as "finishedAt", c.schedule_no as "scheduleNo"`)

export function campaignToApi<T extends CampaignRow>(
  row: T,
): Omit<T, 'tenantId' | 'startedAt' | 'finishedAt' | 'scheduleNo'> {
  const { tenantId: _tenant, startedAt: _start, finishedAt: _end, scheduleNo: _no, ...campaign } = row
  return campaign
}

export function listCampaigns(
  on: Queryable,
  viewer: InboxViewer,
  status: CampaignStatus | undefined,
  page: { limit: number; after: readonly unknown[] | undefined },
): Promise<(CampaignRow & { counts: Counts | null })[]> {
  const after = page.after ? sql`and c.id < ${page.after[0]}` : raw('')
  const only = status ? sql`and c.status = ${status}` : raw('')
  return on.rows(sql`
    select ${columns}, case when p.campaign_id is not null then json_build_object('pending', p.pending, 'sent', p.sent,
      'delivered', p.delivered, 'read', p.read, 'failed', p.failed, 'skipped', p.skipped, 'replied', p.replied) end as counts
    from campaigns c left join campaign_progress p on p.tenant_id = c.tenant_id and p.campaign_id = c.id
    where c.tenant_id = ${viewer.tenantId} and c.deleted_at is null ${only} ${after} and ${hasVisibleInbox(viewer)}
    order by c.id desc limit ${page.limit + 1}`)
}

export function listCampaignNames(on: Queryable, viewer: InboxViewer): Promise<NamedResource[]> {
  return on.rows(sql`
    select c.id, c.name, c.status as detail from campaigns c
    where c.tenant_id = ${viewer.tenantId} and c.deleted_at is null and ${hasVisibleInbox(viewer)}
    order by c.id desc limit ${inlineLimit(maxNamed)}`)
}

/** Finds a campaign of the workspace, regardless of who may see it. */
export function findCampaign(on: Queryable, tenantId: string, id: string): Promise<CampaignRow | undefined> {
  return on.maybe(selectCampaign(tenantId, id))
}

export async function findInboxOf(on: Queryable, tenantId: string, id: string): Promise<string | null> {
  const inboxId = await on.value<string | null>(sql`
    select inbox_id from campaigns where tenant_id = ${tenantId} and id = ${id}`)
  return inboxId ?? null
}

export function findVisibleCampaign(
  on: Queryable,
  viewer: InboxViewer,
  id: string,
): Promise<CampaignRow | undefined> {
  return on.maybe(sql`${selectCampaign(viewer.tenantId, id)} and ${hasVisibleInbox(viewer)}`)
}

/** Every change of a campaign takes this lock. */
export function lockCampaign(tx: Tx, tenantId: string, id: string): Promise<CampaignRow | undefined> {
  return tx.maybe(sql`${selectCampaign(tenantId, id)} for no key update of c`)
}

export function lockVisibleCampaign(
  tx: Tx,
  viewer: InboxViewer,
  id: string,
): Promise<CampaignRow | undefined> {
  return tx.maybe(
    sql`${selectCampaign(viewer.tenantId, id)} and ${hasVisibleInbox(viewer)} for no key update of c`,
  )
}

const selectCampaign = (tenantId: string, id: string): Sql => sql`
  select ${columns} from campaigns c
  where c.tenant_id = ${tenantId} and c.id = ${id} and c.deleted_at is null`

export function insertCampaign(
  tx: Tx,
  tenantId: string,
  campaign: { id: string; name: string; createdBy: string },
): Promise<CampaignRow> {
  return tx.one(sql`
    insert into campaigns as c (tenant_id, id, name, status, created_by, updated_by, created_at, updated_at)
    values (${tenantId}, ${campaign.id}, ${campaign.name}, 'draft', ${campaign.createdBy}, ${campaign.createdBy},
      ${tx.now}, ${tx.now})
    returning ${columns}`)
}

export type DraftFields = Pick<Campaign, 'name' | 'segmentId' | 'inboxId' | 'channel' | 'sendRate'> & {
  content: SendableContent | null
}

export function updateDraft(tx: Tx, caller: CallerId, id: string, draft: DraftFields): Promise<CampaignRow> {
  return tx.one(sql`
    update campaigns c set name = ${draft.name}, segment_id = ${draft.segmentId}, inbox_id = ${draft.inboxId},
      channel = ${draft.channel}, send_rate = ${draft.sendRate},
      content = ${draft.content ? JSON.stringify(draft.content) : null}::json,
      revision = c.revision + 1, updated_by = ${caller.id}, updated_at = ${tx.now}
    where c.tenant_id = ${caller.tenantId} and c.id = ${id} returning ${columns}`)
}

export async function markDeleted(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`
    update campaigns set deleted_at = ${tx.now}, updated_at = ${tx.now}, revision = revision + 1
    where tenant_id = ${tenantId} and id = ${id}`)
}

export function updateScheduled(
  tx: Tx,
  caller: CallerId,
  id: string,
  scheduledAt: string | null,
): Promise<CampaignRow> {
  return tx.one(sql`
    update campaigns c set status = ${scheduledAt === null ? 'draft' : 'scheduled'}, scheduled_at = ${scheduledAt},
      schedule_no = c.schedule_no + 1, revision = c.revision + 1, updated_by = ${caller.id}, updated_at = ${tx.now}
    where c.tenant_id = ${caller.tenantId} and c.id = ${id} returning ${columns}`)
}

/** Undefined if the current status is not in `from`. */
export function updateStatus(
  tx: Tx,
  tenantId: string,
  id: string,
  to: { status: CampaignStatus; from: readonly CampaignStatus[]; dispatchError?: string },
): Promise<CampaignRow | undefined> {
  const ended = ['sent', 'failed', 'cancelled'].includes(to.status)
  return tx.maybe(sql`
    update campaigns c set status = ${to.status}, revision = c.revision + 1, updated_at = ${tx.now},
      dispatch_error = coalesce(${to.dispatchError ?? null}, c.dispatch_error),
      started_at = case when ${to.status} = 'sending' then coalesce(c.started_at, ${tx.now}) else c.started_at end,
      sent_at = case when ${to.status} = 'sent' then ${tx.now}::timestamptz else c.sent_at end,
      finished_at = case when ${ended} then ${tx.now}::timestamptz else c.finished_at end
    where c.tenant_id = ${tenantId} and c.id = ${id} and c.status = any(${to.from}) and c.deleted_at is null
    returning ${columns}`)
}

/** Returns false if the campaign was cancelled or evaluated meanwhile; the caller must roll back. */
export async function markEvaluated(
  tx: Tx,
  tenantId: string,
  id: string,
  audience: number,
): Promise<boolean> {
  const marked = await tx.run(sql`
    update campaigns set evaluated_at = ${tx.now}, audience_count = ${audience}, revision = revision + 1,
      updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id} and status in ('sending', 'paused') and evaluated_at is null`)
  return marked === 1
}

export function listScheduledOn(
  tx: Tx,
  tenantId: string,
  segmentIds: readonly string[],
): Promise<SegmentUse[]> {
  return tx.rows(sql`
    select segment_id as "segmentId", id, name from campaigns
    where tenant_id = ${tenantId} and segment_id = any(${segmentIds}) and status = 'scheduled' and deleted_at is null
    order by id`)
}
