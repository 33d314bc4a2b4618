/** Deletes the runs of erased contacts, and runs that ended longer ago than the retention period. */
import { contactErased } from '../../conversations/events.ts'
import { transact } from '../../platform/db/transact.ts'
import { isEvent } from '../../platform/events/event.ts'
import { subscription } from '../../platform/events/subscription.ts'
import { cron } from '../../platform/jobs/cron.ts'
import { deleteContactRuns, purgeEndedRuns } from '../store/runs/retention.ts'

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
/** Per hour: more runs than end in an hour, few enough to delete within minutes. */
const maxBatches = 300

export const purgeRuns = cron({
  name: 'workflows.purge_runs',
  schedule: '23 * * * *',
  priority: 'bulk',
  handle: async ({ db, clock }, _tick, work) => {
    const endedBefore = new Date(clock.now().getTime() - retentionMs).toISOString()
    for (let batch = 0; batch < maxBatches && work.holdsLease(); batch++) {
      const processed = await transact(db, tx => purgeEndedRuns(tx, endedBefore, batchSize))
      if (processed < batchSize) return
    }
  },
})
