/**
 * Campaigns: one message to every contact of a segment. A campaign is changed under its row lock only. Only drafts can
 * be edited; a campaign that is being sent can be paused or cancelled.
 */
import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../identity/audit.ts'
import { findContentViolation } from '../inboxes/capabilities/content.ts'
import type { SendableContent } from '../inboxes/content.ts'
import { findInbox, type InboxRow } from '../inboxes/inboxes.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { raw } from '../platform/db/sql.ts'
import { fail, invalid, type ProblemKind, type Violation, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { IfMatch } from '../platform/http/route.ts'
import { findSegment } from '../segments/segments.ts'
import { type Viewer, visibleTo } from './access.ts'
import { CampaignNotDeletable, CampaignNotDraft, CampaignNotFound } from './errors.ts'
import { findPersonalisationViolations } from './personalisation.ts'
import { type Campaign, CampaignId, type CampaignPatch, type CampaignStatus } from './schemas.ts'
import {
  type CampaignRow,
  campaignToApi,
  type DraftFields,
  findCampaign,
  insertCampaign,
  lockCampaign,
  markDeleted,
  updateDraft,
} from './store/campaigns.ts'

export { listScheduledBySegment as listScheduledOn } from './store/campaigns.ts'

/** Tells whether the workspace has this campaign, whoever may see it. */
export async function campaignExists(on: Queryable, tenantId: string, id: string): Promise<boolean> {
  return (await findCampaign(on, tenantId, id, raw('true'))) !== undefined
}

export async function getCampaign(on: Queryable, viewer: Viewer, id: string): Promise<CampaignRow> {
  return (await findCampaign(on, viewer.tenantId, id, visibleTo(viewer))) ?? fail(CampaignNotFound)
}

/** Locks the campaign and checks its revision and status. */
export async function lockForChange(
  tx: Tx,
  viewer: Viewer,
  id: string,
  wanted: { ifMatch?: IfMatch; statuses: readonly CampaignStatus[]; otherwise: ProblemKind },
): Promise<CampaignRow> {
  const campaign = (await lockCampaign(tx, viewer.tenantId, id, visibleTo(viewer))) ?? fail(CampaignNotFound)
  wanted.ifMatch?.check(campaign.revision)
  if (!wanted.statuses.includes(campaign.status)) fail(wanted.otherwise, `the campaign is ${campaign.status}`)
  return campaign
}

export function recordCampaignAudit(
  tx: Tx,
  tenantId: string,
  actor: Parameters<typeof recordAudit>[2],
  action: string,
  { id, name }: Pick<CampaignRow, 'id' | 'name'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  const entry = {
    action: `campaign.${action}`,
    targetType: 'campaign',
    targetId: id,
    details: { name, ...details },
  }
  return recordAudit(tx, tenantId, actor, entry)
}

export async function createCampaign(tx: Tx, caller: Caller, name: string): Promise<Campaign> {
  const id = CampaignId.create()
  const campaign = await insertCampaign(tx, caller.tenantId, { id, name, createdBy: caller.id })
  await recordCampaignAudit(tx, caller.tenantId, caller, 'created', campaign)
  return campaignToApi(campaign)
}

export async function editCampaign(
  tx: Tx,
  caller: Caller,
  id: string,
  patch: CampaignPatch,
  ifMatch: IfMatch,
): Promise<Campaign> {
  const { tenantId } = caller
  await assertReferencesExist(tx, tenantId, patch)
  const statuses = ['draft'] as const
  const campaign = await lockForChange(tx, caller, id, { ifMatch, statuses, otherwise: CampaignNotDraft })
  const inboxId = patch.inboxId === undefined ? campaign.inboxId : patch.inboxId
  const inbox = inboxId === null ? undefined : await findInbox(tx, tenantId, inboxId)
  if (patch.content && inbox) assertContentSupported(inbox, patch.content)
  const draft = mergeDraft(campaign, patch, inbox)
  const changed = (Object.keys(draft) as (keyof DraftFields)[]).filter(
    key => !isDeepStrictEqual(draft[key], campaign[key]),
  )
  if (changed.length === 0) return campaignToApi(campaign)
  const row = await updateDraft(tx, tenantId, id, draft)
  await recordCampaignAudit(tx, tenantId, caller, 'updated', row, { changed })
  return campaignToApi(row)
}

function mergeDraft(campaign: CampaignRow, patch: CampaignPatch, inbox: InboxRow | undefined): DraftFields {
  const { name, segmentId, inboxId, content, sendRate } = { ...campaign, ...withoutUndefined(patch) }
  const most = inbox?.rate ?? Number.POSITIVE_INFINITY
  return {
    name,
    segmentId,
    inboxId,
    channel: inboxId === null ? null : (inbox?.channel ?? campaign.channel),
    content,
    sendRate: sendRate === null ? null : Math.min(sendRate, most),
  }
}

function withoutUndefined(patch: CampaignPatch): CampaignPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

/** Checks that the referenced segment and inbox exist and that all placeholders are valid. */
async function assertReferencesExist(tx: Tx, tenantId: string, patch: CampaignPatch): Promise<void> {
  const faults: Violation[] = []
  if (patch.segmentId && !(await findSegment(tx, tenantId, patch.segmentId)))
    faults.push(violation('segmentId', 'unknown_segment', 'is not a segment of this workspace'))
  if (patch.inboxId && !(await findInbox(tx, tenantId, patch.inboxId)))
    faults.push(violation('inboxId', 'unknown_inbox', 'is not an inbox of this workspace'))
  if (patch.content) faults.push(...(await findPersonalisationViolations(tx, tenantId, patch.content)))
  if (faults.length > 0) invalid(...faults)
}

function assertContentSupported(inbox: InboxRow, content: SendableContent): void {
  const fault = findContentViolation(inbox.channel, content)
  if (fault) invalid(violation(fault.field, 'content_unsupported', fault.message))
}

export async function deleteCampaign(tx: Tx, caller: Caller, id: string, ifMatch: IfMatch): Promise<void> {
  const statuses = ['draft', 'sent', 'failed', 'cancelled'] as const
  const campaign = await lockForChange(tx, caller, id, { ifMatch, statuses, otherwise: CampaignNotDeletable })
  await markDeleted(tx, caller.tenantId, id)
  await recordCampaignAudit(tx, caller.tenantId, caller, 'deleted', campaign)
}
