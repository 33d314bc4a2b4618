/** What nobody waits for any more: deliveries of removed receivers, old days of attempts, keys past their end. */
import { transact } from '../platform/db/transact.ts'
import { firstIdAt } from '../platform/ids.ts'
import { cron } from '../platform/jobs/cron.ts'
import { job } from '../platform/jobs/job.ts'
import { dropOldDays, makeDays, oldestKept } from './days.ts'
import { deleteDeliveriesBefore, listParked } from './store/deliveries.ts'
import { deleteExpiredKeys } from './store/keys.ts'

const batch = 5_000

/** Made before this id. */
export const forgetDeliveries = job<{ before: string }>({
  name: 'webhooks.forget-deliveries',
  priority: 'bulk',
  handle: async ({ db }, { before }, { tenantId }) => {
    while ((await transact(db, tx => deleteDeliveriesBefore(tx, tenantId, before, batch))) === batch);
  },
})

/** A day ahead of when its days are needed, and an hour at most after they are not. */
export const keepAttemptDays = cron({
  name: 'webhooks.keep-days',
  schedule: '11 * * * *',
  handle: async deps => {
    const { db, clock } = deps
    await makeDays(deps)
    await dropOldDays(deps)
    await deleteExpiredKeys(db, clock.now().toISOString())
    // Their events are gone from the log too.
    const before = firstIdAt('delivery', oldestKept(clock))
    for (const tenantId of await listParked(db)) {
      while ((await transact(db, tx => deleteDeliveriesBefore(tx, tenantId, before, batch))) === batch);
    }
  },
})
