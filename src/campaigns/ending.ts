/** How a campaign ends: sent once nobody is pending, failed when it cannot go on, or cancelled. */
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { enqueue } from '../platform/jobs/enqueue.ts'
import { job, LeaseLost, type Work } from '../platform/jobs/job.ts'
import { audit } from './campaigns.ts'
import { type CampaignRow, moveStatus } from './store/campaigns.ts'
import { skipRemaining } from './store/ledger.ts'
import { addToProgress, markDrained, type ProgressRow } from './store/progress.ts'

const atOnce = 5_000

/** Everybody who has not had a turn is left out, so that the counts tell the whole story. */
export const leaveOutRest = job<{ campaignId: string }>({
  name: 'leave_out_rest_of_campaign',
  priority: 'bulk',
  retry: { attempts: 1_000 },
  handle: async (deps: Deps, { campaignId }, work: Work) => {
    for (;;) {
      if (!work.stillMine()) throw new LeaseLost(work.id)
      const left = await transact(deps.db, tx => leaveOut(tx, work.tenantId, campaignId))
      if (left < atOnce) return
    }
  },
})

async function leaveOut(tx: Tx, tenantId: string, campaignId: string): Promise<number> {
  const left = await skipRemaining(tx, tenantId, campaignId, 'cancelled', atOnce)
  if (left < atOnce) await markDrained(tx, tenantId, campaignId)
  if (left > 0) await addToProgress(tx, tenantId, [{ campaignId, pending: -left, skipped: left }])
  return left
}

/** Nobody is pending and everybody had their turn: the campaign is sent. */
export async function finishIfDone(
  tx: Tx,
  tenantId: string,
  { campaignId, pending, drained }: Pick<ProgressRow, 'campaignId' | 'pending' | 'drained'>,
): Promise<void> {
  if (!drained || pending > 0) return
  const row = await moveStatus(tx, tenantId, campaignId, { status: 'sent', from: ['sending', 'paused'] })
  if (row) await audit(tx, tenantId, { kind: 'system' }, 'sent', row, { audienceCount: row.audienceCount })
}

/** It cannot go on; what was sent stays sent. */
export async function failCampaign(
  tx: Tx,
  { tenantId, id }: Pick<CampaignRow, 'tenantId' | 'id'>,
  dispatchError: string,
): Promise<void> {
  const row = await moveStatus(tx, tenantId, id, {
    status: 'failed',
    from: ['sending', 'paused'],
    dispatchError,
  })
  if (!row) return
  await audit(tx, tenantId, { kind: 'system' }, 'failed', row, { dispatchError })
  await enqueue(tx, leaveOutRest, { tenantId, key: id, payload: { campaignId: id } })
}
