/**
 * An append-only file of checked records. Everything appended in one turn of the event loop leaves as one write, and
 * `written` settles only after it: a record that was answered for is in the kernel's hands, so killing the process
 * loses nothing. The disk itself is synced in the background (a power cut may cost the last `syncEveryMs`).
 * A torn tail, left by a kill in the middle of a write, is cut off when the file is opened.
 */
import fs from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { decodeFrame, encodeFrame, getFrameLength, type OnRecord, scanRecords } from './frames.ts'

const chunkBytes = 1 << 20
const syncEveryMs = 250
const fdatasync = promisify(fs.fdatasync)
const read = promisify(fs.read)
const write = promisify(fs.write)

/** One sync at a time in the whole process: a slow disk may hold up one thread of the pool, not all of them. */
let syncing: Promise<void> = Promise.resolve()

function syncSerially(fd: number): Promise<void> {
  syncing = syncing.then(() => fdatasync(fd)).catch(() => {})
  return syncing
}

/** Records that share one write; `start` is where the first of them stands once `written` has settled. */
class Batch {
  start = -1
  bytes = 0
  readonly frames: Buffer[] = []
  readonly written: Promise<void>
  settle!: (error?: unknown) => void

  constructor() {
    this.written = new Promise((resolve, reject) => {
      this.settle = error => (error ? reject(error) : resolve())
    })
    this.written.catch(() => {})
  }
}

/** Where a record will stand: `batch.start + within`, once `batch.written` has settled. */
export interface PendingAppend {
  batch: { readonly start: number; readonly written: Promise<void> }
  within: number
}

export class AppendLog {
  readonly #file: string
  #fd: number
  #size: number
  /** what is to be done, in order; a batch takes further records until its turn comes or something follows it */
  readonly #queue: (Batch | (() => Promise<void>))[] = []
  #busy = false
  #syncTimer: NodeJS.Timeout | undefined
  #dirty = false

  constructor(file: string, end: number) {
    this.#file = file
    this.#fd = fs.openSync(file, 'r+')
    fs.ftruncateSync(this.#fd, end)
    this.#size = end
  }

  static async open(file: string, each: OnRecord): Promise<AppendLog> {
    return new AppendLog(file, await scanRecords(file, each))
  }

  get size(): number {
    return this.#size
  }

  append(record: string | Buffer): PendingAppend {
    const framed = encodeFrame(record)
    const last = this.#queue.at(-1)
    const batch = last instanceof Batch ? last : new Batch()
    if (batch !== last) this.#queue.push(batch)
    const slot = { batch, within: batch.bytes }
    batch.frames.push(framed)
    batch.bytes += framed.length
    this.#wake()
    return slot
  }

  async read(offset: number): Promise<Buffer> {
    const first = await this.#readBytes(offset, 4096)
    const record = decodeFrame(first) ?? decodeFrame(await this.#readBytes(offset, getFrameLength(first)))
    if (!record) throw new Error(`the record at ${offset} of ${this.#file} is damaged`)
    return record
  }

  /** Reads many records with few reads; offsets must be ascending. */
  async readMany(offsets: readonly number[], each: (record: Buffer, i: number) => void): Promise<void> {
    for (let i = 0; i < offsets.length; ) {
      const from = offsets[i]!
      const near = offsets[i + 1] !== undefined && offsets[i + 1]! - from < chunkBytes
      const window = near ? await this.#readBytes(from, chunkBytes) : Buffer.alloc(0)
      const before = i
      for (let record = decodeFrame(window); record; record = decodeFrame(window, offsets[i]! - from)) {
        each(record, i++)
        if (i === offsets.length) return
      }
      if (i === before) each(await this.read(from), i++)
    }
  }

  /** Puts these records in place of everything so far, atomically; what is appended after the call follows them. */
  replace(records: () => string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push(() => this.#replaceNow(records()).then(resolve, reject))
      this.#wake()
    })
  }

  async close(): Promise<void> {
    while (this.#busy) await nextTurn()
    clearTimeout(this.#syncTimer)
    this.#dirty = false
    await syncSerially(this.#fd)
    fs.closeSync(this.#fd)
  }

  #wake(): void {
    if (this.#busy) return
    this.#busy = true
    setImmediate(() => this.#pump())
  }

  async #pump(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      if (next instanceof Batch) await this.#writeBatch(next)
      else await next()
    }
    this.#busy = false
  }

  async #writeBatch(batch: Batch): Promise<void> {
    batch.start = this.#size
    try {
      const bytes = batch.frames.length === 1 ? batch.frames[0]! : Buffer.concat(batch.frames, batch.bytes)
      for (let done = 0; done < bytes.length; )
        done += (await write(this.#fd, bytes, done, bytes.length - done, batch.start + done)).bytesWritten
      this.#size += batch.bytes
      this.#syncSoon()
      batch.settle()
    } catch (error) {
      fs.ftruncateSync(this.#fd, this.#size)
      batch.settle(error)
    }
  }

  /** The timer stands until the sync is done, so a slow disk is not asked again meanwhile. */
  async #sync(): Promise<void> {
    this.#dirty = false
    await syncSerially(this.#fd)
    this.#syncTimer = undefined
    if (this.#dirty) this.#syncSoon()
  }

  #syncSoon(): void {
    this.#dirty = true
    this.#syncTimer ??= setTimeout(() => this.#sync(), syncEveryMs)
  }

  async #replaceNow(records: string[]): Promise<void> {
    const next = `${this.#file}.next`
    const bytes = Buffer.concat(records.map(encodeFrame))
    await writeFile(next, bytes, { mode: 0o600, flush: true })
    await rename(next, this.#file)
    const former = this.#fd
    this.#fd = fs.openSync(this.#file, 'r+')
    this.#size = bytes.length
    // A sync of the former file may be under way.
    await syncing
    fs.closeSync(former)
  }

  async #readBytes(offset: number, bytes: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(bytes)
    const { bytesRead } = await read(this.#fd, buffer, 0, bytes, offset)
    return buffer.subarray(0, bytesRead)
  }
}
