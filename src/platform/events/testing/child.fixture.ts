/**
 * A process that sequences and subscribes, made to be killed. `ledger` writes down what it was handed: `apply` in the
 * transaction it is given, `handle` on its own.
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

const writeDown = (on: Queryable, subscriber: string, events: LogEvent[]) =>
  on.run(sql`
    insert into ledger (subscriber, tenant_id, seq, data, process)
    select ${subscriber}, tenant_id, seq, data::json, ${process.pid}
    from unnest(${events.map(found => found.tenantId)}::text[], ${events.map(found => found.seq)}::bigint[],
      ${events.map(found => JSON.stringify(found.data))}::text[]) as event (tenant_id, seq, data)`)

// Long enough to be killed in.
const aMoment = () => new Promise(resolve => setTimeout(resolve, 10))

const sequencer = startSequencer(deps, { connection, batchSize: 50 })
startSubscriptions(
  deps,
  [
    subscription({
      name: 'apply',
      batchSize: 20,
      async apply(tx, events) {
        await writeDown(tx, 'apply', events)
        await aMoment()
      },
    }),
    subscription({
      name: 'handle',
      batchSize: 20,
      async handle(_deps, events) {
        await writeDown(db, 'handle', events)
        await aMoment()
      },
    }),
  ],
  { connection, leaseMs: 2_000 },
)

process.on('disconnect', () => process.exit()) // never outlive the test
let told: boolean | undefined
setInterval(() => {
  if (sequencer.leading !== told) process.send?.({ leading: sequencer.leading })
  told = sequencer.leading
}, 20)
