import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { BlobNotFound, BlobStoreFull, BlobTooLarge } from './blobs.ts'
import { diskBlobs } from './disk.ts'
import { describeBlobs } from './testing/describe-blobs.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function newDirectory(): Promise<string> {
  const directory = await newFolder('blobs with spaces')
  cleanups.push(() => removeFolder(directory))
  return directory
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

describeBlobs('disk', async () => {
  const directory = await newFolder('blobs')
  return {
    blobs: diskBlobs(join(directory, 'made', 'by', 'itself')),
    stop: () => removeFolder(directory),
  }
})

describe('files', () => {
  it('are spread over directories, readable by their owner only, with nothing left in tmp', async () => {
    const directory = await newDirectory()
    const blobs = diskBlobs(directory)
    for (let n = 0; n < 40; n += 1) await blobs.put(`tn_1/mda_${n}`, Readable.from(['x']))
    const files = await filesIn(directory)
    expect(files).toHaveLength(40)
    const shards = new Set(files.map(file => file.slice(directory.length).split('/').slice(0, -1).join('/')))
    expect(shards.size).toBeGreaterThan(20)
    for (const shard of shards) expect(shard).toMatch(/^\/objects\/tn_1\/[0-9a-f]{2}$/)
    expect((await stat(files[0]!)).mode & 0o777).toBe(0o600)
    expect((await stat(join(directory, 'objects', 'tn_1'))).mode & 0o777).toBe(0o700)
  })

  it('of keys that extend one another never meet, whatever directory they fall into', async () => {
    const blobs = diskBlobs(await newDirectory())
    const keys = Array.from({ length: 300 }, (_, n) => `tn_1/mda_1/part_${n}`) // more than there are directories
    await Promise.all(keys.map(key => blobs.put(key, Readable.from([key]))))
    for (const key of keys) expect((await buffer(await blobs.get(key))).toString()).toBe(key)
  })

  it('of puts that fail are removed', async () => {
    const directory = await newDirectory()
    const blobs = diskBlobs(directory)
    const big = () => Readable.from([randomBytes(100_000), randomBytes(100_000)])
    await expect(blobs.put('tn_1/big', big(), { maxBytes: 150_000 })).rejects.toThrow(BlobTooLarge)
    const aborted = new PassThrough()
    const putting = blobs.put('tn_1/aborted', aborted)
    aborted.write(randomBytes(100_000))
    await eventually(async () => expect(await filesIn(directory)).toHaveLength(1))
    aborted.destroy()
    await expect(putting).rejects.toThrow()
    await expect(blobs.put('tn_1/../../escape', big())).rejects.toThrow()
    expect(await filesIn(directory)).toEqual([])
  })

  it('left in tmp for more than an hour are swept at start, younger ones kept', async () => {
    const directory = await newDirectory()
    await mkdir(join(directory, 'tmp'))
    for (const [name, minutes] of [
      ['old', 61],
      ['young', 59],
    ] as const) {
      const path = join(directory, 'tmp', name)
      await writeFile(path, 'half')
      const then = new Date(Date.now() - minutes * 60_000)
      await utimes(path, then, then)
    }
    const blobs = diskBlobs(directory)
    await blobs.put('tn_1/x', Readable.from(['x']))
    expect(await readdir(join(directory, 'tmp'))).toEqual(['young'])
  })

  it('in a directory that cannot be made are a plain error', async () => {
    const directory = await newDirectory()
    await writeFile(join(directory, 'file'), '')
    const blobs = diskBlobs(join(directory, 'file', 'blobs'))
    await expect(blobs.put('tn_1/x', Readable.from(['x']))).rejects.toThrow('ENOTDIR')
  })
})

const root = process.cwd()
const disk = pathToFileURL(join(import.meta.dirname, 'disk.ts')).href

/** Runs a script with `diskBlobs` in a process of its own. */
function script(body: string): string[] {
  const code = `import { diskBlobs } from ${JSON.stringify(disk)}; import { Readable } from 'node:stream'; ${body}`
  return ['--import', 'tsx', '--input-type=module', '--eval', code]
}

describe('a process', () => {
  it('killed in the middle of a put leaves no visible blob', async () => {
    const directory = await newDirectory()
    const body = `
      let n = 0
      const slow = new Readable({ read() { setTimeout(() => this.push(Buffer.alloc(65536, n++)), 5) } })
      await diskBlobs(${JSON.stringify(directory)}).put('tn_1/half', slow)`
    const child = spawn(process.execPath, script(body), {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const ended = new Promise(resolve => child.once('exit', (_code, signal) => resolve(signal)))
    const draft = () => filesIn(directory).then(files => files[0] ?? '')
    await eventually(async () => expect((await stat(await draft())).size).toBeGreaterThan(500_000))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')

    const left = await filesIn(directory)
    expect(left).toHaveLength(1)
    expect(left[0]).toContain(join(directory, 'tmp'))
    const blobs = diskBlobs(directory)
    expect(await blobs.stat('tn_1/half')).toBeNull()
    await expect(blobs.get('tn_1/half')).rejects.toThrow(BlobNotFound)
    await blobs.put('tn_1/half', Readable.from(['whole']))
    expect((await buffer(await blobs.get('tn_1/half'))).toString()).toBe('whole')
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
    await utimes(left[0]!, longAgo, longAgo)
    await diskBlobs(directory).put('tn_1/other', Readable.from(['x']))
    expect(await readdir(join(directory, 'tmp'))).toEqual([])
  })

  it('storing ten blobs of 50 MB concurrently keeps memory flat', async () => {
    const directory = await newDirectory()
    const body = `
      const block = Buffer.alloc(65536, 'x')
      const source = () => {
        let left = 800
        return new Readable({ read() { this.push(left-- > 0 ? block : null) } })
      }
      const blobs = diskBlobs(${JSON.stringify(directory)})
      await blobs.put('tn_1/warm', source())
      const before = process.memoryUsage.rss()
      let most = before
      const timer = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()) }, 10)
      const keys = Array.from({ length: 10 }, (_, n) => 'tn_1/big_' + n)
      const stored = await Promise.all(keys.map(key => blobs.put(key, source())))
      await Promise.all(keys.map(async key => { for await (const _ of await blobs.get(key)); }))
      clearInterval(timer)
      console.log(JSON.stringify({ grown: Math.max(most, process.memoryUsage.rss()) - before, sizes: stored.map(s => s.size) }))`
    const output = execFileSync(process.execPath, script(body), { cwd: root, encoding: 'utf8' })
    const { grown, sizes } = JSON.parse(output)
    expect(sizes).toEqual(Array(10).fill(800 * 65_536))
    expect(grown).toBeLessThan(80 * 2 ** 20)
  })
})

describe('a full disk', () => {
  const body = (directory: string) => `
    const blobs = diskBlobs(${JSON.stringify(directory)})
    await blobs.put('tn_1/small', Readable.from(['fits']))
    const block = Buffer.alloc(65536)
    const big = Readable.from((function* () { for (let n = 0; n < 200; n += 1) yield block })())
    const error = await blobs.put('tn_1/big', big).then(() => null, error => error)
    const { readdirSync } = await import('node:fs')
    console.log(JSON.stringify({
      name: error?.name, code: error?.cause?.code, left: readdirSync(${JSON.stringify(join(directory, 'tmp'))}),
      small: await blobs.stat('tn_1/small'), big: await blobs.stat('tn_1/big'),
    }))`
  const outcome = { name: BlobStoreFull.name, left: [], small: { size: 4 }, big: null }
  const run = (command: string, directory: string) => {
    const parts = ['-c', command, 'sh', directory, process.execPath, ...script(body(directory))]
    return JSON.parse(execFileSync('sh', parts, { cwd: root, encoding: 'utf8' }))
  }

  it('by a limit on file sizes is a typed error, and the draft is removed', async () => {
    const directory = await newDirectory()
    const result = run(`trap '' XFSZ; shift; ulimit -f 2000; exec "$@"`, directory)
    expect(result).toEqual({ ...outcome, code: 'EFBIG' })
  })

  it('by a small file system is a typed error, and the draft is removed', async context => {
    const mount = `mount -t tmpfs -o size=2m none "$1"`
    const directory = await newDirectory()
    try {
      execFileSync('sh', ['-c', `unshare -rm sh -c '${mount}' sh "$1"`, 'sh', directory], { stdio: 'ignore' })
    } catch {
      context.skip('this machine lets nobody mount a small file system')
    }
    const result = run(`exec unshare -rm sh -c '${mount}; shift; exec "$@"' sh "$@"`, directory)
    expect(result).toEqual({ ...outcome, code: 'ENOSPC' })
  })
})
