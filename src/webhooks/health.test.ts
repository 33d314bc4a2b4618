import { describe, expect, test } from 'vitest'
import { ok, startEndpoint, status } from './testing/endpoint.ts'
import { eventually, startHarness, type TestWorkspace } from './testing/harness.ts'

const harness = await startHarness()
const getHealth = async ({ client }: TestWorkspace) => (await client.get('/webhooks')).body.health
const healthy = { failingSince: null, consecutiveFailures: 0, nextAttemptAt: null, disabledReason: null }
const total = 60

/** Returns a workspace whose circuit is open for minutes, with most deliveries waiting for it. */
async function openCircuit(): Promise<TestWorkspace> {
  const workspace = await harness.createWorkspace(status(500))
  await harness.emit(workspace.tenantId, total)
  for (let failures = 10; ; failures++) {
    const { nextAttemptAt } = await eventually(async () => {
      const health = await getHealth(workspace)
      expect(health.consecutiveFailures).toBe(failures)
      return health
    })
    const left = Date.parse(nextAttemptAt) - harness.api.deps.clock.now().getTime()
    if (left > 2 * 60_000) return workspace
    harness.advance(left + 1)
  }
}

describe('an open circuit is closed immediately by', () => {
  test('a successful verification, and by no other', async () => {
    const workspace = await openCircuit()
    const { client, endpoint } = workspace
    const before = await getHealth(workspace)
    expect((await client.post('/webhooks/verify')).body.delivered).toBe(false)
    const other = await startEndpoint()
    expect((await client.post('/webhooks/verify', { url: other.url })).body.delivered).toBe(true)
    await other.close()
    expect(await getHealth(workspace)).toEqual(before)
    endpoint.respond = ok
    expect((await client.post('/webhooks/verify')).body.delivered).toBe(true)
    await eventually(() => expect(new Set(endpoint.ids()).size).toBe(total + 2))
    expect(await getHealth(workspace)).toMatchObject({ failingSince: null, consecutiveFailures: 0 })
  })

  test('enabled: true, although it is enabled', async () => {
    const workspace = await openCircuit()
    const { client, endpoint } = workspace
    endpoint.respond = ok
    expect((await client.patch('/webhooks', { enabled: true })).body.health.failingSince).toBeNull()
    await eventually(() => expect(new Set(endpoint.ids()).size).toBe(total))
  })

  test('a new URL', async () => {
    const { client, endpoint } = await openCircuit()
    const other = await startEndpoint()
    await client.patch('/webhooks', { url: other.url })
    await eventually(() => expect(new Set([...endpoint.ids(), ...other.ids()]).size).toBe(total))
    await other.close()
  })
})

test('health is empty before the first failure and shows the next retry after it', async () => {
  const workspace = await harness.createWorkspace(status(500))
  expect(await getHealth(workspace)).toEqual(healthy)
  await harness.emit(workspace.tenantId)
  const health = await eventually(async () => {
    const found = await getHealth(workspace)
    expect(found).toMatchObject({ consecutiveFailures: 1, nextAttemptAt: expect.any(String) })
    return found
  })
  const delay = Date.parse(health.nextAttemptAt) - Date.parse(health.failingSince)
  expect(delay).toBeGreaterThan(3_000)
  expect(delay).toBeLessThan(7_000)
  workspace.endpoint.respond = ok
  harness.advance(7_000)
  await eventually(async () => expect(await getHealth(workspace)).toEqual(healthy))
})

test('disabledReason is gone after a 410, until the webhook is enabled', async () => {
  const workspace = await harness.createWorkspace(status(410))
  await harness.emit(workspace.tenantId)
  await eventually(async () => expect((await getHealth(workspace)).disabledReason).toBe('gone'))
  expect((await getHealth(workspace)).nextAttemptAt).toBeNull()
  const { client } = workspace
  expect((await client.patch('/webhooks', { eventTypes: ['contact.created'] })).body.health).toMatchObject({
    disabledReason: 'gone',
  })
  expect((await client.patch('/webhooks', { enabled: true })).body.health.disabledReason).toBeNull()
  expect((await client.patch('/webhooks', { enabled: false })).body.health.disabledReason).toBeNull()
})
