import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { AppendLog, encodeFrame } from './append-log.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await newFolder('append-log')
  file = path.join(dir, 'records')
})
afterEach(() => removeFolder(dir))

async function open(): Promise<{ log: AppendLog; records: string[]; offsets: number[] }> {
  const records: string[] = []
  const offsets: number[] = []
  const log = await AppendLog.open(file, (record, offset) => {
    records.push(record.toString())
    offsets.push(offset)
  })
  return { log, records, offsets }
}

async function write(...records: string[]): Promise<void> {
  const { log } = await open()
  await Promise.all(records.map(record => log.append(record).batch.written))
  await log.close()
}

it('returns records in order and by offset', async () => {
  await write('one', '', 'three')
  await write('four')
  const { log, records, offsets } = await open()
  expect(records).toEqual(['one', '', 'three', 'four'])
  expect((await log.read(offsets[2]!)).toString()).toBe('three')
  await log.close()
})

it('writes all records of one turn together', async () => {
  const { log } = await open()
  const appends = ['a', 'b', 'c'].map(record => log.append(record))
  expect(new Set(appends.map(append => append.batch)).size).toBe(1)
  await appends[0]!.batch.written
  const read = await Promise.all(appends.map(append => log.read(append.batch.start + append.offsetInBatch)))
  expect(read.map(String)).toEqual(['a', 'b', 'c'])
  await log.close()
})

it('truncates a torn tail and continues after the last complete record', async () => {
  await write('one', 'two')
  const length = (await readFile(file)).length
  for (const torn of [1, 7, 9, 12]) {
    await appendFile(file, encodeFrame('never finished').subarray(0, torn))
    const { log, records } = await open()
    expect(records).toEqual(['one', 'two'])
    expect(log.size).toBe(length)
    await log.close()
    expect((await readFile(file)).length).toBe(length)
  }
  await write('three')
  const { log, records } = await open()
  expect(records).toEqual(['one', 'two', 'three'])
  await log.close()
})

it('ignores a record with a wrong checksum', async () => {
  await write('one', 'two')
  const bytes = await readFile(file)
  bytes[bytes.length - 1]! ^= 1
  await writeFile(file, bytes)
  const { log, records } = await open()
  expect(records).toEqual(['one'])
  await log.close()
})

it('reads records larger than the read buffer', async () => {
  const large = 'x'.repeat(3 << 20)
  await write('before', large, 'after')
  const { log, records, offsets } = await open()
  expect(records.map(record => record.length)).toEqual([6, large.length, 5])
  const lengths: number[] = []
  await log.readMany(offsets, record => lengths.push(record.length))
  expect(lengths).toEqual([6, large.length, 5])
  await log.close()
})

it('reads many records, adjacent and distant', async () => {
  await write(...Array.from({ length: 5000 }, (_, i) => `${i}`.padEnd(i % 7 === 0 ? 2000 : 20)))
  const { log, offsets } = await open()
  const every = offsets.filter((_, i) => i % 3 === 0)
  const read: number[] = []
  await log.readMany(every, record => read.push(Number.parseInt(record.toString(), 10)))
  expect(read).toEqual(Array.from({ length: 1667 }, (_, i) => i * 3))
  await log.close()
})

it('replaces all records atomically and keeps records appended afterwards', async () => {
  const { log } = await open()
  log.append('old')
  const replaced = log.replace(() => ['new'])
  const later = log.append('later')
  await Promise.all([replaced, later.batch.written])
  await log.close()
  const again = await open()
  expect(again.records).toEqual(['new', 'later'])
  await again.log.close()
})

it('opens a truncated file as empty', async () => {
  await write('one')
  await truncate(file, 0)
  expect((await open()).records).toEqual([])
})

it('refuses records once it is closing, also while the last ones are written and synced', async () => {
  const { log } = await open()
  const before = log.append('before')
  const closing = log.close()
  const during = log.append('during')
  await expect(during.batch.written).rejects.toThrow('is closed')
  await before.batch.written
  await closing
  await expect(log.append('after').batch.written).rejects.toThrow('is closed')
  await expect(log.replace(() => [])).rejects.toThrow('is closed')
  const { log: again, records } = await open()
  expect(records).toEqual(['before'])
  await again.close()
})
