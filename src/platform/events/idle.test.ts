import { afterAll, expect, test } from 'vitest'
import { TenantId } from '../../identity/schemas.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { emitMany, pendingEvent } from './event.ts'
import { startSubscriptions } from './subscriptions.ts'
import { eventRig, eventually, thingChanged } from './testing/rig.ts'

const { db, deps, connection, sequencer } = await eventRig()
const names = ['one', 'two', 'three']
let handled = 0
const handle = async () => {
  handled++
}
const running = startSubscriptions(
  deps,
  names.map(name => ({ name, handle })),
  { connection },
)
await eventually(async () => expect(await db.rows(sql`select name from event_consumers`)).toHaveLength(3))
const working = sequencer()
afterAll(async () => {
  await running.stop()
  await working.stop()
})

const rowsTouched = async () => {
  const { n } = await db.one<{ n: number }>(sql`
    select coalesce(sum(seq_tup_read + idx_tup_fetch), 0) as n from pg_stat_user_tables
    where relname in ('event_consumer_queue', 'event_offsets', 'event_heads') or relname like 'event_log%'`)
  return n
}

test('2,000 idle workspaces cause no writes', async () => {
  const occurrences = Array.from({ length: 2_000 }, () =>
    pendingEvent(thingChanged, { tenantId: TenantId.create(), data: { n: 1 } }),
  )
  await transact(db, tx => emitMany(tx, occurrences))
  await eventually(() => expect(handled).toBe(6_000))
  await db.run(sql`vacuum analyze event_consumer_queue`)
  // Statistics of what happened before arrive late; whatever goes on at idle would show in every window.
  let before = await rowsTouched()
  await eventually(async () => {
    await new Promise(resolve => setTimeout(resolve, 1_500))
    const now = await rowsTouched()
    const during = now - before
    before = now
    expect(during).toBeLessThan(10)
  })
  // Nor did any of them cost more for there being others: claiming walks over nothing but what it takes.
  expect(before).toBeLessThan(20 * 6_000)
})
