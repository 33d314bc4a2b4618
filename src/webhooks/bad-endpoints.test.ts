/** Ten workspaces: one endpoint hangs, one responds 500, one closes the socket, one sends a gigabyte; six succeed. */
import { expect, test } from 'vitest'
import { within } from '../../test/harness/wait.ts'
import { transact } from '../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { type Responder, status } from './testing/endpoint.ts'
import { eventually, startHarness, type TestWorkspace, types } from './testing/harness.ts'

const harness = await startHarness()
const { db } = harness.api.deps
const megabyte = Buffer.alloc(1 << 20)
let sentBack = 0

const hang: Responder = () => {}
const closeSocket: Responder = (_response, _received, request) => request.socket.destroy()
const gigabyte: Responder = response => {
  let left = 1024
  const more = () => {
    while (left-- > 0 && !response.destroyed) {
      sentBack += megabyte.length
      if (!response.write(megabyte)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

const rounds = 40
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Emits events for all workspaces and returns the latencies of the good endpoints. */
async function emitAndMeasure(all: TestWorkspace[], good: TestWorkspace[]): Promise<number[]> {
  const committed = new Map<string, number>()
  const before = good.map(({ endpoint }) => endpoint.received.length)
  for (let n = 0; n < rounds; n++) {
    await Promise.all(
      all.map(async ({ tenantId }) => {
        const contact = { label: `${tenantId} ${n}` }
        await transact(db, tx =>
          emitMany(tx, [pendingEvent(types['contact.created'], { tenantId, data: { contact } })]),
        )
        committed.set(contact.label, Date.now())
      }),
    )
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  const received = () => good.map(({ endpoint }, n) => endpoint.received.slice(before[n]))
  await eventually(() => {
    for (const calls of received()) expect(calls).toHaveLength(rounds)
  })
  for (const calls of received()) expect(new Set(calls.map(call => call.id)).size).toBe(rounds)
  return received().flatMap(calls =>
    calls.map(({ receivedAt, event }) => receivedAt - committed.get(event.data.contact.label)!),
  )
}

test('four bad endpoints neither delay six good ones nor use much memory', async () => {
  const good = await Promise.all(Array.from({ length: 6 }, () => harness.createWorkspace()))
  const alone = median(await emitAndMeasure(good, good))
  const bad = await Promise.all(
    [hang, status(500), closeSocket, gigabyte].map(respond => harness.createWorkspace(respond)),
  )
  const memory = () => process.memoryUsage().rss / 1e6
  const before = memory()
  const beside = median(await emitAndMeasure([...good, ...bad], good))
  // On a busy machine, compare with the latency without bad endpoints.
  expect(beside, `${alone} ms without bad endpoints`).toBeLessThan(Math.max(within(100), 2 * alone))
  expect(memory() - before, 'megabytes').toBeLessThan(150)
  const [hanging, failing, closing, huge] = bad
  expect(hanging!.endpoint.received.length).toBeLessThanOrEqual(4)
  expect(failing!.endpoint.received.length).toBeLessThan(40)
  expect(closing!.endpoint.received.length).toBeLessThan(80)
  await eventually(() => expect(new Set(huge!.endpoint.ids()).size).toBe(rounds))
  expect(sentBack / rounds, 'bytes written of a gigabyte').toBeLessThan(16 << 20)
  await eventually(async () =>
    expect(await harness.attempts(huge!.client, '?limit=100')).toHaveLength(rounds),
  )
  const [attempt] = await harness.attempts(huge!.client)
  expect(attempt).toMatchObject({ status: 'succeeded' })
  expect(attempt.responseBody).toHaveLength(16 * 1024)
  expect(harness.stats().calls).toBeLessThan(20)
})
