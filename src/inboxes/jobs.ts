import { cron } from '../platform/jobs/cron.ts'
import { recheckInbox } from './checking.ts'
import { registerCallbacks, registerMoved } from './registrations.ts'
import { forgetExpired } from './store/credentials.ts'

export const inboxJobs = [registerCallbacks, recheckInbox]

const registerMissing = cron({
  name: 'inboxes.register-missing',
  schedule: '*/15 * * * *',
  handle: deps => registerMoved(deps),
})

const forgetPending = cron({
  name: 'inboxes.forget-pending',
  schedule: '* * * * *',
  handle: ({ db, clock }) => forgetExpired(db, clock.now().toISOString()),
})

export const inboxCrons = [registerMissing, forgetPending]
