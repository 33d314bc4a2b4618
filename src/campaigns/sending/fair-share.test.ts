import { expect, test } from 'vitest'
import { testDeps } from '../../../test/harness/deps.ts'
import { withFairShare } from './fair-share.ts'

const { deps } = await testDeps()

test('batches run one at a time, round robin between workspaces and in order within one', async () => {
  const order: string[] = []
  let running = 0
  const run = (tenantId: string, name: string) =>
    withFairShare(deps, tenantId, 1_000, async maxMessages => {
      expect([++running, maxMessages > 0]).toEqual([1, true])
      await new Promise(resolve => setTimeout(resolve, 5))
      running--
      order.push(name)
      return { messages: 0 }
    })
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(name => run(name[0]!, name))
  await Promise.all(all)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a failing batch does not block the next one', async () => {
  const failing = withFairShare(deps, 'a', 1_000, () => Promise.reject(new Error('no')))
  const next = withFairShare(deps, 'a', 1_000, async () => ({ messages: 0 }))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toEqual({ messages: 0 })
})
