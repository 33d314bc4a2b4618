import { expect, test } from 'vitest'
import { testDeps } from '../../../test/harness/deps.ts'
import { withFairShare } from './fair-share.ts'

const { deps } = await testDeps()

test('one at a time; workspaces take turns, and within one those who came first', async () => {
  const order: string[] = []
  let atOnce = 0
  const turn = (tenantId: string, name: string) =>
    withFairShare(deps.db, tenantId, 1_000, async room => {
      expect([++atOnce, room > 0]).toEqual([1, true])
      await new Promise(resolve => setTimeout(resolve, 5))
      atOnce--
      order.push(name)
      return { messages: 0 }
    })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(name => turn(name[0]!, name))
  await Promise.all(all)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('one that fails does not hold up the others', async () => {
  const failing = withFairShare(deps.db, 'a', 1_000, () => Promise.reject(new Error('no')))
  const next = withFairShare(deps.db, 'a', 1_000, async () => ({ messages: 0 }))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toEqual({ messages: 0 })
})
