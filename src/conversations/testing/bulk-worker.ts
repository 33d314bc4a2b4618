/** A worker process for bulk actions that a test kills. It starts when it receives a message. */
import { pino } from 'pino'
import { buildRoleScopes } from '../../identity/rights/roles.ts'
import { inProcessBus } from '../../platform/bus/bus.ts'
import { systemClock } from '../../platform/clock.ts'
import { type ConnectionConfig, connectDb } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { conversationBulk } from '../bulk/run-bulk.ts'
import { conversations } from '../domain.ts'

const connection = JSON.parse(process.argv[2]!) as ConnectionConfig
const db = connectDb({ connection, clock: systemClock, readers: 1, writers: 4 })
const deps = {
  db,
  clock: systemClock,
  log: pino({ level: 'silent' }),
  bus: inProcessBus(),
  caches: new Map(),
  roleScopes: buildRoleScopes(conversations.routes),
} as unknown as Deps

process.on('disconnect', () => process.exit()) // ends with the test
process.on('message', () => startWorkers(deps, [conversationBulk.job]))
process.send?.('ready')
