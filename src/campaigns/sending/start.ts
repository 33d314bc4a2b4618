/**
 * Starts a campaign: marks it as `sending` under its lock, after which it cannot be unscheduled; then inserts the
 * recipients once, in one transaction that also enqueues the dispatch.
 */
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { Problem } from '../../platform/errors.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job, type Work } from '../../platform/jobs/job.ts'
import type { Segment } from '../../segments/schemas.ts'
import { selectMatching } from '../../segments/search.ts'
import { recordCampaignChange } from '../campaigns.ts'
import { type CampaignRow, lockCampaign, markEvaluated, updateStatus } from '../store/campaigns.ts'
import { insertProgress } from '../store/progress.ts'
import { insertAudience } from '../store/recipients.ts'
import { assertReady, toDispatchError } from '../validation.ts'
import { failCampaign } from './complete.ts'
import { dispatchCampaign } from './dispatch.ts'

interface StartPayload {
  campaignId: string
  scheduleNo: number
}

export const startCampaign = job<StartPayload>({
  name: 'campaigns.start',
  priority: 'normal',
  retry: { maxAttempts: 100_000, initialDelayMs: 500, maxDelayMs: 60_000 },
  timeoutMs: 60 * 60_000,
  handle: start,
})

async function start(deps: Deps, { campaignId, scheduleNo }: StartPayload, work: Work): Promise<void> {
  const campaign = await transact(deps.db, tx => markStarted(tx, work.tenantId, campaignId, scheduleNo))
  if (!campaign) return
  const segment = await checkReadyOrFail(deps, campaign)
  if (segment) await transact(deps.db, tx => evaluateAudience(tx, campaign, segment, work))
}

/** Undefined if there is nothing to start: unscheduled, deleted, or evaluated by an earlier attempt. */
async function markStarted(
  tx: Tx,
  tenantId: string,
  id: string,
  scheduleNo: number,
): Promise<CampaignRow | undefined> {
  const campaign = await lockCampaign(tx, tenantId, id)
  if (!campaign || campaign.scheduleNo !== scheduleNo || campaign.evaluatedAt !== null) return undefined
  if (campaign.status !== 'scheduled')
    return ['sending', 'paused'].includes(campaign.status) ? campaign : undefined
  const started = await updateStatus(tx, tenantId, id, { status: 'sending', from: ['scheduled'] })
  await recordCampaignChange(tx, { kind: 'system', tenantId }, 'started', campaign)
  return started
}

/** Validates again: segment, inbox or template may have been deleted since scheduling. */
async function checkReadyOrFail(deps: Deps, campaign: CampaignRow): Promise<Segment | undefined> {
  try {
    return (await assertReady(deps, campaign)).segment
  } catch (error) {
    const [violation] = error instanceof Problem ? (error.extras.violations ?? []) : []
    if (!violation) throw error
    await transact(deps.db, tx => failCampaign(tx, campaign, toDispatchError(violation)))
    return undefined
  }
}

class CampaignStopped extends Error {}

async function evaluateAudience(tx: Tx, campaign: CampaignRow, segment: Segment, work: Work): Promise<void> {
  const { tenantId, id } = campaign
  const matching = await selectMatching(tx, tenantId, segment.filter, tx.clock.now())
  const audience = await insertAudience(tx, tenantId, id, matching)
  await insertProgress(tx, tenantId, id, audience)
  // Cancelled or evaluated concurrently: roll back.
  if (!(await markEvaluated(tx, tenantId, id, audience)))
    throw new CampaignStopped('the campaign was cancelled or is already evaluated')
  await enqueue(tx, dispatchCampaign, { tenantId, orderingKey: id, payload: { campaignId: id } })
  await work.finish(tx)
}
