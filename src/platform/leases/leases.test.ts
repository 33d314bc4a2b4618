import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { type LeaseOptions, type Leases, openLeases } from './leases.ts'

const leaseMs = 800
const opened: Leases<string>[] = []
afterEach(() => {
  for (const leases of opened.splice(0)) leases.close()
})

function open(options: Partial<LeaseOptions<string>> = {}) {
  const leases = openLeases<string>({
    name: 'test',
    log: pino({ level: 'silent' }),
    leaseMs: () => leaseMs,
    minLeaseMs: leaseMs,
    renewMany: async items => items,
    renewOne: async () => true,
    onLost: () => {},
    ...options,
  })
  opened.push(leases)
  return leases
}

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

test('a claimed lease is valid and is renewed until it is released', async () => {
  const renewMany = vi.fn(async (items: readonly string[]) => items)
  const leases = open({ renewMany })
  expect(await leases.claim(async () => ['a', 'b'])).toEqual(['a', 'b'])
  await sleep(leaseMs * 3)
  expect(leases.isValid('a')).toBe(true)
  expect(renewMany).toHaveBeenCalledWith(['a', 'b'])
  leases.release('a')
  expect(leases.isValid('a')).toBe(false)
  expect([...leases.values()]).toEqual(['b'])
})

test('a lease expires when renewal fails, counted from before its claim was sent', async () => {
  const leases = open({ renewMany: () => Promise.reject(new Error('away')) })
  await leases.claim(async () => {
    await sleep(leaseMs)
    return ['slow']
  })
  expect(leases.isValid('slow')).toBe(false)
  await leases.claim(async () => ['a'])
  expect(leases.isValid('a')).toBe(true)
  await sleep(leaseMs)
  expect(leases.isValid('a')).toBe(false)
  expect(leases.has('a')).toBe(true)
})

test('a lease that the batch skipped is renewed alone; one that was taken over is lost once', async () => {
  const onLost = vi.fn()
  const leases = open({ renewMany: async () => [], renewOne: async item => item === 'locked', onLost })
  await leases.claim(async () => ['locked', 'stolen'])
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledWith('stolen'))
  await sleep(leaseMs)
  expect(onLost).toHaveBeenCalledTimes(1)
  expect(leases.isValid('locked')).toBe(true)
  expect(leases.has('stolen')).toBe(false)
  expect(await leases.extend('stolen')).toBe(false)
})

test('a lease that is not renewable expires', async () => {
  const leases = open({ isRenewable: item => item !== 'hung' })
  await leases.claim(async () => ['hung', 'fine'])
  await sleep(leaseMs * 1.5)
  expect(leases.isValid('hung')).toBe(false)
  expect(leases.isValid('fine')).toBe(true)
})
