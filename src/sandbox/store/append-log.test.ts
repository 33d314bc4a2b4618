import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { AppendLog } from './append-log.ts'
import { encodeFrame } from './frames.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await newFolder('frames')
  file = path.join(dir, 'records')
})
afterEach(() => removeFolder(dir))

async function open(): Promise<{ framed: AppendLog; records: string[]; offsets: number[] }> {
  const records: string[] = []
  const offsets: number[] = []
  const framed = await AppendLog.open(file, (record, offset) => {
    records.push(record.toString())
    offsets.push(offset)
  })
  return { framed, records, offsets }
}

async function write(...records: string[]): Promise<void> {
  const { framed } = await open()
  await Promise.all(records.map(record => framed.append(record).batch.written))
  await framed.close()
}

it('gives back what was written, in order, each record from its own offset', async () => {
  await write('one', '', 'three')
  await write('four')
  const { framed, records, offsets } = await open()
  expect(records).toEqual(['one', '', 'three', 'four'])
  expect((await framed.read(offsets[2]!)).toString()).toBe('three')
  await framed.close()
})

it('shares one write among everything appended in one turn', async () => {
  const { framed } = await open()
  const slots = ['a', 'b', 'c'].map(record => framed.append(record))
  expect(new Set(slots.map(slot => slot.batch)).size).toBe(1)
  await slots[0]!.batch.written
  const read = await Promise.all(slots.map(slot => framed.read(slot.batch.start + slot.within)))
  expect(read.map(String)).toEqual(['a', 'b', 'c'])
  await framed.close()
})

it('cuts off a torn tail and goes on after the last whole record', async () => {
  await write('one', 'two')
  const whole = (await readFile(file)).length
  for (const torn of [1, 7, 9, 12]) {
    await appendFile(file, encodeFrame('never finished').subarray(0, torn))
    const { framed, records } = await open()
    expect(records).toEqual(['one', 'two'])
    expect(framed.size).toBe(whole)
    await framed.close()
    expect((await readFile(file)).length).toBe(whole)
  }
  await write('three')
  const { framed, records } = await open()
  expect(records).toEqual(['one', 'two', 'three'])
  await framed.close()
})

it('does not trust a record whose bytes were altered', async () => {
  await write('one', 'two')
  const bytes = await readFile(file)
  bytes[bytes.length - 1]! ^= 1
  await writeFile(file, bytes)
  const { framed, records } = await open()
  expect(records).toEqual(['one'])
  await framed.close()
})

it('reads records larger than its window', async () => {
  const large = 'x'.repeat(3 << 20)
  await write('before', large, 'after')
  const { framed, records, offsets } = await open()
  expect(records.map(record => record.length)).toEqual([6, large.length, 5])
  const lengths: number[] = []
  await framed.readMany(offsets, record => lengths.push(record.length))
  expect(lengths).toEqual([6, large.length, 5])
  await framed.close()
})

it('reads many records, near and far', async () => {
  await write(...Array.from({ length: 5000 }, (_, i) => `${i}`.padEnd(i % 7 === 0 ? 2000 : 20)))
  const { framed, offsets } = await open()
  const every = offsets.filter((_, i) => i % 3 === 0)
  const read: number[] = []
  await framed.readMany(every, record => read.push(Number.parseInt(record.toString(), 10)))
  expect(read).toEqual(Array.from({ length: 1667 }, (_, i) => i * 3))
  await framed.close()
})

it('replaces everything so far at once, and keeps what is appended afterwards', async () => {
  const { framed } = await open()
  framed.append('old')
  const replaced = framed.replace(() => ['new'])
  const later = framed.append('later')
  await Promise.all([replaced, later.batch.written])
  await framed.close()
  const again = await open()
  expect(again.records).toEqual(['new', 'later'])
  await again.framed.close()
})

it('starts empty from a file that was emptied', async () => {
  await write('one')
  await truncate(file, 0)
  expect((await open()).records).toEqual([])
})
