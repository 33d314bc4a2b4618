/** A process that runs workflows, made to be killed. It is told when to begin. */
import { pino } from 'pino'
import { inProcessBus } from '../../src/platform/bus/bus.ts'
import { resolveChannels } from '../../src/platform/channels.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type ConnectionConfig, connectDb } from '../../src/platform/db/db.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { startSequencer } from '../../src/platform/events/sequencer.ts'
import { startSubscriptions } from '../../src/platform/events/subscriptions.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { createKeys } from '../../src/platform/keys.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { startTimers } from '../../src/workflows/engine/timers.ts'
import { workflowJobs } from '../../src/workflows/jobs.ts'
import { followEvents } from '../../src/workflows/subscriptions.ts'

const connection = JSON.parse(process.argv[2]!) as ConnectionConfig
const config = readConfig({ LOG_LEVEL: 'silent' })
const keys = createKeys('a secret of tests, and of nothing else')
const deps = {
  config,
  keys,
  db: connectDb({ connection, clock: systemClock, readers: 1, writers: 6 }),
  clock: systemClock,
  log: pino({ level: 'silent' }),
  bus: inProcessBus(),
  outbound: createOutbound({ policy: { allowCidrs: [], allowLoopback: true, ownPorts: [] } }),
  channels: resolveChannels(config, keys),
} as unknown as Deps

process.on('disconnect', () => process.exit()) // never outlive the test
process.on('message', () => {
  startSequencer(deps, { connection })
  startSubscriptions(deps as never, [followEvents], { connection })
  startWorkers(deps, workflowJobs)
  startTimers(deps)
})
process.send?.('ready')
