import { cron } from '../jobs/cron.ts'
import { deleteOldKeys } from './idempotency.ts'

export const forgetOldKeys = cron({
  name: 'forget_idempotency_keys',
  schedule: '17 * * * *',
  handle: ({ db }) => deleteOldKeys(db),
})
