import { cron } from '../platform/jobs/cron.ts'
import { deleteOldProviderEvents } from './store/provider-events.ts'
import { deleteExpiredRateLimits } from './store/rate-limits.ts'

const retentionMs = 8 * 86_400_000

/** Providers repeat what they told for at most a week; after that the same thing cannot come again. */
export const purgeProviderEvents = cron({
  name: 'conversations.purge_provider_events',
  schedule: '47 * * * *',
  handle: async ({ db, clock }) => {
    await deleteExpiredRateLimits(db)
    await deleteOldProviderEvents(db, new Date(clock.now().getTime() - retentionMs).toISOString())
  },
})
