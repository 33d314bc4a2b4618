/** Tests that consumers that lag behind still receive the ids of an erased contact. */
import { afterAll, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { isEvent } from '../../platform/events/event.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { subscription } from '../../platform/events/subscription.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { contactErased } from '../events.ts'
import { eraseContactData } from './erasure.ts'

const { deps, connection, workspace } = await testApi()
let failures = 0
const seen: unknown[] = []
const late = subscription({
  name: 'test.late',
  types: [contactErased.type],
  from: 'end',
  apply: async (_tx, events) => {
    if (failures-- > 0) throw new Error('not now')
    seen.push(...events.filter(event => isEvent(contactErased, event)).map(({ data }) => data))
  },
})
const sequencer = startSequencer(deps, { connection })
const feeds = startSubscriptions(deps, [late], { connection })
const workers = startWorkers(deps, [eraseContactData])
afterAll(async () => {
  await Promise.all([feeds.stop(), workers.stop(10_000)])
  await sequencer.stop()
})

test('a consumer that fails at first reads the ids of the erased contact; then they are redacted', async () => {
  await until(
    () => deps.db.rows(sql`select from event_consumers where name = 'test.late'`),
    rows => rows.length === 1,
  )
  failures = 3
  seen.length = 0
  const { owner } = await workspace()
  const { id } = (await owner.post('/contacts', { name: 'Ada', phone: '+14155550123' })).body
  const erased = await owner.post(`/contacts/${id}/erase`)
  expect(erased.status, JSON.stringify(erased.body)).toBeLessThan(300)
  await until(
    async () => seen,
    found => found.length === 1,
  )
  expect(seen).toEqual([expect.objectContaining({ contactIds: [id], addresses: ['+14155550123'] })])
  await until(
    () => deps.db.rows(sql`select from event_log where data::text like '%4155550123%'`),
    rows => rows.length === 0,
  )
})
