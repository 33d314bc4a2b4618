/** Requests of a workspace that run at a time while another one is active: eight, or two while the event loop is late. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testDeps } from '../../../test/harness/deps.ts'
import { until } from '../../../test/harness/service.ts'
import type { Caller } from './caller.ts'
import { route } from './route.ts'
import { buildServer } from './server.ts'

const { deps } = await testDeps({ REQUESTS_PER_WORKSPACE: '8' })
/** Long enough for a body on a busy machine. */
const bodyTimeoutMs = 6_000
let running: string[] = []
let release = () => {}
let released = new Promise<void>(() => {})
beforeEach(() => {
  running = []
  released = new Promise<void>(resolve => {
    release = resolve
  })
})

const held = route({
  method: 'POST',
  path: '/held',
  tag: 'Tests',
  summary: 'Answer when the test says so',
  access: { scopes: [], roles: ['owner'] },
  bodyOptional: true,
  success: { status: 200 },
  handle: async ({ caller }) => {
    running.push(caller.tenantId)
    await released
    return {}
  },
})
const app = await buildServer({
  deps,
  routes: [held],
  authenticate: async token =>
    ({ tenantId: token, id: token, kind: 'user', role: 'owner', scopes: new Set(), teamIds: [] }) as Caller,
  pageKey: Buffer.alloc(32),
  bodyTimeoutMs,
})
await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => {
  app.server.closeAllConnections()
  return app.close()
})
const { port } = app.server.address() as AddressInfo

/** Larger than the buffer of a connection that is not read. */
const body = `{${' '.repeat(300_000)}}`

const call = async (tenantId: string, signal?: AbortSignal): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/held`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenantId}`, 'content-type': 'application/json' },
    body,
    ...(signal ? { signal } : {}),
  })
  await response.text()
  return response.status
}
const calls = (tenantId: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => call(tenantId)))
const countOf = (tenantId: string) => running.filter(id => id === tenantId).length

test('a workspace runs at most its share of requests at a time while another one is active, and all in the end', async () => {
  const first = calls('b', 1)
  await until(
    async () => countOf('b'),
    count => count === 1,
  )
  const many = calls('a', 20)
  await until(
    async () => countOf('a'),
    count => count > 0,
  )
  const second = calls('b', 1)
  await until(
    async () => countOf('b'),
    count => count === 2,
  )
  // Longer than the time for a body, which must not run while a request waits for its turn.
  await sleep(bodyTimeoutMs + 500)
  expect(countOf('a')).toBeLessThanOrEqual(8)
  release()
  expect([...(await first), ...(await second), ...(await many)]).toEqual(Array(22).fill(200))
})

test('a request that is given up frees its place', async () => {
  const first = call('b')
  const given = new AbortController()
  const many = Array.from({ length: 6 }, () => call('a', given.signal).catch(() => 0))
  await until(
    async () => countOf('a'),
    count => count > 0,
  )
  given.abort()
  await Promise.all(many)
  const before = countOf('a')
  const next = call('a')
  await until(
    async () => countOf('a'),
    count => count > before,
  )
  release()
  expect(await Promise.all([first, next])).toEqual([200, 200])
})
