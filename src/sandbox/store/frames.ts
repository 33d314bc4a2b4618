/** How records stand in a file: length, checksum, bytes. What is torn or altered is not a record. */
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const headerBytes = 8
const chunkBytes = 1 << 20
const maxFrameBytes = 1 << 28

export type OnRecord = (record: Buffer, offset: number) => void

export function encodeFrame(record: string | Buffer): Buffer {
  const length = typeof record === 'string' ? Buffer.byteLength(record) : record.length
  const framed = Buffer.allocUnsafe(headerBytes + length)
  if (typeof record === 'string') framed.write(record, headerBytes, 'utf8')
  else record.copy(framed, headerBytes)
  framed.writeUInt32LE(length, 0)
  framed.writeUInt32LE(crc32(framed.subarray(headerBytes)), 4)
  return framed
}

/** Bytes of the frame that starts here, as far as its header tells. */
export function getFrameLength(buffer: Buffer, at = 0): number {
  return at + headerBytes > buffer.length ? headerBytes : headerBytes + buffer.readUInt32LE(at)
}

/** The record at this place of the buffer; undefined when it is not all there or not what was written. */
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

/** Passes every whole record to `each` and answers where the last one ends. Makes the file when there is none. */
export async function scanRecords(file: string, each: OnRecord): Promise<number> {
  const handle = await open(file, 'a+', 0o600)
  try {
    return await scanHandle(handle, each)
  } finally {
    await handle.close()
  }
}
