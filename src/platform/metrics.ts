/** Metrics of the process in Prometheus format. Labels never contain a workspace. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observeRequest(route: string, method: string, status: number, seconds: number): void
  observeJob(name: string, outcome: string, seconds: number): void
  /** Adds a gauge that is read on each scrape. */
  addGauge(name: string, help: string, read: () => Promise<number> | number): void
  text(): Promise<string>
  readonly contentType: string
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const jobBuckets = [0.01, 0.1, 0.5, 1, 5, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  // The default of 10 ms would wake an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 250 })
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
      requests.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, seconds),
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
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
