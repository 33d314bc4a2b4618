import { cron } from '../platform/jobs/cron.ts'
import { deleteExpiredAuthSessions, deleteFullBuckets } from './store/auth-sessions.ts'

const dayMs = 86_400_000

/** Deletes expired auth sessions and login attempt buckets that are full again. */
const purgeAuthSessions = cron({
  name: 'identity.purge_auth_sessions',
  schedule: '37 * * * *',
  handle: async ({ db, clock }) => {
    const dayAgo = new Date(clock.now().getTime() - dayMs).toISOString()
    await deleteExpiredAuthSessions(db, dayAgo)
    await deleteFullBuckets(db, dayAgo)
  },
})

export const identityCrons = [purgeAuthSessions]
