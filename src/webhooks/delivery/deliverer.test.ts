/** Several deliverers on one database, one that stops, and one that stops responding. */
import { Pool } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'
import { ok, type ReceivedCall } from '../testing/endpoint.ts'
import { eventually, startHarness } from '../testing/harness.ts'
import { type Deliverer, type DelivererOptions, startDeliverer } from './deliverer.ts'

const harness = await startHarness({ delivering: false })
const { deps, connection } = harness.api
const started = new Set<Deliverer>()
afterEach(async () => {
  await Promise.all([...started].map(deliverer => deliverer.stop(0)))
  started.clear()
})

function start(options: Partial<DelivererOptions> = {}): Deliverer {
  const deliverer = startDeliverer(deps, { connection, ...options })
  started.add(deliverer)
  return deliverer
}

async function stop(deliverer: Deliverer, graceMs: number): Promise<void> {
  started.delete(deliverer)
  await deliverer.stop(graceMs)
}

const hang = () => {}

test('three deliverers deliver each event once', async () => {
  const workspaces = await Promise.all(Array.from({ length: 5 }, () => harness.createWorkspace()))
  for (const { tenantId } of workspaces) await harness.emit(tenantId, 20)
  for (let n = 0; n < 3; n++) start({ pollMs: 50 })
  for (let n = 0; n < 10; n++) for (const { tenantId } of workspaces) await harness.emit(tenantId, 3)
  await eventually(() => {
    for (const { endpoint } of workspaces) expect(new Set(endpoint.ids()).size).toBe(50)
  })
  for (const { endpoint, client } of workspaces) {
    expect(endpoint.received).toHaveLength(50)
    await eventually(async () => expect(await harness.attempts(client, '?limit=100')).toHaveLength(50))
  }
})

test('stop waits for calls within the grace period', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(response =>
    setTimeout(() => response.end(), 400),
  )
  const deliverer = start()
  await harness.emit(tenantId, 2)
  await eventually(() => expect(endpoint.received).toHaveLength(2))
  await stop(deliverer, 5_000)
  expect(await harness.attempts(client)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
})

test('longer calls are aborted, logged as interrupted, and retried immediately by the next deliverer', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(hang)
  const first = start()
  await harness.emit(tenantId, 5)
  await eventually(() => expect(endpoint.received.length).toBeGreaterThan(0))
  await stop(first, 50)
  const aborted = await harness.attempts(client)
  const sent = aborted.length
  expect(aborted.map(item => item.eventId)).toEqual(expect.arrayContaining(endpoint.ids()))
  for (const attempt of aborted)
    expect(attempt).toMatchObject({
      status: 'failed',
      errorText: 'interrupted',
      attemptNumber: 1,
      responseStatus: null,
    })
  expect(await harness.pending(tenantId)).toBe(5)
  endpoint.respond = ok
  start()
  await eventually(() => expect(new Set(endpoint.ids()).size).toBe(5))
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  const repeated = await harness.attempts(client, '?status=succeeded')
  expect(repeated.map(item => item.attemptNumber).sort()).toEqual([
    ...Array(5 - sent).fill(1),
    ...Array(sent).fill(2),
  ])
})

test('an expired lease is taken over; completions of the former owner are ignored', async () => {
  const answers: (() => void)[] = []
  const { tenantId, client, endpoint } = await harness.createWorkspace(response =>
    answers.push(() => response.end()),
  )
  const silent = start({ leaseMs: 600_000 })
  await harness.emit(tenantId)
  await eventually(() => expect(endpoint.received).toHaveLength(1))
  await deps.db.run(sql`update webhook_endpoint_state set leased_until = now() where tenant_id = ${tenantId}`)
  start({ pollMs: 50 })
  await eventually(() => expect(endpoint.received).toHaveLength(2))
  answers[0]!()
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await harness.attempts(client)).toMatchObject([{ attemptNumber: 1, errorText: 'interrupted' }])
  answers[1]!()
  await eventually(async () =>
    expect(await harness.attempts(client)).toMatchObject([
      { attemptNumber: 2, status: 'succeeded' },
      { attemptNumber: 1, errorText: 'interrupted' },
    ]),
  )
  expect(await harness.pending(tenantId)).toBe(0)
  expect(endpoint.received[1]).toMatchObject({
    id: endpoint.received[0]!.id,
    body: endpoint.received[0]!.body,
  })
  await stop(silent, 0)
})

test('interrupted attempts do not count as failures', async () => {
  const { tenantId, client, endpoint } = await harness.createWorkspace(hang)
  await harness.emit(tenantId)
  for (let n = 1; n <= 12; n++) {
    const deliverer = start()
    await eventually(() => expect(endpoint.received).toHaveLength(n))
    await stop(deliverer, 0)
  }
  endpoint.respond = ok
  start()
  await eventually(async () =>
    expect(await harness.attempts(client, '?status=succeeded')).toMatchObject([{ attemptNumber: 13 }]),
  )
})

test('a delivery without its event is dropped and does not block others', async () => {
  const { tenantId, endpoint } = await harness.createWorkspace()
  await harness.emit(tenantId, 3)
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(3))
  await deps.db.run(sql`delete from event_log where tenant_id = ${tenantId} and public_seq = 2`)
  start()
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  expect(endpoint.received.map(item => item.event.sequence).sort()).toEqual([1, 3])
})

/** Moves the waiting deliveries to where failed ones and those for an open circuit wait. */
const moveToBacklog = (tenantId: string) =>
  deps.db.run(sql`
    with moved as (delete from webhook_deliveries where tenant_id = ${tenantId} returning *)
    insert into webhook_backlog select * from moved`)

/** Measures the CPU time and the duration of the work, in milliseconds. */
async function measure(work: () => Promise<unknown>): Promise<{ cpuMs: number; ms: number }> {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, ms: performance.now() - startedAt }
}

/** Posts the same call again and again over as many connections as a delivery uses. */
async function postRepeatedly(url: string, { headers, body }: ReceivedCall, count: number): Promise<void> {
  const pool = new Pool(new URL(url).origin, { connections: 16 })
  const { host: _, connection: __, ...sent } = headers
  let left = count
  const post = async () => {
    while (left-- > 0) {
      const response = await pool.request({
        method: 'POST',
        path: new URL(url).pathname,
        headers: sent,
        body,
      })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: 16 }, post))
  await pool.close()
}

test('a backlog drains at the speed of the endpoint, in batches and without waiting for the poll', async () => {
  const count = 3_000
  const { tenantId, endpoint } = await harness.createWorkspace()
  await harness.emit(tenantId, count)
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(count))
  await moveToBacklog(tenantId)
  const delivery = await measure(async () => {
    start({ pollMs: 600_000 })
    await eventually(() => expect(endpoint.received.length).toBe(count))
  })
  expect(new Set(endpoint.ids()).size).toBe(count)
  await eventually(async () => expect(await harness.pending(tenantId)).toBe(0))
  const { claims } = await deps.db.one<{ claims: number }>(
    sql`select count(distinct attempted_at) as claims from webhook_attempts where tenant_id = ${tenantId}`,
  )
  // A loop that only posts shows what the endpoint and this machine can do at the moment.
  const bare = await measure(() => postRepeatedly(endpoint.url, endpoint.received[0]!, count))
  const figures = JSON.stringify({ delivery, bare, claims })
  expect(claims, figures).toBeLessThan(count / 8)
  // On a busy machine the two loops do not get the same share of it.
  expect(delivery.cpuMs / bare.cpuMs, figures).toBeLessThan(within(5))
  expect(delivery.ms / bare.ms, figures).toBeLessThan(within(8))
})
