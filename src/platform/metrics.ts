/** Metrics of the process in Prometheus format. Labels never contain a workspace. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Count, counters } from './counters.ts'
import { version } from './project-root.ts'

export interface Metrics {
  observeRequest(route: string, method: string, status: number, seconds: number): void
  observeJob(name: string, outcome: string, seconds: number): void
  /** Adds a gauge that is read on each scrape. */
  addGauge(name: string, help: string, read: () => Promise<number> | number): void
  /** Adds a gauge with labels that is read on each scrape; other combinations of labels are absent. */
  addLabelledGauge(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => Promise<readonly (readonly [Record<string, string>, number])[]>,
  ): void
  count(count: Count): void
  text(): Promise<string>
  readonly contentType: string
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const jobBuckets = [0.01, 0.1, 0.5, 1, 5, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
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
      new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
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
    labelNames: ['job'],
    buckets: jobBuckets,
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'parley_jobs_total',
    help: 'Finished job runs',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  })
  return {
    observeRequest: (route, method, status, seconds) =>
      requests.observe({ route, method, status: toStatusLabel(status) }, seconds),
    observeJob: (job, outcome, seconds) => {
      jobSeconds.observe({ job }, seconds)
      jobs.inc({ job, outcome })
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
    addLabelledGauge: (name, help, labelNames, read) => {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        async collect() {
          this.reset()
          for (const [labels, value] of await read().catch(() => [])) this.set(labels, value)
        },
      })
    },
    count: ({ name, labels }) => committed[name]!.inc(labels),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** A refused file is no failure of the service: one workspace with full storage must not look like an outage. */
function toStatusLabel(status: number): string {
  return status === 507 ? '507' : `${Math.floor(status / 100)}xx`
}
