import { cron } from '../platform/jobs/cron.ts'
import { deleteExpiredLogins, deleteOldAttempts } from './store/logins.ts'

const dayMs = 86_400_000

/** What has no meaning any more: logins past their end, attempts whose bucket is full again. */
const forgetOldLogins = cron({
  name: 'forget_old_logins',
  schedule: '37 * * * *',
  handle: async ({ db, clock }) => {
    const dayAgo = new Date(clock.now().getTime() - dayMs).toISOString()
    await deleteExpiredLogins(db, dayAgo)
    await deleteOldAttempts(db, dayAgo)
  },
})

export const identityCrons = [forgetOldLogins]
