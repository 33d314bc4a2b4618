import { describe, expect, test } from 'vitest'
import { batched } from './batched.ts'
import type { Db } from './db.ts'

interface Item {
  owner: string
  n: number
}

/** A queue of which the test ends the batches. */
function open({ hasOwners = true, batchSize = 10, concurrency = 2 } = {}) {
  const db = { caches: new Map() } as unknown as Db
  const batches: { names: string[]; end: () => void }[] = []
  const put = batched<Item, string>(
    { batchSize, concurrency, ...(hasOwners ? { ownerOf: ({ owner }) => owner } : {}) },
    async (_db, items) => {
      const names = items.map(({ owner, n }) => `${owner}${n}`)
      await new Promise<void>(resolve => batches.push({ names, end: resolve }))
      return names
    },
  )
  /** Puts items in one tick, and lets batches start. */
  async function putAll(...names: string[]): Promise<void> {
    for (const name of names)
      void put(db, { owner: name[0]!, n: Number(name.slice(1)) }).then(done => ended.push(done))
    await turn()
  }
  async function end(batch: number): Promise<void> {
    batches[batch]!.end()
    await turn()
  }
  const ended: string[] = []
  return { putAll, end, ended, listBatches: () => batches.map(({ names }) => names.join(' ')) }
}

const turn = async () => {
  for (let n = 0; n < 3; n++) await new Promise(resolve => setImmediate(resolve))
}

describe('without owners', () => {
  test('calls of one tick share a batch, and calls during a batch wait for the next', async () => {
    const { putAll, end, ended, listBatches } = open({ hasOwners: false, concurrency: 1, batchSize: 3 })
    await putAll('a1', 'b1')
    await putAll('a2', 'b2', 'c2', 'd2')
    expect(listBatches()).toEqual(['a1 b1'])
    await end(0)
    expect(ended).toEqual(['a1', 'b1'])
    expect(listBatches()).toEqual(['a1 b1', 'a2 b2 c2'])
    await end(1)
    expect(listBatches()).toEqual(['a1 b1', 'a2 b2 c2', 'd2'])
  })
})

describe('with owners', () => {
  test('owners without a batch in flight share one', async () => {
    const { putAll, listBatches } = open()
    await putAll('a1', 'b1', 'a2')
    expect(listBatches()).toEqual(['a1 b1 a2'])
  })

  test('an owner whose batches do not end delays no one else', async () => {
    const { putAll, end, ended, listBatches } = open()
    await putAll('a1')
    await putAll('a2', 'b1')
    await putAll('a3', 'c1')
    expect(listBatches()).toEqual(['a1', 'a2', 'b1', 'c1'])
    await end(2)
    await end(3)
    expect(ended).toEqual(['b1', 'c1'])
    await end(0)
    expect(listBatches().slice(4)).toEqual(['a3'])
  })

  test('many owners share the batches of the queue', async () => {
    const { putAll, end, listBatches } = open()
    for (const owner of 'abcdefgh') await putAll(`${owner}1`)
    await putAll('i1', 'j1')
    expect(listBatches()).toHaveLength(8)
    await end(3)
    expect(listBatches().slice(8)).toEqual(['i1 j1'])
  })
})
