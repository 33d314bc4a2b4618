/** Metrics of the process in Prometheus format. Labels never contain a workspace. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Count, counters } from './counters.ts'
import { version } from './project-root.ts'

/** A value of one cell. */
export interface CellSample {
  cell: string
  labels?: Record<string, string>
  value: number
}

export interface Metrics {
  observeRequest(route: string, method: string, status: number, seconds: number): void
  observeJob(cell: string, name: string, outcome: string, seconds: number): void
  /** Adds a gauge that is read on each scrape. */
  addGauge(name: string, help: string, read: () => Promise<number> | number): void
  /** Adds a gauge of cells that is read on each scrape; other combinations of labels are absent. */
  addCellGauge(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly CellSample[]>,
  ): void
  count(cell: string, count: Count): void
  text(): Promise<string>
  readonly contentType: string
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const jobBuckets = [0.01, 0.1, 0.5, 1, 5, 30]

/** `cells`: metrics of jobs, counts and gauges have the label `cell`. */
export function createMetrics({ cells = false }: { cells?: boolean } = {}): Metrics {
  const registry = new Registry()
  const cellLabel = cells ? ['cell'] : []
  const withCell = (cell: string, labels: Record<string, string> = {}) =>
    cells ? { cell, ...labels } : labels
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })
  new Gauge({
    name: 'parley_build_info',
    help: 'The running version; the value is always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1)
  const committed = Object.fromEntries(
    Object.entries(counters).map(([name, { help, labels }]) => [
      name,
      new Counter({ name, help, labelNames: [...cellLabel, ...labels], registers: [registry] }),
    ]),
  )
  const requests = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time from request to response',
    labelNames: ['route', 'method', 'status'],
    buckets: requestBuckets,
    registers: [registry],
  })
  const jobSeconds = new Histogram({
    name: 'parley_job_seconds',
    help: 'Time a job ran',
    labelNames: [...cellLabel, 'job'],
    buckets: jobBuckets,
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'parley_jobs_total',
    help: 'Finished job runs',
    labelNames: [...cellLabel, 'job', 'outcome'],
    registers: [registry],
  })
  return {
    observeRequest: (route, method, status, seconds) =>
      requests.observe({ route, method, status: toStatusLabel(status) }, seconds),
    observeJob: (cell, job, outcome, seconds) => {
      jobSeconds.observe(withCell(cell, { job }), seconds)
      jobs.inc(withCell(cell, { job, outcome }))
    },
    addGauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          // A gauge that fails is reported as NaN and does not fail the scrape.
          this.set(await Promise.resolve(read()).catch(() => Number.NaN))
        },
      })
    },
    addCellGauge: (name, help, labelNames, read) => {
      new Gauge({
        name,
        help,
        labelNames: [...cellLabel, ...labelNames],
        registers: [registry],
        async collect() {
          this.reset()
          for (const { cell, labels, value } of await read().catch(() => []))
            this.set(withCell(cell, labels), value)
        },
      })
    },
    count: (cell, { name, labels }) => committed[name]!.inc(withCell(cell, labels)),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** A refused file is no failure of the service: one workspace with full storage must not look like an outage. */
function toStatusLabel(status: number): string {
  return status === 507 ? '507' : `${Math.floor(status / 100)}xx`
}
