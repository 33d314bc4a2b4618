// Storage of files that are too large for the database. A blob is complete or absent, even if its writer is killed.
// Sizes and hashes are computed here.
import type { Readable } from 'node:stream'

export interface Blobs {
  /**
   * Stores the stream under the key and replaces an existing blob once the new one is durable. Owns the stream: it is
   * destroyed when the put fails. A failed put leaves nothing behind.
   */
  put(key: string, source: Readable, options?: { maxBytes?: number }): Promise<StoredBlob>
  /** Returns the bytes, or those from `start` to `end` inclusive. An `end` beyond the last byte means the last byte. */
  get(key: string, range?: ByteRange): Promise<Readable>
  stat(key: string): Promise<{ size: number } | null>
  /** Deletes the blob if it exists. Open readers can finish. */
  delete(key: string): Promise<void>
}

export interface StoredBlob {
  size: number
  /** In lower-case hex. */
  sha256: string
}

export interface ByteRange {
  start: number
  end: number
}

export class BlobNotFound extends Error {
  override name = 'BlobNotFound'
  constructor(key: string) {
    super(`blob ${key} not found`)
  }
}

export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge'
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`the blob has more than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

export class InvalidBlobKey extends Error {
  override name = 'InvalidBlobKey'
  constructor(key: unknown) {
    super(
      `${JSON.stringify(key)} is not a blob key: write lower-case names joined by slashes, such as tn_1/mda_2`,
    )
  }
}

export class InvalidBlobRange extends Error {
  override name = 'InvalidBlobRange'
  constructor(range: ByteRange, size: number) {
    super(`bytes ${range.start} to ${range.end} are not within a blob of ${size} bytes`)
  }
}

export class BlobStoreFull extends Error {
  override name = 'BlobStoreFull'
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`the blob store has no space left: ${reason}`, { cause })
  }
}

const segment = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*$/

/** Splits a key into its names: two or more, the first is the owner. Throws InvalidBlobKey. */
export function splitKey(key: string): [owner: string, ...rest: string[]] {
  const [owner, ...rest] = typeof key === 'string' && key.length <= 200 ? key.split('/') : []
  if (owner === undefined || rest.length === 0) throw new InvalidBlobKey(key)
  if (![owner, ...rest].every(name => segment.test(name))) throw new InvalidBlobKey(key)
  return [owner, ...rest]
}

/** Returns the range limited to the blob's size. Throws InvalidBlobRange. */
export function clampRange(range: ByteRange, size: number): ByteRange {
  const { start, end } = range
  const sound = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!sound || start >= size) throw new InvalidBlobRange(range, size)
  return { start, end: Math.min(end, size - 1) }
}
