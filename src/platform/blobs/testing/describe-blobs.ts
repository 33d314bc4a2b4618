// Tests that every blob store must pass. A store runs them with `describeBlobs('name', factory)`.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BlobNotFound, type Blobs, BlobTooLarge, InvalidBlobKey, InvalidBlobRange } from '../blobs.ts'

export interface BlobsUnderTest {
  blobs: Blobs
  stop(): Promise<void>
}

/** Known defects of the server behind a store: their tests are skipped and say so. */
export interface ServerDefects {
  /** Readers and other writers of the same key see a mixture of bytes. */
  writesInPlace?: boolean
  takesEndZeroForNone?: boolean
}

export function describeBlobs(
  name: string,
  factory: () => Promise<BlobsUnderTest>,
  defects: ServerDefects = {},
): void {
  let blobs: Blobs
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ blobs, stop } = await factory())
  })
  afterAll(() => stop())
  const store = () => blobs

  describe(`${name} blobs`, () => {
    writingTests(store, defects)
    failureTests(store)
    readingTests(store, defects)
    keyTests(store)
  })
}

type Store = () => Blobs

const newKey = () => `tn_1/mda_${randomUUID()}`
const read = async (blobs: Blobs, key: string, range?: { start: number; end: number }) =>
  buffer(await blobs.get(key, range))
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))

function writingTests(store: Store, { writesInPlace = false }: ServerDefects): void {
  it.each([0, 1, 1000, 65_536, 3_000_001])('keeps %i bytes exactly and returns size and hash', async size => {
    const [key, bytes] = [newKey(), randomBytes(size)]
    const stored = await store().put(key, Readable.from(pieces(bytes, 10_007)))
    expect(stored).toEqual({ size, sha256: sha256(bytes) })
    expect(await store().stat(key)).toEqual({ size })
    expect((await read(store(), key)).equals(bytes)).toBe(true)
  })

  it('takes text chunks as UTF-8', async () => {
    const key = newKey()
    expect(await store().put(key, Readable.from(['grü', 'ße']))).toMatchObject({ size: 7 })
    expect((await read(store(), key)).toString()).toBe('grüße')
  })

  it.skipIf(writesInPlace)(
    'replaces a blob atomically: every reader sees all of the old or all of the new bytes',
    async () => {
      const key = newKey()
      const [old, fresh] = [Buffer.alloc(500_000, 'o'), Buffer.alloc(400_000, 'n')]
      await store().put(key, Readable.from([old]))
      const before = await store().get(key)
      const source = new PassThrough()
      const putting = store().put(key, source)
      source.write(fresh.subarray(0, 100_000))
      expect((await read(store(), key)).equals(old)).toBe(true)
      source.end(fresh.subarray(100_000))
      const seen = await Promise.all(Array.from({ length: 10 }, () => read(store(), key)))
      for (const bytes of seen) expect(bytes.equals(old) || bytes.equals(fresh)).toBe(true)
      await putting
      expect((await read(store(), key)).equals(fresh)).toBe(true)
      expect((await buffer(before)).equals(old)).toBe(true)
    },
  )

  it.skipIf(writesInPlace)('takes twenty writers of one key, one of whom wins whole', async () => {
    const key = newKey()
    const contents = Array.from({ length: 20 }, (_, n) => Buffer.alloc(50_000 + n, n))
    await Promise.all(contents.map(bytes => store().put(key, Readable.from(pieces(bytes, 9000)))))
    const kept = await read(store(), key)
    expect(contents.some(bytes => bytes.equals(kept))).toBe(true)
  })
}

function failureTests(store: Store): void {
  it('accepts exactly maxBytes and refuses one more', async () => {
    const [fits, over] = [newKey(), newKey()]
    await store().put(fits, Readable.from([Buffer.alloc(600), Buffer.alloc(400)]), { maxBytes: 1000 })
    expect(await store().stat(fits)).toEqual({ size: 1000 })
    const source = Readable.from([Buffer.alloc(600), Buffer.alloc(401)])
    await expect(store().put(over, source, { maxBytes: 1000 })).rejects.toThrow(BlobTooLarge)
    expect(await store().stat(over)).toBeNull()
    expect(source.destroyed).toBe(true)
  })

  it('stops reading an endless source once it is over maxBytes', async () => {
    let given = 0
    const endless = new Readable({
      read() {
        given += 65_536
        this.push(Buffer.alloc(65_536))
      },
    })
    await expect(store().put(newKey(), endless, { maxBytes: 1_000_000 })).rejects.toThrow(BlobTooLarge)
    expect(given).toBeLessThan(20_000_000)
    expect(endless.destroyed).toBe(true)
  })

  it('leaves nothing of a source that fails, and the old blob where there was one', async () => {
    const failing = () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(100_000)
          throw new Error('line dropped')
        })(),
      )
    const [fresh, existing] = [newKey(), newKey()]
    await store().put(existing, Readable.from(['kept']))
    await expect(store().put(fresh, failing())).rejects.toThrow('line dropped')
    await expect(store().put(existing, failing())).rejects.toThrow('line dropped')
    expect(await store().stat(fresh)).toBeNull()
    expect((await read(store(), existing)).toString()).toBe('kept')
  })

  it('leaves nothing of a source that is destroyed before, while or without being read', async () => {
    const gone = new PassThrough()
    gone.destroy()
    const broken = new PassThrough()
    broken.destroy(new Error('broken before'))
    broken.on('error', () => {})
    const aborted = new PassThrough()
    aborted.write('some')
    setTimeout(() => aborted.destroy(), 30)
    for (const source of [gone, broken, aborted]) {
      const key = newKey()
      await expect(store().put(key, source)).rejects.toThrow()
      expect(await store().stat(key)).toBeNull()
    }
  })

  it('survives a source that fails in the same moment', async () => {
    const source = new PassThrough()
    const putting = store().put(newKey(), source)
    source.destroy(new Error('source failed'))
    await expect(putting).rejects.toThrow('source failed')
  })
}

function readingTests(store: Store, { takesEndZeroForNone = false }: ServerDefects): void {
  it('reads ranges, both ends counted', async () => {
    const key = newKey()
    await store().put(key, Readable.from(['0123456789']))
    const part = async (start: number, end: number) => (await read(store(), key, { start, end })).toString()
    if (!takesEndZeroForNone) expect(await part(0, 0)).toBe('0')
    expect(await part(0, 9)).toBe('0123456789')
    expect(await part(3, 5)).toBe('345')
    expect(await part(9, 9)).toBe('9')
    expect(await part(5, 1000)).toBe('56789')
  })

  it.each([
    [10, 10],
    [5, 4],
    [-1, 3],
    [0.5, 3],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
  ])('refuses the range %d to %d of ten bytes', async (start, end) => {
    const key = newKey()
    await store().put(key, Readable.from(['0123456789']))
    await expect(store().get(key, { start, end })).rejects.toThrow(InvalidBlobRange)
  })

  it('says when a blob is not there, and deletes twice', async () => {
    const key = newKey()
    await expect(store().get(key)).rejects.toThrow(BlobNotFound)
    await expect(store().get(key, { start: 0, end: 1 })).rejects.toThrow(BlobNotFound)
    expect(await store().stat(key)).toBeNull()
    await store().delete(key)
    await store().put(key, Readable.from(['x']))
    await store().delete(key)
    await store().delete(key)
    expect(await store().stat(key)).toBeNull()
    await expect(store().get(key)).rejects.toThrow(BlobNotFound)
  })

  it('lets a reader finish what was deleted meanwhile', async () => {
    const [key, bytes] = [newKey(), randomBytes(1_000_000)]
    await store().put(key, Readable.from([bytes]))
    const reading = await store().get(key)
    await store().delete(key)
    expect((await buffer(reading)).equals(bytes)).toBe(true)
  })
}

const invalidKeys = [
  ...[
    '',
    '/',
    'a',
    'tn_1',
    'tn_1/',
    '/tn_1/x',
    'tn_1//x',
    '..',
    '../x',
    'tn_1/..',
    'tn_1/../x',
    '../../etc/passwd',
  ],
  ...[
    'tn_1/../../x',
    'tn_1/.',
    './x',
    'tn_1/./x',
    'tn_1/.hidden',
    'tn_1/x..y',
    'tn_1/x.',
    'tn_1\\x',
    'tn_1/..\\x',
  ],
  ...[
    'tn_1/%2e%2e',
    'tn_1/%2fetc',
    'tn_1/a b',
    'tn_1/a\u0000',
    'tn_1/a\n',
    'tn_1/é',
    'tn_1/x+y',
    'tn_1/A',
    'C:/x',
  ],
  ...['/etc/passwd', '~/x', 'tn_1/~', 'tn_1/-x', 'tn_1/*', 'tn_1/a:b', `tn_1/${'x'.repeat(200)}`, 'tn_1/x/'],
  ...['tn_1/．．', 'tn_1/x?y', 'tn_1/x#y', '__proto__', 'file:///etc/passwd', 'tn_1/\u2024\u2024'],
]

function keyTests(store: Store): void {
  it('keeps a key that extends another, and owners, apart', async () => {
    const key = newKey()
    const keys = [key, `${key}/thumb`, `${key}.thumb`, `${key}/a/b`, key.replace('tn_1', 'tn_2')]
    for (const one of keys) await store().put(one, Readable.from([one]))
    for (const one of keys) expect((await read(store(), one)).toString()).toBe(one)
    await store().delete(key)
    expect(await store().stat(`${key}/thumb`)).not.toBeNull()
  })

  it.each(invalidKeys)('refuses the key %j everywhere', async key => {
    const source = Readable.from(['x'])
    await expect(store().put(key, source)).rejects.toThrow(InvalidBlobKey)
    expect(source.destroyed).toBe(true)
    await expect(store().get(key)).rejects.toThrow(InvalidBlobKey)
    await expect(store().stat(key)).rejects.toThrow(InvalidBlobKey)
    await expect(store().delete(key)).rejects.toThrow(InvalidBlobKey)
  })

  it('refuses what is not text', async () => {
    for (const key of [undefined, null, 5, ['tn_1', 'x'], {}]) {
      await expect(store().stat(key as unknown as string)).rejects.toThrow(InvalidBlobKey)
    }
  })
}
