/**
 * Schedules, unschedules, pauses, resumes and cancels campaigns. Start and unschedule are serialised by the campaign's
 * lock: either it is a draft again and nothing was sent, or dispatch has started and continues.
 */
import type { Tx } from '../platform/db/db.ts'
import type { Deps } from '../platform/deps.ts'
import { fail, invalid, type ProblemKind, violation } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { IfMatch, Write } from '../platform/http/route.ts'
import { isTimestamp, parseTimestamp } from '../platform/http/schemas.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { lockSegmentForShare } from '../segments/segments.ts'
import { getCampaign, lockForChange, recordCampaignChange } from './campaigns.ts'
import {
  CampaignNotCancellable,
  CampaignNotDraft,
  CampaignNotPaused,
  CampaignNotScheduled,
  CampaignNotSending,
} from './errors.ts'
import type { Campaign, CampaignStatus } from './schemas.ts'
import { skipRemainingRecipients } from './sending/complete.ts'
import { dispatchCampaign } from './sending/dispatch.ts'
import { startCampaign } from './sending/start.ts'
import { type CampaignRow, campaignToApi, updateScheduled, updateStatus } from './store/campaigns.ts'
import { assertReady } from './validation.ts'

/** The campaign changed during validation; validate again. */
class ConcurrentChange extends Error {}

const maxAttempts = 5

export async function scheduleCampaign(
  deps: Deps & { write: Write },
  caller: Caller,
  id: string,
  sendAt: string,
  ifMatch: IfMatch,
): Promise<Campaign> {
  const at = parseSendAt(deps, sendAt)
  for (let attempt = 1; ; attempt++) {
    const campaign = await getCampaign(deps.db, caller, id)
    ifMatch.check(campaign.revision)
    if (campaign.status !== 'draft') fail(CampaignNotDraft, `the campaign is ${campaign.status}`)
    await assertReady(deps, campaign, caller)
    try {
      return await deps.write(tx => schedule(tx, caller, campaign, at, ifMatch))
    } catch (error) {
      if (!(error instanceof ConcurrentChange) || attempt === maxAttempts) throw error
    }
  }
}

/** The clocks of clients differ from ours, and requests take time: such a `sendAt` means now. */
const maxLateMs = 60_000

/** Undefined: now. */
function parseSendAt({ clock }: Deps, sendAt: string): string | undefined {
  if (sendAt === 'now') return undefined
  if (!isTimestamp(sendAt))
    invalid(
      violation('sendAt', 'invalid_format', 'must be now, or a timestamp such as 2026-01-31T09:30:00+01:00'),
    )
  const at = parseTimestamp(sendAt)
  const lateMs = clock.now().getTime() - at.getTime()
  if (lateMs > maxLateMs)
    invalid(violation('sendAt', 'in_the_past', 'must not be more than one minute in the past'))
  return lateMs >= 0 ? undefined : at.toISOString()
}

async function schedule(
  tx: Tx,
  caller: Caller,
  seen: CampaignRow,
  at: string | undefined,
  ifMatch: IfMatch,
): Promise<Campaign> {
  const { tenantId } = caller
  const statuses = ['draft'] as const
  const campaign = await lockForChange(tx, caller, seen.id, {
    ifMatch,
    statuses,
    otherwise: CampaignNotDraft,
  })
  if (campaign.revision !== seen.revision) throw new ConcurrentChange()
  // The segment cannot be deleted from here on: deleting it looks for scheduled campaigns under its lock.
  if (!(await lockSegmentForShare(tx, tenantId, campaign.segmentId!))) throw new ConcurrentChange()
  const row = await updateScheduled(tx, caller, seen.id, at ?? tx.now)
  const payload = { campaignId: row.id, scheduleNo: row.scheduleNo }
  await enqueue(tx, startCampaign, { tenantId, payload, ...(at ? { runAt: at } : {}) })
  await recordCampaignChange(tx, caller, 'scheduled', row, { scheduledAt: row.scheduledAt })
  return campaignToApi(row)
}

export async function unscheduleCampaign(
  tx: Tx,
  caller: Caller,
  id: string,
  ifMatch: IfMatch,
): Promise<Campaign> {
  const statuses = ['scheduled'] as const
  await lockForChange(tx, caller, id, { ifMatch, statuses, otherwise: CampaignNotScheduled })
  const row = await updateScheduled(tx, caller, id, null)
  await recordCampaignChange(tx, caller, 'unscheduled', row)
  return campaignToApi(row)
}

async function changeStatus(
  tx: Tx,
  caller: Caller,
  id: string,
  status: 'sending' | 'paused' | 'cancelled',
  expected: { statuses: readonly CampaignStatus[]; otherwise: ProblemKind },
): Promise<CampaignRow> {
  await lockForChange(tx, caller, id, expected)
  const row = (await updateStatus(tx, caller.tenantId, id, { status, from: expected.statuses }))!
  await recordCampaignChange(tx, caller, status === 'sending' ? 'resumed' : status, row)
  return row
}

/** Stops dispatch until resumed. Accepted messages are still sent. */
export async function pauseCampaign(tx: Tx, caller: Caller, id: string): Promise<Campaign> {
  const expected = { statuses: ['sending'] as const, otherwise: CampaignNotSending }
  return campaignToApi(await changeStatus(tx, caller, id, 'paused', expected))
}

export async function resumeCampaign(tx: Tx, caller: Caller, id: string): Promise<Campaign> {
  const expected = { statuses: ['paused'] as const, otherwise: CampaignNotPaused }
  const row = await changeStatus(tx, caller, id, 'sending', expected)
  const job = { tenantId: caller.tenantId, orderingKey: id, payload: { campaignId: id } }
  if (row.evaluatedAt !== null) await enqueue(tx, dispatchCampaign, job)
  return campaignToApi(row)
}

/** Final: recipients that were not dispatched are skipped. */
export async function cancelCampaign(tx: Tx, caller: Caller, id: string): Promise<Campaign> {
  const expected = {
    statuses: ['scheduled', 'sending', 'paused'] as const,
    otherwise: CampaignNotCancellable,
  }
  const row = await changeStatus(tx, caller, id, 'cancelled', expected)
  const job = { tenantId: caller.tenantId, orderingKey: id, payload: { campaignId: id } }
  await enqueue(tx, skipRemainingRecipients, job)
  return campaignToApi(row)
}
