/**
 * Sends the same load to any server from a separate process: `load.ts <JSON of a Load>`. One request in flight per
 * connection; `{n}` in a path or body is the request number with 26 digits as in an id, `{7}` with seven.
 */
import { Pool } from 'undici'
import type { Load } from './loads.ts'

const load = JSON.parse(process.argv[2]!) as Load
const pool = new Pool(load.url, { connections: load.connections, pipelining: 1 })
const end = performance.now() + (load.seconds ?? 3_600) * 1_000
const last = load.from + (load.count ?? Number.MAX_SAFE_INTEGER)
let next = load.from
const latencies: number[] = []

async function one(n: number): Promise<void> {
  const numbered = (text: string) =>
    text.replaceAll('{n}', String(n).padStart(26, '0')).replaceAll('{7}', String(2_000_000 + n))
  const startedAt = performance.now()
  const answer = await pool.request({
    method: load.method,
    path: numbered(load.path),
    headers: load.headers,
    ...(load.body === undefined ? {} : { body: numbered(load.body) }),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300 || text.includes('"errors"'))
    throw new Error(`${load.path}: ${answer.statusCode} ${text.slice(0, 300)}`)
  latencies.push(performance.now() - startedAt)
}

const beganAt = Date.now()
const startedAt = performance.now()
await Promise.all(
  Array.from({ length: load.connections }, async () => {
    while (next < last && performance.now() < end) await one(next++)
  }),
)
const seconds = (performance.now() - startedAt) / 1_000
latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
console.log(
  JSON.stringify({
    count: latencies.length,
    beganAt,
    rate: latencies.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
  }),
)
await pool.close()
