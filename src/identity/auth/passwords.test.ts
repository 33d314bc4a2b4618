/** Hashing is bounded: what is too much is turned away, and nobody is forgotten. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createConcurrencyLimit, hashPassword, verifyPassword } from './passwords.ts'

test('matches what was hashed, in any form of its characters, and nothing when there is no hash', async () => {
  const hash = await hashPassword('Pässwörd ﬁne')
  expect(await verifyPassword(hash, 'Pässwörd ﬁne'.normalize('NFD'))).toBe(true)
  expect(await verifyPassword(hash, 'pässwörd ﬁne')).toBe(false)
  expect(await verifyPassword(null, 'no account has this password')).toBe(false)
})

test('two run concurrently, a limited number waits, further ones get 503; a failure frees its slot', async () => {
  const inTurn = createConcurrencyLimit(2, 20)
  let [running, most] = [0, 0]
  const order: number[] = []
  const work = (i: number) => async () => {
    most = Math.max(most, ++running)
    order.push(i)
    await sleep(Math.random() * 3)
    running--
    if (i % 5 === 0) throw new Error('failed')
    // A new call at the moment a slot is free does not overtake queued calls.
    if (i < 20) void inTurn(work(i + 100)).catch(() => {})
  }
  const all = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => inTurn(work(i))))
  const turnedAway = all.flatMap(one => (one.status === 'rejected' && one.reason.kind ? [one.reason] : []))
  expect(turnedAway).toHaveLength(8)
  expect(turnedAway[0]).toMatchObject({ kind: { status: 503 }, extras: { headers: { 'retry-after': '5' } } })
  expect(most).toBe(2)
  expect(order.filter(i => i < 100)).toEqual(Array.from({ length: 22 }, (_, i) => i))
  while (running > 0) await sleep(1)
  expect(await inTurn(async () => 'still here')).toBe('still here')
})
