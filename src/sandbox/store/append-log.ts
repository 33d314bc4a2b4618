/**
 * Append-only file of checksummed records (length, checksum, bytes). Records appended in one turn of the event loop are
 * written together, and `written` settles after the write, so killing the process loses no acknowledged record. The file
 * is synced in the background; a power cut may lose the last `syncEveryMs`. A torn tail is truncated on open.
 */
import fs from 'node:fs'
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

const headerBytes = 8
const maxFrameBytes = 1 << 28
const chunkBytes = 1 << 20
const syncEveryMs = 250
const fdatasync = promisify(fs.fdatasync)
const read = promisify(fs.read)
const write = promisify(fs.write)

/** Limits the process to one sync at a time, so that a slow disk blocks one thread of the pool only. */
let syncing: Promise<void> = Promise.resolve()

function syncSerially(fd: number): Promise<void> {
  syncing = syncing.then(() => fdatasync(fd)).catch(() => {})
  return syncing
}

/** Records that share one write; `start` is the offset of the first one once `written` has settled. */
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

/** The record's offset is `batch.start + offsetInBatch` once `batch.written` has settled. */
export interface PendingAppend {
  batch: { readonly start: number; readonly written: Promise<void> }
  offsetInBatch: number
}

export class AppendLog {
  readonly #file: string
  #fd: number
  #size: number
  /** writes and replacements in order; the last batch takes further records until it is written */
  readonly #queue: (Batch | (() => Promise<void>))[] = []
  #busy = false
  #closed = false
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
    if (this.#closed) return this.#refuse()
    const frame = encodeFrame(record)
    const last = this.#queue.at(-1)
    const batch = last instanceof Batch ? last : new Batch()
    if (batch !== last) this.#queue.push(batch)
    const pending = { batch, offsetInBatch: batch.bytes }
    batch.frames.push(frame)
    batch.bytes += frame.length
    this.#startWriting()
    return pending
  }

  /** Another file may have the descriptor by now, so that a write would damage it. */
  #refuse(): PendingAppend {
    const batch = new Batch()
    batch.settle(new Error(`${this.#file} is closed`))
    return { batch, offsetInBatch: 0 }
  }

  async read(offset: number): Promise<Buffer> {
    const first = await this.#readBytes(offset, 4096)
    const record = decodeFrame(first) ?? decodeFrame(await this.#readBytes(offset, getFrameLength(first)))
    if (!record) throw new Error(`the record at ${offset} of ${this.#file} is corrupt`)
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

  /** Replaces all records atomically; records appended after the call follow them. */
  replace(records: () => string[]): Promise<void> {
    if (this.#closed) return this.#refuse().batch.written
    return new Promise((resolve, reject) => {
      this.#queue.push(() => this.#replaceNow(records()).then(resolve, reject))
      this.#startWriting()
    })
  }

  /** Writes what was appended before; later records are refused. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#busy) await nextTurn()
    clearTimeout(this.#syncTimer)
    this.#dirty = false
    await syncSerially(this.#fd)
    fs.closeSync(this.#fd)
  }

  #startWriting(): void {
    if (this.#busy) return
    this.#busy = true
    setImmediate(() => this.#processQueue())
  }

  async #processQueue(): Promise<void> {
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
      this.#scheduleSync()
      batch.settle()
    } catch (error) {
      fs.ftruncateSync(this.#fd, this.#size)
      batch.settle(error)
    }
  }

  /** The timer stays set until the sync is done, so that a slow disk gets no second request. */
  async #sync(): Promise<void> {
    this.#dirty = false
    await syncSerially(this.#fd)
    this.#syncTimer = undefined
    if (this.#dirty) this.#scheduleSync()
  }

  #scheduleSync(): void {
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
    // A sync of the former file may be in flight.
    await syncing
    fs.closeSync(former)
  }

  async #readBytes(offset: number, bytes: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(bytes)
    const { bytesRead } = await read(this.#fd, buffer, 0, bytes, offset)
    return buffer.subarray(0, bytesRead)
  }
}

export type OnRecord = (record: Buffer, offset: number) => void

export function encodeFrame(record: string | Buffer): Buffer {
  const length = typeof record === 'string' ? Buffer.byteLength(record) : record.length
  const frame = Buffer.allocUnsafe(headerBytes + length)
  if (typeof record === 'string') frame.write(record, headerBytes, 'utf8')
  else record.copy(frame, headerBytes)
  frame.writeUInt32LE(length, 0)
  frame.writeUInt32LE(crc32(frame.subarray(headerBytes)), 4)
  return frame
}

/** Returns the frame's length including its header; the header's length if the header is incomplete. */
export function getFrameLength(buffer: Buffer, at = 0): number {
  return at + headerBytes > buffer.length ? headerBytes : headerBytes + buffer.readUInt32LE(at)
}

/** Returns the record at this offset; undefined if it is incomplete or its checksum does not match. */
export function decodeFrame(buffer: Buffer, at = 0): Buffer | undefined {
  const end = at + getFrameLength(buffer, at)
  if (at + headerBytes > buffer.length || end > buffer.length) return undefined
  const record = buffer.subarray(at + headerBytes, end)
  return crc32(record) === buffer.readUInt32LE(at + 4) ? record : undefined
}

function scanWindow(window: Buffer, start: number, each: OnRecord): number {
  let at = 0
  for (;;) {
    const record = decodeFrame(window, at)
    if (!record) return at
    each(record, start + at)
    at += headerBytes + record.length
  }
}

async function scanHandle(handle: FileHandle, each: OnRecord): Promise<number> {
  let window: Buffer = Buffer.alloc(0)
  let start = 0
  for (;;) {
    const want = Math.max(chunkBytes, getFrameLength(window))
    if (want > maxFrameBytes) return start
    const chunk = Buffer.allocUnsafe(want)
    const { bytesRead } = await handle.read(chunk, 0, want, start + window.length)
    window = Buffer.concat([window, chunk.subarray(0, bytesRead)])
    const used = scanWindow(window, start, each)
    start += used
    window = window.subarray(used)
    if (bytesRead === 0) return start
  }
}

/** Passes every complete record to `each` and returns the end of the last one. Creates the file if needed. */
export async function scanRecords(file: string, each: OnRecord): Promise<number> {
  const handle = await open(file, 'a+', 0o600)
  try {
    return await scanHandle(handle, each)
  } finally {
    await handle.close()
  }
}
