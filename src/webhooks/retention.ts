/** What nobody waits for any more: deliveries of removed receivers, old days of attempts, keys past their end. */
import { transact } from '../platform/db/transact.ts'
import { cron } from '../platform/jobs/cron.ts'
import { job } from '../platform/jobs/job.ts'
import { dropOldPartitions, ensurePartitions, oldestRetained } from './partitions.ts'
import { DeliveryId } from './schemas.ts'
import { deleteDeliveriesBefore, listDisabledTenants } from './store/deliveries.ts'
import { deleteExpiredKeys } from './store/keys.ts'

const batchSize = 5_000

/** Made before this id. */
export const deleteDeliveries = job<{ before: string }>({
  name: 'webhooks.forget-deliveries',
  priority: 'bulk',
  handle: async ({ db }, { before }, { tenantId }) => {
    while ((await transact(db, tx => deleteDeliveriesBefore(tx, tenantId, before, batchSize))) === batchSize);
  },
})

/** A day ahead of when its days are needed, and an hour at most after they are not. */
export const maintainAttempts = cron({
  name: 'webhooks.keep-days',
  schedule: '11 * * * *',
  handle: async deps => {
    const { db, clock } = deps
    await ensurePartitions(deps)
    await dropOldPartitions(deps)
    await deleteExpiredKeys(db, clock.now().toISOString())
    // Their events are gone from the log too.
    const before = DeliveryId.firstAt(oldestRetained(clock))
    for (const tenantId of await listDisabledTenants(db)) {
      while (
        (await transact(db, tx => deleteDeliveriesBefore(tx, tenantId, before, batchSize))) === batchSize
      );
    }
  },
})
