/** Child process of crash tests: sequences and delivers, with short leases. */
import { pino } from 'pino'
import { postgresBus } from '../../platform/bus/postgres.ts'
import { systemClock } from '../../platform/clock.ts'
import { type ConnectionConfig, connectDb } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { createKeys } from '../../platform/encryption/keys.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { startDeliverer } from '../delivery/deliverer.ts'
import { deliverEvents } from '../subscriptions.ts'

const { connection, secret } = JSON.parse(process.argv[2]!) as {
  connection: ConnectionConfig
  secret: string
}
const db = connectDb({ connection, clock: systemClock, readers: 1, writers: 4 })
const deps = {
  db,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  bus: await postgresBus(connection),
  keys: createKeys(secret),
  outbound: createOutbound({ policy: { allowCidrs: [], allowLoopback: true, ownPorts: [] } }),
} as unknown as Deps

startSequencer(deps, { connection, subscriptions: [deliverEvents] })
startSubscriptions(deps, [deliverEvents], { connection, leaseMs: 3_000 })
startDeliverer(deps, { connection, leaseMs: 3_000 })
process.on('disconnect', () => process.exit()) // exits with the test
process.send?.('up')
