/**
 * A serving process: database, migrations, HTTP, workers, sequencer and subscriptions by its roles, and an orderly end.
 * Being killed is ordinary; everything here can be cut off at any line and started again.
 */
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { background, crons, jobs, subscriptions } from '../app.ts'
import { reregisterChanged } from '../inboxes/webhook-registration.ts'
import type { Config } from '../platform/config.ts'
import { isConnectionLost } from '../platform/db/db.ts'
import { migrate } from '../platform/db/migrate.ts'
import type { Deps } from '../platform/deps.ts'
import { relayEmitted } from '../platform/events/notify.ts'
import { startSequencer } from '../platform/events/sequencer.ts'
import { startSubscriptions } from '../platform/events/subscriptions.ts'
import { relayEnqueued } from '../platform/jobs/notify.ts'
import { startWorkers } from '../platform/jobs/workers.ts'
import { createLog, type Logger } from '../platform/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { type Database, openDatabase, shareDatabase } from './database.ts'
import { createDeps } from './deps.ts'
import { createFirstWorkspace, type FirstWorkspace } from './first-start.ts'
import { type HttpServer, startHttp } from './http.ts'
import { startEmbeddedSandbox } from './sandbox.ts'
import { getQueueLag, type QueueLag } from './store.ts'

export const processRoles = ['http', 'worker', 'realtime'] as const
export type ProcessRole = (typeof processRoles)[number]

export interface Service {
  url: string
  log: Logger
  /** Only on the first start. */
  first: FirstWorkspace | undefined
  /** Resolves when the service cannot go on, with the reason. */
  failed: Promise<string>
  stop(): Promise<void>
  /** Whether everything that was in flight when it was told to stop has ended. */
  quiet(): boolean
}

/** How long what is in flight may take once we are told to stop; the rest of the ten seconds is for the database. */
const graceMs = 7_000
/** Jobs get a head start over our own door: some ask a provider to call us, and wait for it. */
const headStartMs = 2_000

type Closer = () => Promise<unknown>

export async function serve(config: Config, roles: readonly ProcessRole[] = processRoles): Promise<Service> {
  const log = createLog(config.logLevel)
  let work: Closer = async () => {}
  let http: HttpServer | undefined
  /** What both stand on: ended after them, the newest first. */
  const ground: Closer[] = []
  const end = (close: Closer) => close().catch(error => log.error({ err: error }, 'while stopping'))
  let quiet = false
  const stop = async () => {
    const deadline = performance.now() + graceMs
    http?.shut()
    const working = end(work)
    await Promise.race([working, sleep(headStartMs, undefined, { ref: false })])
    await Promise.all([working, end(async () => http?.stop(deadline - performance.now()))])
    quiet = true
    for (const close of ground.splice(0).reverse()) await end(close)
  }
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const database = await openDatabase(config, log)
    ground.push(database.close)
    const migrations = await patiently(log, () => migrate(database.direct))
    if (migrations.length > 0) log.info({ migrations }, 'migrated')
    ground.push(await shareDatabase(config, database))
    const deps = await createDeps(config, log, database)
    ground.push(deps.close)
    const sandbox = await startEmbeddedSandbox(deps)
    if (sandbox) ground.push(sandbox.close)
    const metrics = createMetrics()
    if (roles.includes('worker')) work = startBackground(deps, database, metrics)
    else ground.push(relayNews(deps))
    if (roles.includes('http')) http = await startHttp(deps, metrics)
    const first = await patiently(log, () => createFirstWorkspace(deps))
    // Our address may be another one than last time.
    await patiently(log, () => reregisterChanged(deps))
    http?.open()
    return { url: config.publicUrl, log, first, stop, quiet: () => quiet, failed: database.lost }
  } catch (error) {
    await stop()
    throw error
  }
}

/** On a machine that stalls, or a database that restarts, a start takes longer; it does not end the service. */
const patienceMs = 60_000

async function patiently<T>(log: Logger, step: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + patienceMs; ; ) {
    try {
      return await step()
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() > deadline) throw error
      log.warn({ err: error }, 'the database does not answer yet; trying again')
      await sleep(500)
    }
  }
}

/** A process without workers tells those that have some what it has committed. */
function relayNews(deps: Deps): Closer {
  const ends = [relayEnqueued(deps), relayEmitted(deps.bus)]
  return async () => {
    for (const end of ends) end()
  }
}

/** Jobs, cron, the sequencer and the subscriptions; gives how to end them. */
function startBackground(deps: Deps, database: Database, metrics: Metrics): Closer {
  const sequencer = startSequencer(deps, { connection: database.direct })
  const feeds = startSubscriptions(deps, subscriptions, { connection: database.direct })
  const workers = startWorkers(deps, jobs, {
    crons,
    onRunEnd: (job, outcome, ms) => metrics.observeJob(job.name, outcome, ms / 1000),
  })
  metrics.addGauge('parley_jobs_ready', 'Jobs that could run now', async () => {
    const depth = await workers.depth()
    return depth.urgent.ready + depth.normal.ready + depth.bulk.ready
  })
  measureWaiting(deps, metrics)
  const others = background.map(start => start(deps, { connection: database.direct }))
  return async () => {
    await Promise.all([workers.stop(graceMs), feeds.stop(), ...others.map(other => other.stop(graceMs))])
    await sequencer.stop()
  }
}

/** One look serves all gauges of a page. */
function measureWaiting({ db }: Deps, metrics: Metrics): void {
  let looked: Promise<QueueLag> | undefined
  const look = () => {
    looked ??= getQueueLag(db).finally(() => {
      looked = undefined
    })
    return looked
  }
  metrics.addGauge('parley_jobs_dead', 'Jobs that were given up', async () => (await look()).deadJobs)
  metrics.addGauge(
    'parley_events_oldest_waiting_seconds',
    'Age of the oldest event that has not reached the log',
    async () => (await look()).events,
  )
  metrics.addGauge(
    'parley_database_oldest_snapshot_seconds',
    'Age of the oldest open transaction in the database',
    async () => (await look()).snapshot,
  )
}
