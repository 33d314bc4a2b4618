/** Completes campaigns: `sent` when no recipient is pending, `failed` when dispatch cannot continue, or cancelled. */

import { findInboxTeams } from '../../inboxes/visibility.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { signalProgress } from '../../platform/events/changed.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { job, LeaseLost, type Work } from '../../platform/jobs/job.ts'
import { recordCampaignChange } from '../campaigns.ts'
import { type CampaignRow, findInboxOf, updateStatus } from '../store/campaigns.ts'
import { addToProgress, markDispatchComplete, type ProgressRow } from '../store/progress.ts'
import { skipRemaining } from '../store/recipients.ts'

const batchSize = 5_000

/** Marks all recipients that were not dispatched as skipped, so that the counts add up to the audience. */
export const skipRemainingRecipients = job<{ campaignId: string }>({
  name: 'campaigns.skip_remaining',
  priority: 'bulk',
  retry: { maxAttempts: 1_000 },
  handle: async (deps: Deps, { campaignId }, work: Work) => {
    for (;;) {
      if (!work.holdsLease()) throw new LeaseLost(work.id)
      const skipped = await transact(deps.db, tx => skipBatch(tx, work.tenantId, campaignId))
      if (skipped < batchSize) return
    }
  },
})

async function skipBatch(tx: Tx, tenantId: string, campaignId: string): Promise<number> {
  const skipped = await skipRemaining(tx, tenantId, campaignId, 'cancelled', batchSize)
  if (skipped < batchSize) await markDispatchComplete(tx, tenantId, campaignId)
  if (skipped > 0) await addToProgress(tx, tenantId, [{ campaignId, pending: -skipped, skipped }])
  return skipped
}

/** Signals the progress of a campaign, and marks it as sent once dispatch is complete and no recipient is pending. */
export async function completeIfDone(
  tx: Tx,
  tenantId: string,
  { campaignId, pending, dispatchComplete }: Pick<ProgressRow, 'campaignId' | 'pending' | 'dispatchComplete'>,
): Promise<void> {
  const audience = await findInboxTeams(tx, tenantId, [await findInboxOf(tx, tenantId, campaignId)])
  signalProgress(tx, { tenantId, kind: 'campaign', id: campaignId, ...audience })
  if (!dispatchComplete || pending > 0) return
  const row = await updateStatus(tx, tenantId, campaignId, { status: 'sent', from: ['sending', 'paused'] })
  if (row)
    await recordCampaignChange(tx, { kind: 'system', tenantId }, 'sent', row, {
      audienceCount: row.audienceCount,
    })
}

export async function failCampaign(
  tx: Tx,
  { tenantId, id }: Pick<CampaignRow, 'tenantId' | 'id'>,
  dispatchError: string,
): Promise<void> {
  const row = await updateStatus(tx, tenantId, id, {
    status: 'failed',
    from: ['sending', 'paused'],
    dispatchError,
  })
  if (!row) return
  await recordCampaignChange(tx, { kind: 'system', tenantId }, 'failed', row, { dispatchError })
  await enqueue(tx, skipRemainingRecipients, { tenantId, orderingKey: id, payload: { campaignId: id } })
}
