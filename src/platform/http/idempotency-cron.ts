import { cron } from '../jobs/cron.ts'
import { deleteExpiredKeys } from './idempotency.ts'

export const purgeIdempotencyKeys = cron({
  name: 'forget_idempotency_keys',
  schedule: '17 * * * *',
  handle: ({ db }) => deleteExpiredKeys(db),
})
