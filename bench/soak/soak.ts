/**
 * `npm run soak`: runs an hour of ordinary work (SOAK_MINUTES, SOAK_RATE in requests per second), sampled every ten seconds.
 * Compares memory, open files and response times of the last quarter with the second, after the warm-up; exits with
 * code 1 if one of them grew.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { install } from './installation.ts'
import { startWorkload } from './people.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 60)
const perSecond = Number(process.env.SOAK_RATE ?? 40)
const everyMs = Math.min(10_000, (minutes * 60_000) / 24)

interface Sample {
  minute: number
  megabytes: number
  files: number
  answers: number
  p50: number
  p99: number
  failed: number
  received: number
  delivered: number
}

const resident = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
const share = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
const median = (values: readonly number[]) =>
  share(
    values.toSorted((a, b) => a - b),
    0.5,
  )

const installation = await install()
const samples: Sample[] = []
const faults: string[] = []
try {
  const workload = await startWorkload(installation, perSecond)
  const startedAt = Date.now()
  while (Date.now() - startedAt < minutes * 60_000) {
    await sleep(everyMs)
    const { times, failed, received, delivered } = workload.takeResults()
    const sorted = times.sort((a, b) => a - b)
    samples.push({
      minute: (Date.now() - startedAt) / 60_000,
      megabytes: resident(installation.pid),
      files: readdirSync(`/proc/${installation.pid}/fd`).length,
      answers: sorted.length,
      p50: share(sorted, 0.5),
      p99: share(sorted, 0.99),
      failed: failed.length,
      received,
      delivered,
    })
    faults.push(...failed.slice(0, 3))
    const { minute, ...rest } = samples.at(-1)!
    const shown = Object.entries(rest).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`)
    process.stderr.write(`${minute.toFixed(1)} min: ${shown.join(', ')}\n`)
  }
  await workload.stop()
} finally {
  await installation.stop()
}

const quarter = (n: number) =>
  samples.slice(Math.floor(((n - 1) * samples.length) / 4), Math.floor((n * samples.length) / 4))
const [early, late] = [quarter(2), quarter(4)]
const of = (list: readonly Sample[], name: keyof Sample) => median(list.map(one => one[name]))
/** Allowed growth of each value: more than garbage collection and growing tables explain is a leak. */
const bounds: [keyof Sample, number, number][] = [
  ['megabytes', 1.15, 20],
  ['files', 1.1, 5],
  ['p50', 1.3, 2],
  ['p99', 1.5, 20],
]
const rows = bounds.map(([name, times, plus]) => {
  const [before, after] = [of(early, name), of(late, name)]
  return { name, before, after, flat: after <= Math.max(before * times, before + plus) }
})
const answers = samples.reduce((sum, one) => sum + one.answers, 0)
const table = [
  `${minutes} minutes at ${perSecond} requests a second: ${answers} answers, ${faults.length === 0 ? 'none failed' : `some failed (${faults[0]})`}.`,
  '',
  '| median of ten seconds | second quarter | last quarter | |',
  '|---|---|---|---|',
  ...rows.map(
    row =>
      `| ${row.name} | ${row.before.toFixed(1)} | ${row.after.toFixed(1)} | ${row.flat ? 'flat' : 'grew'} |`,
  ),
].join('\n')
const results = path.resolve(import.meta.dirname, '../accepted')
mkdirSync(results, { recursive: true })
writeFileSync(path.join(results, 'soak.md'), `# Soak\n\n${table}\n`)
writeFileSync(path.join(results, 'soak.json'), `${JSON.stringify(samples)}\n`)
console.log(table)
if (faults.length > 0 || rows.some(row => !row.flat)) process.exitCode = 1
