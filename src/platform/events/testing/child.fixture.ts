/**
 * A process that sequences and subscribes, made to be killed. The table `ledger` records the events it received: `apply` in
 * the given transaction, `handle` outside of one.
 */
import { pino } from 'pino'
import { postgresBus } from '../../bus/postgres.ts'
import { systemClock } from '../../clock.ts'
import { type ConnectionConfig, connectDb, type Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { Deps } from '../../deps.ts'
import type { LogEvent } from '../event.ts'
import { startSequencer } from '../sequencer.ts'
import { subscription } from '../subscription.ts'
import { startSubscriptions } from '../subscriptions.ts'

const connection = JSON.parse(process.argv[2]!) as ConnectionConfig
const db = connectDb({ connection, clock: systemClock, readers: 1, writers: 4 })
const bus = await postgresBus(connection)
const deps = { db, clock: systemClock, log: pino({ level: 'silent' }), bus } as unknown as Deps & {
  bus: typeof bus
}

const record = (on: Queryable, subscriber: string, events: LogEvent[]) =>
  on.run(sql`
    insert into ledger (subscriber, tenant_id, seq, data, process)
    select ${subscriber}, tenant_id, seq, data::json, ${process.pid}
    from unnest(${events.map(found => found.tenantId)}::text[], ${events.map(found => found.seq)}::bigint[],
      ${events.map(found => JSON.stringify(found.data))}::text[]) as event (tenant_id, seq, data)`)

// Long enough to be killed in.
const pause = () => new Promise(resolve => setTimeout(resolve, 10))

const sequencer = startSequencer(deps, { connection, batchSize: 50 })
startSubscriptions(
  deps,
  [
    subscription({
      name: 'apply',
      batchSize: 20,
      async apply(tx, events) {
        await record(tx, 'apply', events)
        await pause()
      },
    }),
    subscription({
      name: 'handle',
      batchSize: 20,
      async handle(_deps, events) {
        await record(db, 'handle', events)
        await pause()
      },
    }),
  ],
  { connection, leaseMs: 2_000 },
)

process.on('disconnect', () => process.exit()) // never outlive the test
let reported: boolean | undefined
setInterval(() => {
  if (sequencer.leading !== reported) process.send?.({ leading: sequencer.leading })
  reported = sequencer.leading
}, 20)
