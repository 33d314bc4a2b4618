/** Deletes deliveries of removed endpoints, old partitions of attempts and expired keys. */
import { transact } from '../platform/db/transact.ts'
import { cron } from '../platform/jobs/cron.ts'
import { job } from '../platform/jobs/job.ts'
import { dropOldPartitions, ensurePartitions, oldestRetained } from './partitions.ts'
import { DeliveryId } from './schemas.ts'
import { deleteDeliveriesBefore, listDisabledTenants } from './store/deliveries.ts'
import { deleteExpiredKeys } from './store/keys.ts'

const batchSize = 5_000

/** Deletes the deliveries created before this id. */
export const deleteDeliveries = job<{ before: string }>({
  name: 'webhooks.delete_deliveries',
  priority: 'bulk',
  handle: async ({ db }, { before }, { tenantId }) => {
    while ((await transact(db, tx => deleteDeliveriesBefore(tx, tenantId, before, batchSize))) === batchSize);
  },
})

/** Creates partitions in advance and deletes expired data, every hour. */
export const maintainAttempts = cron({
  name: 'webhooks.maintain_attempts',
  schedule: '11 * * * *',
  handle: async deps => {
    const { db, clock } = deps
    await ensurePartitions(deps)
    await dropOldPartitions(deps)
    await deleteExpiredKeys(db, clock.now().toISOString())
    // The events of these deliveries have expired, too.
    const before = DeliveryId.firstAt(oldestRetained(clock))
    for (const tenantId of await listDisabledTenants(db)) {
      while (
        (await transact(db, tx => deleteDeliveriesBefore(tx, tenantId, before, batchSize))) === batchSize
      );
    }
  },
})
