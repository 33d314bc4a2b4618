/**
 * A person who asked to be forgotten: their runs end where they are, and with them goes what they answered. And runs
 * that ended long ago: nobody asks any more what way they took.
 */
import { contactErased } from '../conversations/events.ts'
import { transact } from '../platform/db/transact.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { cron } from '../platform/jobs/cron.ts'
import { deleteContactRuns, purgeEndedRuns } from './store/retention.ts'

export const deleteErasedRuns = subscription({
  name: 'workflows.erasure',
  types: [contactErased.type],
  from: 'beginning',
  apply: async (tx, events) => {
    for (const event of events)
      if (isEvent(contactErased, event)) await deleteContactRuns(tx, event.tenantId, event.data.contactIds)
  },
})

const retentionMs = 90 * 86_400_000
const batchSize = 1_000
/** In an hour: more than an hour brings, and little enough to be done in minutes. */
const maxBatches = 300

export const purgeRuns = cron({
  name: 'forget_old_runs',
  schedule: '23 * * * *',
  priority: 'bulk',
  handle: async ({ db, clock }, _tick, work) => {
    const endedBefore = new Date(clock.now().getTime() - retentionMs).toISOString()
    for (let batch = 0; batch < maxBatches && work.holdsLease(); batch++) {
      const forgotten = await transact(db, tx => purgeEndedRuns(tx, endedBefore, batchSize))
      if (forgotten < batchSize) return
    }
  },
})
