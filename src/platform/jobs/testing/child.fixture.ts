/**
 * A process with workers, made to be stopped and killed. Each job writes down when it began and, in the transaction
 * that finishes it, that it is done; `outside` stands for a call to somewhere that cannot be taken back.
 */
import { pino } from 'pino'
import { inProcessBus } from '../../bus/bus.ts'
import { systemClock } from '../../clock.ts'
import { type ConnectionConfig, connectDb } from '../../db/db.ts'
import type { Deps } from '../../deps.ts'
import { startWorkers } from '../workers.ts'
import { childCron, childJobs } from './child-jobs.ts'

const connection = JSON.parse(process.argv[2]!) as ConnectionConfig
const workerCount = Number(process.argv[3])
for (let worker = 0; worker < workerCount; worker++) {
  const db = connectDb({ connection, clock: systemClock, readers: 1, writers: 3 })
  const deps = {
    db,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    bus: inProcessBus(),
  } as unknown as Deps
  startWorkers(deps, childJobs, { crons: [childCron], concurrency: { normal: 8 } })
}
process.on('disconnect', () => process.exit()) // never outlive the test
process.send?.('up')
