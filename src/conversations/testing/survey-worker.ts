/** A worker process for surveys that a test kills. It starts when it receives a message. */
import { pino } from 'pino'
import { inProcessBus } from '../../platform/bus/bus.ts'
import { systemClock } from '../../platform/clock.ts'
import { type ConnectionConfig, connectDb } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { sendSurvey } from '../surveys/send-survey.ts'

const connection = JSON.parse(process.argv[2]!) as ConnectionConfig
const lenient = { isLenient: true }
const deps = {
  db: connectDb({ connection, clock: systemClock, readers: 1, writers: 4 }),
  clock: systemClock,
  log: pino({ level: 'silent' }),
  bus: inProcessBus(),
  caches: new Map(),
  channels: { chatapp: lenient, socialapp: lenient, sms: lenient },
} as unknown as Deps

process.on('disconnect', () => process.exit()) // ends with the test
process.on('message', () => startWorkers(deps, [sendSurvey]))
process.send?.('ready')
