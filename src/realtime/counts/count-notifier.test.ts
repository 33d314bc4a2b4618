import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import type { Socket } from '../workspace-stream.ts'
import { createUnreadNotifier } from './count-notifier.ts'

function socketOf(id: string, tenantId = 'ten_1') {
  const received: number[] = []
  const ws = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (frame: string) => received.push(JSON.parse(frame).data.count),
  }
  const caller = { kind: 'user', tenantId, id }
  return { received, socket: { ws, caller, token: '', alive: true } as unknown as Socket }
}

test('many changes for many users: few counts run concurrently, and every user receives the last one', async () => {
  let [now, concurrent, most, counts] = [0, 0, 0, 0]
  const count = async () => {
    counts++
    most = Math.max(most, ++concurrent)
    const seen = now
    await sleep(5)
    concurrent--
    return { count: seen }
  }
  const schedule = createUnreadNotifier({ log: createLog('silent'), clock: systemClock }, count)
  // Each with two windows.
  const people = Array.from({ length: 20 }, (_, n) => [socketOf(`usr_${n}`), socketOf(`usr_${n}`)]).flat()
  for (now = 1; now <= 50; now++) {
    for (const { socket } of people) schedule(socket)
    await sleep(4)
  }
  now = 1_000
  for (const { socket } of people) schedule(socket)
  await expect.poll(() => people.every(({ received }) => received.at(-1) === 1_000)).toBe(true)
  expect(most).toBeLessThanOrEqual(4)
  expect(counts).toBeLessThan(20 * 20)
})

test('counts of a workspace that never end do not keep the others from theirs', async () => {
  const count = ({ tenantId }: { tenantId: string }) =>
    tenantId === 'ten_slow' ? new Promise<object>(() => {}) : Promise.resolve({ count: 3 })
  const schedule = createUnreadNotifier({ log: createLog('silent'), clock: systemClock }, count)
  for (let n = 0; n < 20; n++) schedule(socketOf(`usr_${n}`, 'ten_slow').socket)
  await sleep(100)
  const other = socketOf('usr_other', 'ten_other')
  schedule(other.socket)
  await expect.poll(() => other.received).toEqual([3])
})

test('a count that fails is tried again, also when nothing else happens', async () => {
  let broken = true
  const count = () => (broken ? Promise.reject(new Error('gone')) : Promise.resolve({ count: 7 }))
  const schedule = createUnreadNotifier({ log: createLog('silent'), clock: systemClock }, count)
  const [one, other] = [socketOf('usr_1'), socketOf('usr_1')]
  schedule(one.socket)
  schedule(other.socket)
  await sleep(200)
  broken = false
  await expect.poll(() => [one.received, other.received]).toEqual([[7], [7]])
})
