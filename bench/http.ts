/**
 * Measures the overhead of the HTTP layer: authenticated GET /users/me (token, role, scope; limits off) compared with a
 * plain Fastify route that runs one prepared query on the same kind of connections. Load comes from another process.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { routes } from '../src/app.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { createAuthSession } from '../src/identity/auth/sessions.ts'
import { findUser } from '../src/identity/store/users.ts'
import { createWorkspace } from '../src/identity/workspace/tenants.ts'
import { transact } from '../src/platform/db/transact.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { benchDeps, report } from './support/environment.ts'
import { median } from './support/statistics.ts'

const { deps, close } = await benchDeps()
const { tenantId, ownerId } = await transact(deps.db, tx =>
  createWorkspace(tx, {
    name: 'Bench',
    owner: { name: 'Owner', email: 'owner@example.com', passwordHash: 'none' },
  }),
)
const { accessToken } = await transact(deps.db, tx =>
  createAuthSession(deps, tx, { tenantId, userId: ownerId }),
)

const bare = Fastify()
bare.get('/v1/users/me', () => findUser(deps.db, tenantId, ownerId))
const ours = await buildServer({
  deps,
  routes,
  authenticate: createAuthenticator(deps),
  pageKey: deps.keys.current('page-tokens'),
})

const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js')
interface Loaded {
  rate: number
  /** CPU time of this process in microseconds, which other load on the machine does not change. */
  cpuPerRequest: number
}

async function load(port: number, seconds: number): Promise<Loaded> {
  const before = process.cpuUsage()
  const args = [
    autocannon,
    '-j',
    '-c',
    '64',
    '-d',
    String(seconds),
    '-H',
    `authorization=Bearer ${accessToken}`,
    `http://127.0.0.1:${port}/v1/users/me`,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 })
  const result = JSON.parse(stdout) as {
    requests: { average: number; total: number }
    non2xx: number
    errors: number
  }
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  const { user, system } = process.cpuUsage(before)
  return { rate: result.requests.average, cpuPerRequest: (user + system) / result.requests.total }
}

const ports: number[] = []
for (const app of [bare, ours]) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  ports.push((app.server.address() as AddressInfo).port)
}
for (const port of ports) await load(port, 1)
const rates: [number[], number[]] = [[], []]
const cpus: [number[], number[]] = [[], []]
for (let round = 0; round < 3; round++) {
  for (const which of [0, 1] as const) {
    const { rate, cpuPerRequest } = await load(ports[which]!, 3)
    rates[which].push(rate)
    cpus[which].push(cpuPerRequest)
  }
}
const [limit, value] = [median(rates[0]), median(rates[1])]
report({ name: 'http.users_me', unit: 'requests/s', value, limit, ratio: value / limit, wanted: '>= 0.60' })
const [bareCpu, ourCpu] = [median(cpus[0]), median(cpus[1])]
report({
  name: 'http.users_me_cpu',
  unit: 'µs/request',
  value: ourCpu,
  limit: bareCpu,
  ratio: bareCpu / ourCpu,
  wanted: '>= 0.60',
})
await Promise.all([bare.close(), ours.close()])
await close()
