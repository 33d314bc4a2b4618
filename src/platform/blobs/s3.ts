// Blobs in a bucket of any S3-compatible store. Large objects are uploaded in parts; the parts of a failed upload are
// deleted. The library is loaded only if S3 is configured.
import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BlobNotFound, type Blobs, BlobTooLarge, clampRange, splitKey } from './blobs.ts'

export interface S3Settings {
  /** Amazon S3 if undefined. */
  endpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

export interface S3Blobs extends Blobs {
  /** Returns false if the bucket exists already. */
  createBucket(): Promise<boolean>
  /** Writes a few bytes. Throws if the bucket does not exist or is not writable. */
  check(): Promise<void>
  close(): void
}

/** Each upload holds at most two parts in memory. */
const partBytes = 5 * 1024 * 1024

export async function s3Blobs(settings: S3Settings): Promise<S3Blobs> {
  const sdk = await import('@aws-sdk/client-s3')
  const { Upload } = await import('@aws-sdk/lib-storage')
  const { bucket: Bucket, endpoint, region, ...credentials } = settings
  const client = new sdk.S3Client({
    region,
    credentials,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Other S3 implementations often do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

  async function stat(key: string): Promise<{ size: number } | null> {
    const Key = toObjectKey(key)
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket, Key })).catch(error => {
      if (isMissing(error)) return null
      throw error
    })
    return head && { size: head.ContentLength ?? 0 }
  }

  return {
    stat,

    async createBucket() {
      return client.send(new sdk.CreateBucketCommand({ Bucket })).then(
        () => true,
        error => {
          if (/^BucketAlready/.test(error.name)) return false
          throw error
        },
      )
    },

    async put(key, source, options = {}) {
      source.on('error', () => {})
      try {
        const Key = toObjectKey(key)
        if (source.destroyed) throw source.errored ?? new Error('the source is closed')
        const { counter, stored } = createMeter(options.maxBytes ?? Number.POSITIVE_INFINITY)
        const upload = new Upload({
          client,
          params: { Bucket, Key, Body: counter },
          partSize: partBytes,
          queueSize: 2,
          leavePartsOnError: false,
        })
        await pipeToUpload(source, counter, upload)
        return stored()
      } catch (error) {
        source.destroy()
        throw error
      }
    },

    async get(key, range) {
      const Key = toObjectKey(key)
      const part = range && (await resolveRange(key, range))
      const Range = part && `bytes=${part.start}-${part.end}`
      const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key, Range })).catch(error => {
        throw isMissing(error) ? new BlobNotFound(key) : error
      })
      return answer.Body as Readable
    },

    async delete(key) {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: toObjectKey(key) }))
    },

    async check() {
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: 'parley/probe', Body: 'ok' }))
    },

    close: () => client.destroy(),
  }

  async function resolveRange(key: string, range: { start: number; end: number }) {
    const found = await stat(key)
    if (!found) throw new BlobNotFound(key)
    return clampRange(range, found.size)
  }
}

/** Validates the key; object keys need no escaping. */
function toObjectKey(key: string): string {
  return splitKey(key).join('/')
}

interface UploadHandle {
  done(): Promise<unknown>
  abort(): Promise<void>
}

/** Pipes the source into the upload. An error of the source aborts the upload and is thrown. */
async function pipeToUpload(source: Readable, counter: Transform, upload: UploadHandle): Promise<void> {
  let failure: unknown
  const reading = pipeline(source, counter).catch(async error => {
    failure = error
    await upload.abort()
  })
  const sending = upload.done().catch(error => {
    failure ??= error
    counter.destroy()
  })
  await Promise.all([reading, sending])
  if (failure) throw failure
}

function createMeter(maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) return done(new BlobTooLarge(maxBytes))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { counter, stored: () => ({ size, sha256: hash.digest('hex') }) }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404
}
