import { expect, onTestFinished, test, vi } from 'vitest'
import { fairQueue } from './fair-queue.ts'

/** Work that ends on request; `started` lists the tenants in the order in which their work began. */
function createWork() {
  const started: string[] = []
  const endings: (() => void)[] = []
  const work = (tenantId: string) => () =>
    new Promise<void>(resolve => {
      started.push(tenantId)
      endings.push(resolve)
    })
  const settle = () => new Promise(resolve => setImmediate(resolve))
  const endFirst = async () => {
    endings.shift()!()
    await settle()
  }
  return { started, work, settle, endFirst }
}

test('a tenant gets half of the slots, and another one finds a free slot', async () => {
  const queue = fairQueue({ what: 'searches', slots: 4, share: () => 2, maxWaiting: 100 })
  const { started, work, settle, endFirst } = createWork()
  for (let n = 0; n < 50; n++) void queue.run('a', work('a'))
  await settle()
  expect(started).toEqual(['a', 'a'])
  void queue.run('b', work('b'))
  await settle()
  expect(started).toEqual(['a', 'a', 'b'])
  await endFirst()
  expect(started).toEqual(['a', 'a', 'b', 'a'])
})

test('tenants that wait take turns', async () => {
  const queue = fairQueue({ what: 'searches', slots: 2, share: () => 1, maxWaiting: 100 })
  const { started, work, settle, endFirst } = createWork()
  for (const tenantId of ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'])
    void queue.run(tenantId, work(tenantId))
  await settle()
  for (let n = 0; n < 7; n++) await endFirst()
  expect(started.join('')).toBe('abcabcabc')
})

test('failed work gives its slot back, and 429 beyond the limit of those that wait', async () => {
  const queue = fairQueue({ what: 'searches', slots: 2, share: () => 1, maxWaiting: 1 })
  const failing = queue.run('a', () => Promise.reject(new Error('no')))
  const second = queue.run('a', async () => 'done')
  await expect(queue.run('a', async () => 'refused')).rejects.toMatchObject({ kind: { status: 429 } })
  await expect(failing).rejects.toThrow('no')
  expect(await second).toBe('done')
  expect(await queue.run('a', async () => 'again')).toBe('again')
})

test('a tenant exceeds its share only after a second without others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const queue = fairQueue({
    what: 'requests',
    slots: 100,
    share: () => 2,
    shareAlone: () => 5,
    maxWaiting: 100,
  })
  const { started, work, settle, endFirst } = createWork()
  for (let n = 0; n < 20; n++) void queue.run('a', work('a'))
  await settle()
  expect(started).toHaveLength(5)
  void queue.run('b', work('b'))
  await settle()
  expect(started).toEqual(['a', 'a', 'a', 'a', 'a', 'b'])
  for (let n = 0; n < 3; n++) await endFirst()
  expect(started).toHaveLength(6)
  await endFirst()
  expect(started).toHaveLength(7)
  vi.advanceTimersByTime(1_100)
  await endFirst()
  expect(started).toHaveLength(8)
  await endFirst() // of b
  expect(started).toHaveLength(11)
})
