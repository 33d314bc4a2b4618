/** A process that runs workflows, to be killed by the crash test. It starts on the first message. */
import { pino } from 'pino'
import { buildRoleScopes } from '../../identity/rights/roles.ts'
import { resolveChannels } from '../../inboxes/channels.ts'
import { inProcessBus } from '../../platform/bus/bus.ts'
import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { type ConnectionConfig, connectDb } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { createKeys } from '../../platform/encryption/keys.ts'
import { startSequencer } from '../../platform/events/sequencer.ts'
import { startSubscriptions } from '../../platform/events/subscriptions.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { workflowJobs } from '../domain.ts'
import { startTimerLoop } from '../engine/schedules/timer-loop.ts'
import { workflowEngine } from '../subscriptions.ts'

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
  caches: new Map(),
  roleScopes: buildRoleScopes([]),
} as unknown as Deps

process.on('disconnect', () => process.exit()) // never outlive the test
process.on('message', () => {
  startSequencer(deps, { connection, subscriptions: [workflowEngine] })
  startSubscriptions(deps as never, [workflowEngine], { connection })
  startWorkers(deps, workflowJobs)
  startTimerLoop(deps)
})
process.send?.('ready')
