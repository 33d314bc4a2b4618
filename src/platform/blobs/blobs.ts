// Where bytes too big for the database live. A blob is either there whole or not at all, whatever happens to the
// process that writes it; the sizes and hashes the rest of the service knows come from here.
import type { Readable } from 'node:stream'

export interface Blobs {
  /**
   * Stores the stream under the key, replacing what was there; the old bytes stay visible until the new ones are all
   * safe. Takes the stream over: it is destroyed when the put fails. A put that fails leaves nothing behind.
   */
  put(key: string, source: Readable, options?: { maxBytes?: number }): Promise<StoredBlob>
  /** The bytes, or those from `start` to `end`, both counted. An `end` past the last byte means the last byte. */
  get(key: string, range?: ByteRange): Promise<Readable>
  stat(key: string): Promise<{ size: number } | null>
  /** Removes the blob if there is one. Readers that have begun keep their bytes. */
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
    super(`there is no blob ${key}`)
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

/** The store has no room left. */
export class BlobStoreFull extends Error {
  override name = 'BlobStoreFull'
  constructor(cause: unknown) {
    super('the blob store has no space left', { cause })
  }
}

const segment = /^[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*$/

/** The names a key is made of: two or more, so that every blob belongs to someone. Throws InvalidBlobKey. */
export function splitKey(key: string): [owner: string, ...rest: string[]] {
  const [owner, ...rest] = typeof key === 'string' && key.length <= 200 ? key.split('/') : []
  if (owner === undefined || rest.length === 0) throw new InvalidBlobKey(key)
  if (![owner, ...rest].every(name => segment.test(name))) throw new InvalidBlobKey(key)
  return [owner, ...rest]
}

/** The part of a blob of this size that a range means; throws InvalidBlobRange. */
export function clampRange(range: ByteRange, size: number): ByteRange {
  const { start, end } = range
  const sound = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!sound || start >= size) throw new InvalidBlobRange(range, size)
  return { start, end: Math.min(end, size - 1) }
}
