/**
 * Campaigns: one message to every contact of a segment. A campaign is changed under its row lock only. Only drafts can
 * be edited; a campaign that is being sent can be paused or cancelled.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Actor, recordAudit } from '../identity/audit.ts'
import type { CampaignChange } from '../identity/audit-actions.ts'
import { findBlankTexts, findContentViolation } from '../inboxes/capabilities/content.ts'
import type { SendableContent } from '../inboxes/content.ts'
import { findInbox, type InboxRow } from '../inboxes/inboxes.ts'
import type { InboxViewer } from '../inboxes/visibility.ts'
import { findInboxTeams } from '../inboxes/visibility.ts'
import type { Queryable, Tx } from '../platform/db/db.ts'
import { fail, invalid, type ProblemKind, type Violation, violation } from '../platform/errors.ts'
import { emitChanged } from '../platform/events/changed.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { IfMatch } from '../platform/http/route.ts'
import { findSegment } from '../segments/segments.ts'
import { CampaignNotDeletable, CampaignNotDraft, CampaignNotFound } from './errors.ts'
import { findPersonalisationViolations } from './personalisation.ts'
import { type Campaign, CampaignId, type CampaignPatch, type CampaignStatus } from './schemas.ts'
import {
  type CampaignRow,
  campaignToApi,
  type DraftFields,
  findCampaign,
  findVisibleCampaign,
  insertCampaign,
  lockVisibleCampaign,
  markDeleted,
  updateDraft,
} from './store/campaigns.ts'

export { listScheduledOn } from './store/campaigns.ts'

export async function campaignExists(on: Queryable, tenantId: string, id: string): Promise<boolean> {
  return (await findCampaign(on, tenantId, id)) !== undefined
}

export async function getCampaign(on: Queryable, viewer: InboxViewer, id: string): Promise<CampaignRow> {
  return (await findVisibleCampaign(on, viewer, id)) ?? fail(CampaignNotFound)
}

export async function lockForChange(
  tx: Tx,
  viewer: InboxViewer,
  id: string,
  expected: { ifMatch?: IfMatch; statuses: readonly CampaignStatus[]; otherwise: ProblemKind },
): Promise<CampaignRow> {
  const campaign = (await lockVisibleCampaign(tx, viewer, id)) ?? fail(CampaignNotFound)
  expected.ifMatch?.check(campaign.revision)
  if (!expected.statuses.includes(campaign.status))
    fail(expected.otherwise, `the campaign is ${campaign.status}`)
  return campaign
}

/** Adds a change of a campaign to the audit log and emits it to realtime clients who can see it, or could before. */
export async function recordCampaignChange(
  tx: Tx,
  actor: Actor,
  action: CampaignChange,
  { id, name, revision, inboxId }: Pick<CampaignRow, 'id' | 'name' | 'revision' | 'inboxId'>,
  details: Record<string, unknown> = {},
  formerInboxId = inboxId,
): Promise<void> {
  await recordAudit(tx, actor, `campaign.${action}`, id, { name, ...details })
  const change = { kind: 'campaign', id, revision: action === 'deleted' ? null : revision } as const
  const audience = await findInboxTeams(tx, actor.tenantId, [inboxId, formerInboxId])
  await emitChanged(tx, actor.tenantId, change, audience)
}

export async function createCampaign(tx: Tx, caller: Caller, name: string): Promise<Campaign> {
  const id = CampaignId.create()
  const campaign = await insertCampaign(tx, caller.tenantId, { id, name, createdBy: caller.id })
  await recordCampaignChange(tx, caller, 'created', campaign)
  return campaignToApi(campaign)
}

/** Creates a draft with the content and audience of another campaign. */
export async function duplicateCampaign(
  tx: Tx,
  caller: Caller,
  id: string,
  name: string | undefined,
): Promise<Campaign> {
  const original = await getCampaign(tx, caller, id)
  const copy = { id: CampaignId.create(), name: name ?? `${original.name.slice(0, 90)} (copy)` }
  await insertCampaign(tx, caller.tenantId, { ...copy, createdBy: caller.id })
  const { segmentId, inboxId, channel, sendRate, content } = original
  const fields = { name: copy.name, segmentId, inboxId, channel, sendRate, content }
  const campaign = await updateDraft(tx, caller, copy.id, fields)
  await recordCampaignChange(tx, caller, 'created', campaign, { copyOf: original.id })
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
  const row = await updateDraft(tx, caller, id, draft)
  await recordCampaignChange(tx, caller, 'updated', row, { changed }, campaign.inboxId)
  return campaignToApi(row)
}

function mergeDraft(campaign: CampaignRow, patch: CampaignPatch, inbox: InboxRow | undefined): DraftFields {
  const { name, segmentId, inboxId, content, sendRate } = { ...campaign, ...withoutUndefined(patch) }
  const maxRate = inbox?.rate ?? Number.POSITIVE_INFINITY
  return {
    name,
    segmentId,
    inboxId,
    channel: inboxId === null ? null : (inbox?.channel ?? campaign.channel),
    content,
    sendRate: sendRate === null ? null : Math.min(sendRate, maxRate),
  }
}

function withoutUndefined(patch: CampaignPatch): CampaignPatch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

/** Checks that the referenced segment and inbox exist and that all placeholders are valid. */
async function assertReferencesExist(tx: Tx, tenantId: string, patch: CampaignPatch): Promise<void> {
  const violations: Violation[] = []
  if (patch.segmentId && !(await findSegment(tx, tenantId, patch.segmentId)))
    violations.push(violation('segmentId', 'unknown_segment', 'is not a segment of this workspace'))
  if (patch.inboxId && !(await findInbox(tx, tenantId, patch.inboxId)))
    violations.push(violation('inboxId', 'unknown_inbox', 'is not an inbox of this workspace'))
  if (patch.content)
    violations.push(
      ...findBlankTexts(patch.content, 'content'),
      ...(await findPersonalisationViolations(tx, tenantId, patch.content)),
    )
  if (violations.length > 0) invalid(...violations)
}

function assertContentSupported(inbox: InboxRow, content: SendableContent): void {
  const unsupported = findContentViolation(inbox.channel, content)
  if (unsupported) invalid(unsupported)
}

export async function deleteCampaign(tx: Tx, caller: Caller, id: string, ifMatch: IfMatch): Promise<void> {
  const statuses = ['draft', 'sent', 'failed', 'cancelled'] as const
  const campaign = await lockForChange(tx, caller, id, { ifMatch, statuses, otherwise: CampaignNotDeletable })
  await markDeleted(tx, caller.tenantId, id)
  await recordCampaignChange(tx, caller, 'deleted', campaign)
}
