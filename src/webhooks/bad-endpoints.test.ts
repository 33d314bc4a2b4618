/** Ten workspaces: one receiver hangs, one answers 500, one closes the socket, one sends a gigabyte; six are fine. */
import { expect, test } from 'vitest'
import { within } from '../../test/harness/wait.ts'
import { transact } from '../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { type Responder, status } from './testing/endpoint.ts'
import { eventually, startHarness, type TestWorkspace, types } from './testing/harness.ts'

const rig = await startHarness()
const { db } = rig.api.deps
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

/** Some events for everybody, steadily; gives how long after its commit each came to those who are fine. */
async function play(everybody: TestWorkspace[], good: TestWorkspace[]): Promise<number[]> {
  const committed = new Map<string, number>()
  const before = good.map(({ endpoint: receiver }) => receiver.received.length)
  for (let n = 0; n < rounds; n++) {
    await Promise.all(
      everybody.map(async ({ tenantId }) => {
        const contact = { mark: `${tenantId} ${n}` }
        await transact(db, tx =>
          emitMany(tx, [pendingEvent(types['contact.created'], { tenantId, data: { contact } })]),
        )
        committed.set(contact.mark, Date.now())
      }),
    )
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  const news = () => good.map(({ endpoint: receiver }, n) => receiver.received.slice(before[n]))
  await eventually(() => {
    for (const received of news()) expect(received).toHaveLength(rounds)
  })
  for (const received of news()) expect(new Set(received.map(one => one.id)).size).toBe(rounds)
  return news().flatMap(received =>
    received.map(({ at, event }) => at - committed.get(event.data.contact.mark)!),
  )
}

test('the other six get every event soon, and memory stays flat', async () => {
  const good = await Promise.all(Array.from({ length: 6 }, () => rig.createWorkspace()))
  const alone = median(await play(good, good))
  const bad = await Promise.all(
    [hang, status(500), closeSocket, gigabyte].map(answer => rig.createWorkspace(answer)),
  )
  const memory = () => process.memoryUsage().rss / 1e6
  const before = memory()
  const beside = median(await play([...good, ...bad], good))
  // On a machine that is busy with other things, the bad ones at least change nothing much.
  expect(beside, `${alone} ms without the bad ones`).toBeLessThan(Math.max(within(100), 2 * alone))
  expect(memory() - before, 'megabytes').toBeLessThan(150)
  const [hanging, failing, closing, huge] = bad
  expect(hanging!.endpoint.received.length).toBeLessThanOrEqual(4)
  expect(failing!.endpoint.received.length).toBeLessThan(40)
  expect(closing!.endpoint.received.length).toBeLessThan(80)
  await eventually(() => expect(new Set(huge!.endpoint.ids()).size).toBe(rounds))
  expect(sentBack / rounds, 'bytes written of a gigabyte').toBeLessThan(16 << 20)
  await eventually(async () => expect(await rig.attempts(huge!.client, '?limit=100')).toHaveLength(rounds))
  const [one] = await rig.attempts(huge!.client)
  expect(one).toMatchObject({ status: 'succeeded' })
  expect(one.responseBody).toHaveLength(16 * 1024)
  expect(rig.stats().calls).toBeLessThan(20)
})
