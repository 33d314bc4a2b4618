/**
 * Runs a service process: databases, migrations, then HTTP, sockets and background work according to its roles, and an
 * orderly shutdown. Being killed at any line is normal operation: the next start continues from the databases.
 */
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError } from '../platform/config.ts'
import { createLog, type Logger } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { observeCells } from './cells/metrics.ts'
import { retryConnection, startCells } from './cells/start.ts'
import { type CellWork, createCellWork } from './cells/work.ts'
import { type HttpServer, startHttp } from './http/http.ts'
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

export interface ServeOptions {
  roles?: readonly ProcessRole[]
  /** The cells that the process serves; all by default. */
  cells?: readonly string[] | undefined
}

export async function serve(config: Config, options: ServeOptions = {}): Promise<Service> {
  const { roles = processRoles } = options
  const log = createLog(config.logLevel, { roles: roles.join(',') })
  const [api, isWorker] = [roles.includes('http'), roles.includes('worker')]
  if (isWorker && !api && !config.isPublicUrlSet)
    throw new ConfigError(
      'PUBLIC_URL is required for a worker without the role http: set it to the URL of the http processes',
    )
  let works: CellWork[] = []
  let http: HttpServer | undefined
  /** Closed after HTTP and background work, the newest first. */
  const closers: Closer[] = []
  const run = (close: Closer) => close().catch(error => log.error({ err: error }, 'error during shutdown'))
  let drained = false
  const stop = async () => {
    const deadline = performance.now() + graceMs
    for (const work of works) work.stopWaiting()
    http?.setReady(false)
    const stopped = Promise.all(works.map(work => run(() => work.stop(graceMs))))
    await Promise.race([stopped, sleep(httpDelayMs, undefined, { ref: false })])
    await Promise.all([stopped, run(async () => http?.stop(deadline - performance.now()))])
    drained = true
    for (const close of closers.splice(0).reverse()) await run(close)
  }
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const started = await startCells(config, log, options.cells, { completesMoves: isWorker })
    closers.push(started.close)
    const { cells } = started
    const sandbox = await startEmbeddedSandbox(cells[0]!.deps)
    if (sandbox) closers.push(sandbox.close)
    const metrics = createMetrics({ cells: cells.length > 1 })
    works = cells
      .filter(cell => cell.isServed)
      .map(cell =>
        createCellWork(cell, {
          isWorker,
          onRunEnd: (job, outcome, ms) => metrics.observeJob(cell.name, job.name, outcome, ms / 1000),
        }),
      )
    observeCells(works, metrics, { isWorker })
    const server = await startHttp(works, { metrics, api, sockets: roles.includes('realtime') })
    http = server
    await started.begin(cell => works.find(work => work.cell === cell)!.begin())
    const first = api
      ? await retryConnection(log, () => createFirstWorkspace(works[0]!.cell.deps))
      : undefined
    if (api) await recordServiceUrl(config).catch(error => log.warn({ err: error }, 'URL not recorded'))
    server.setReady(true)
    const drain = async () => {
      server.setReady(false)
      await sleep(config.drainSeconds * 1_000)
    }
    return { url: config.publicUrl, log, first, drain, stop, isDrained: () => drained, failed: started.lost }
  } catch (error) {
    await stop()
    throw error
  }
}
