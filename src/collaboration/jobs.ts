import { cron } from '../platform/jobs/cron.ts'
import { deleteOldNotifications } from './store/notifications.ts'
import { deleteEndedSubscriptions } from './store/push-subscriptions.ts'

const retentionMs = 60 * 24 * 3_600_000

export const purgeNotifications = cron({
  name: 'collaboration.purge_notifications',
  schedule: '13 4 * * *',
  handle: ({ db, clock }) =>
    deleteOldNotifications(db, new Date(clock.now().getTime() - retentionMs).toISOString()),
})

export const purgePushSubscriptions = cron({
  name: 'collaboration.purge_push_subscriptions',
  schedule: '27 4 * * *',
  handle: ({ db }) => deleteEndedSubscriptions(db),
})
