/**
 * A person who asked to be forgotten: their runs end where they are, and with them goes what they answered. And runs
 * that ended long ago: nobody asks any more what way they took.
 */
import { contactErased } from '../conversations/events.ts'
import { transact } from '../platform/db/transact.ts'
import { isEvent } from '../platform/events/event.ts'
import { subscription } from '../platform/events/subscription.ts'
import { cron } from '../platform/jobs/cron.ts'
import { eraseRunsOf, forgetRuns } from './store/forgetting.ts'

export const forgetErased = subscription({
  name: 'workflows.erasure',
  types: [contactErased.type],
  from: 'beginning',
  apply: async (tx, events) => {
    for (const event of events)
      if (isEvent(contactErased, event)) await eraseRunsOf(tx, event.tenantId, event.data.contactIds)
  },
})

const keptMs = 90 * 86_400_000
const atOnce = 1_000
/** In an hour: more than an hour brings, and little enough to be done in minutes. */
const mostBatches = 300

export const forgetOldRuns = cron({
  name: 'forget_old_runs',
  schedule: '23 * * * *',
  priority: 'bulk',
  handle: async ({ db, clock }, _tick, work) => {
    const endedBefore = new Date(clock.now().getTime() - keptMs).toISOString()
    for (let batch = 0; batch < mostBatches && work.stillMine(); batch++) {
      const forgotten = await transact(db, tx => forgetRuns(tx, endedBefore, atOnce))
      if (forgotten < atOnce) return
    }
  },
})
