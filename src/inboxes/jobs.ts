import { cron } from '../platform/jobs/cron.ts'
import { recheckInbox } from './checking.ts'
import { deleteExpired } from './store/credentials.ts'
import { registerWebhooks, reregisterChanged } from './webhook-registration.ts'

export const inboxJobs = [registerWebhooks, recheckInbox]

const reregisterWebhooks = cron({
  name: 'inboxes.register-missing',
  schedule: '*/15 * * * *',
  handle: deps => reregisterChanged(deps),
})

const purgePendingCredentials = cron({
  name: 'inboxes.forget-pending',
  schedule: '* * * * *',
  handle: ({ db, clock }) => deleteExpired(db, clock.now().toISOString()),
})

export const inboxCrons = [reregisterWebhooks, purgePendingCredentials]
