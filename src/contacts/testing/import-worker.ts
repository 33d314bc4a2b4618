/** A worker process for imports that a test kills. It starts when it receives a message. */
import { pino } from 'pino'
import { buildRoleScopes } from '../../identity/rights/roles.ts'
import { diskBlobs } from '../../platform/blobs/disk.ts'
import { inProcessBus } from '../../platform/bus/bus.ts'
import { systemClock } from '../../platform/clock.ts'
import { type ConnectionConfig, connectDb } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { contacts } from '../domain.ts'
import { importContacts } from '../import/run-import.ts'

const [connection, directory] = JSON.parse(process.argv[2]!) as [ConnectionConfig, string]
const db = connectDb({ connection, clock: systemClock, readers: 1, writers: 4 })
const log = pino({ level: 'silent' })
const deps = {
  db,
  clock: systemClock,
  log,
  bus: inProcessBus(),
  blobs: diskBlobs(directory),
  caches: new Map(),
  roleScopes: buildRoleScopes(contacts.routes),
} as unknown as Deps

process.on('disconnect', () => process.exit()) // ends with the test
process.on('message', () => startWorkers(deps, [importContacts]))
process.send?.('ready')
