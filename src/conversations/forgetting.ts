import { cron } from '../platform/jobs/cron.ts'
import { deleteOldHappenings } from './store/happenings.ts'
import { deleteOldPaces } from './store/pace.ts'

const keptMs = 8 * 86_400_000

/** Providers repeat what they told for at most a week; after that the same thing cannot come again. */
export const forgetHappenings = cron({
  name: 'forget_happenings',
  schedule: '47 * * * *',
  handle: async ({ db, clock }) => {
    await deleteOldPaces(db)
    await deleteOldHappenings(db, new Date(clock.now().getTime() - keptMs).toISOString())
  },
})
