import { cron } from '../platform/jobs/cron.ts'
import { deleteExpiredAuthSessions } from './store/auth-sessions.ts'
import { deleteExpiredInvitations } from './store/invitations.ts'
import { deleteExpiredPasswordResets } from './store/password-resets.ts'

const dayMs = 86_400_000
/** An expired invitation can be renewed for this long. */
const invitationRetentionMs = 30 * dayMs

/** Deletes expired auth sessions, password resets and invitations. */
const purgeAuthSessions = cron({
  name: 'identity.purge_auth_sessions',
  schedule: '37 * * * *',
  handle: async ({ db, clock }) => {
    const dayAgo = new Date(clock.now().getTime() - dayMs).toISOString()
    await deleteExpiredAuthSessions(db, dayAgo)
    await deleteExpiredPasswordResets(db, dayAgo)
    await deleteExpiredInvitations(db, new Date(clock.now().getTime() - invitationRetentionMs).toISOString())
  },
})

export const identityCrons = [purgeAuthSessions]
