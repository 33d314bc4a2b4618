/** Deletes deliveries of deleted endpoints, old partitions of attempts and expired keys. */
import type { Db } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import { cron } from '../platform/jobs/cron.ts'
import { job } from '../platform/jobs/job.ts'
import { dropOldPartitions, ensurePartitions, oldestRetained } from './partitions.ts'
import { DeliveryId } from './schemas.ts'
import { deleteDeliveriesBefore, listDisabledEndpoints } from './store/deliveries.ts'
import { deleteEndpointState, type EndpointKey } from './store/endpoint-state.ts'
import { deleteExpiredKeys } from './store/keys.ts'

const batchSize = 5_000

async function deleteAllBefore(db: Db, endpoint: EndpointKey, before: string): Promise<void> {
  while ((await transact(db, tx => deleteDeliveriesBefore(tx, endpoint, before, batchSize))) >= batchSize);
}

/** Deletes the deliveries of a deleted endpoint. */
export const deleteDeliveries = job<{ endpointId: string }>({
  name: 'webhooks.delete_deliveries',
  priority: 'bulk',
  handle: ({ db, clock }, { endpointId }, { tenantId }) =>
    deleteAllBefore(db, { tenantId, endpointId }, DeliveryId.createAt(clock.now().toISOString())),
})

/** Creates partitions in advance and deletes expired data, every hour. */
export const maintainAttempts = cron({
  name: 'webhooks.maintain_attempts',
  schedule: '11 * * * *',
  handle: async deps => {
    const { db, clock } = deps
    await ensurePartitions(deps)
    await dropOldPartitions(deps)
    const now = clock.now().toISOString()
    await deleteExpiredKeys(db, now)
    const expired = DeliveryId.firstAt(oldestRetained(clock)) // the events of these deliveries have expired, too
    for (const { isDeleted, ...endpoint } of await listDisabledEndpoints(db)) {
      await deleteAllBefore(db, endpoint, isDeleted ? DeliveryId.createAt(now) : expired)
      if (isDeleted) await transact(db, tx => deleteEndpointState(tx, endpoint))
    }
  },
})
