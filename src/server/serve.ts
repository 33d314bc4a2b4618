/**
 * Runs a service process: database, migrations, then HTTP, sockets and background work according to its roles, and an
 * orderly shutdown. Being killed at any line is normal operation: the next start continues from the database.
 */
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { background, crons, jobs, subscriptions } from '../app.ts'
import { reregisterChanged } from '../inboxes/accounts/webhook-registration.ts'
import { type Config, ConfigError } from '../platform/config.ts'
import { onCounted } from '../platform/counters.ts'
import { migrate } from '../platform/db/migrate.ts'
import { isDatabaseUnavailable } from '../platform/db/unavailable.ts'
import type { Deps } from '../platform/deps.ts'
import { relayEmitted } from '../platform/events/notify.ts'
import { startSequencer } from '../platform/events/sequencer.ts'
import { startSubscriptions } from '../platform/events/subscriptions.ts'
import { relayEnqueued } from '../platform/jobs/notify.ts'
import { startWorkers } from '../platform/jobs/workers.ts'
import { createLog, type Logger } from '../platform/log.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { type Database, openDatabase, shareDatabase } from './database/database.ts'
import { createDeps } from './deps.ts'
import { addGauges } from './gauges.ts'
import { type HttpServer, startHttp } from './http/http.ts'
import { watchAdoption } from './installation/adoption.ts'
import { createFirstWorkspace, type FirstWorkspace } from './installation/first-start.ts'
import { recordServiceUrl } from './installation/service-url.ts'
import { startEmbeddedSandbox } from './sandbox.ts'

/** `http` serves the API, `realtime` serves sockets, `worker` runs jobs, crons and event consumers. */
export const processRoles = ['http', 'worker', 'realtime'] as const
export type ProcessRole = (typeof processRoles)[number]

export interface Service {
  url: string
  log: Logger
  /** The workspace that this start created, only on the first start. */
  first: FirstWorkspace | undefined
  /** Resolves with the reason when the service cannot continue. */
  failed: Promise<string>
  /** Reports not ready and keeps serving for DRAIN_SECONDS, so that a load balancer sends no request that is refused. */
  drain(): Promise<void>
  stop(): Promise<void>
  /** Whether all requests and jobs that were in flight at the stop have ended. */
  isDrained(): boolean
}

/** Time for requests and jobs in flight after the stop signal; the rest of the ten seconds is for the database. */
const graceMs = 7_000
/** HTTP stops this much later than jobs, because some jobs wait for a provider to call the service back. */
const httpDelayMs = 2_000

type Closer = () => Promise<unknown>

export async function serve(config: Config, roles: readonly ProcessRole[] = processRoles): Promise<Service> {
  const log = createLog(config.logLevel, { roles: roles.join(',') })
  const [api, isWorker] = [roles.includes('http'), roles.includes('worker')]
  if (isWorker && !api && !config.isPublicUrlSet)
    throw new ConfigError(
      'PUBLIC_URL is required for a worker without the role http: set it to the URL of the http processes',
    )
  let stopBackground: Closer = async () => {}
  let stopWaiting = () => {}
  let stopping = false
  let http: HttpServer | undefined
  /** Closed after HTTP and background work, the newest first. */
  const closers: Closer[] = []
  const run = (close: Closer) => close().catch(error => log.error({ err: error }, 'error during shutdown'))
  let drained = false
  const stop = async () => {
    const deadline = performance.now() + graceMs
    stopping = true
    stopWaiting()
    http?.setReady(false)
    const backgroundStopped = run(stopBackground)
    await Promise.race([backgroundStopped, sleep(httpDelayMs, undefined, { ref: false })])
    await Promise.all([backgroundStopped, run(async () => http?.stop(deadline - performance.now()))])
    drained = true
    for (const close of closers.splice(0).reverse()) await run(close)
  }
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const database = await openDatabase(config, log)
    closers.push(database.close)
    const migrations = await retryConnection(log, () => migrate(database.direct))
    if (migrations.length > 0) log.info({ migrations }, 'migrated')
    closers.push(await shareDatabase(config, database))
    const deps = await createDeps(config, log, database)
    closers.push(deps.close)
    const sandbox = await startEmbeddedSandbox(deps)
    if (sandbox) closers.push(sandbox.close)
    const metrics = createMetrics()
    onCounted(deps.db, metrics.count)
    if (isWorker) addGauges(deps, metrics)
    else closers.push(relaySignals(deps))
    const adoption = watchAdoption(deps, async () => {
      // The public address may have changed since the last start.
      await reregisterChanged(deps)
      if (isWorker && !stopping) stopBackground = startBackground(deps, database, metrics)
    })
    stopWaiting = adoption.stop
    metrics.addGauge('parley_installation_adopted', '0: a copy that sends nothing, see `parley adopt`', () =>
      adoption.getObstacle() === undefined ? 1 : 0,
    )
    const { getObstacle } = adoption
    const server = await startHttp(deps, { metrics, api, sockets: roles.includes('realtime'), getObstacle })
    http = server
    await retryConnection(log, adoption.begin)
    const first = api ? await retryConnection(log, () => createFirstWorkspace(deps)) : undefined
    if (api) await recordServiceUrl(config).catch(error => log.warn({ err: error }, 'URL not recorded'))
    server.setReady(true)
    const drain = async () => {
      server.setReady(false)
      await sleep(config.drainSeconds * 1_000)
    }
    return { url: config.publicUrl, log, first, drain, stop, isDrained: () => drained, failed: database.lost }
  } catch (error) {
    await stop()
    throw error
  }
}

const connectTimeoutMs = 60_000

/** Retries a step of the start while the database is restarting or the machine stalls. */
async function retryConnection<T>(log: Logger, step: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + connectTimeoutMs; ; ) {
    try {
      return await step()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > deadline) throw error
      log.warn({ err: error }, 'database not reachable yet; retrying')
      await sleep(500)
    }
  }
}

/** Notifies the workers of other processes about committed jobs and events, in a process without workers. */
function relaySignals(deps: Deps): Closer {
  const stops = [relayEnqueued(deps), relayEmitted(deps)]
  return async () => {
    for (const stop of stops) stop()
  }
}

/** Starts jobs, crons, the sequencer and event consumers. Returns a function that stops them. */
function startBackground(deps: Deps, database: Database, metrics: Metrics): Closer {
  const sequencer = startSequencer(deps, { connection: database.direct, subscriptions })
  const consumers = startSubscriptions(deps, subscriptions, { connection: database.direct })
  const workers = startWorkers(deps, jobs, {
    crons,
    onRunEnd: (job, outcome, ms) => metrics.observeJob(job.name, outcome, ms / 1000),
  })
  const loops = background.map(start => start(deps, { connection: database.direct }))
  return async () => {
    await Promise.all([workers.stop(graceMs), consumers.stop(), ...loops.map(loop => loop.stop(graceMs))])
    await sequencer.stop()
  }
}
