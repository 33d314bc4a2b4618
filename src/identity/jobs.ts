import { cron } from '../platform/jobs/cron.ts'
import { deleteExpiredAuthSessions, deleteFullBuckets } from './store/auth-sessions.ts'

const dayMs = 86_400_000

/** What has no meaning any more: logins past their end, attempts whose bucket is full again. */
const purgeAuthSessions = cron({
  name: 'forget_old_logins',
  schedule: '37 * * * *',
  handle: async ({ db, clock }) => {
    const dayAgo = new Date(clock.now().getTime() - dayMs).toISOString()
    await deleteExpiredAuthSessions(db, dayAgo)
    await deleteFullBuckets(db, dayAgo)
  },
})

export const identityCrons = [purgeAuthSessions]
