/** Creates thumbnails of images in the background, one at a time, in a child process with a time limit. */
import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { BlobNotFound, BlobStoreFull } from '../../platform/blobs/blobs.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { Discard, job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { findMedia, markThumbnail, mediaBlobKey, thumbnailBlobKey } from '../store/media/media.ts'
import type { Shape } from './resize.ts'

export const thumbnailType = 'image/jpeg'
export const hasThumbnails = (mimeType: string): boolean =>
  mimeType === 'image/jpeg' || mimeType === 'image/png'

/** Images of customers may be larger than uploads. */
const maxBytes = 16 * 1024 * 1024
const timeoutMs = 30_000
const fullRetryMs = 15 * 60_000

export const createThumbnail = job<{ mediaId: string }>({
  name: 'conversations.create_thumbnail',
  priority: 'bulk',
  retry: { maxAttempts: 3, initialDelayMs: 1_000, maxDelayMs: 10_000 },
  handle: async (deps, { mediaId }, work) => {
    const { tenantId } = work
    const row = await findMedia(deps.db, tenantId, mediaId)
    if (row?.status !== 'ready' || row.hasThumbnail || row.size! > maxBytes) return
    const thumbnail = await runExclusively(work, () =>
      buildThumbnail(deps, mediaBlobKey(tenantId, mediaId), row.mimeType!),
    )
    await storeThumbnail(deps, thumbnailBlobKey(tenantId, mediaId), thumbnail)
    const isStored = await transact(deps.db, async tx => {
      const marked = await markThumbnail(tx, tenantId, mediaId)
      await work.finish(tx)
      return marked
    })
    if (!isStored) await deps.blobs.delete(thumbnailBlobKey(tenantId, mediaId))
  },
})

/** Waits for space as long as it takes: the files that are refused meanwhile are in the log. */
async function storeThumbnail({ blobs }: Pick<Deps, 'blobs'>, key: string, thumbnail: Buffer): Promise<void> {
  await blobs.put(key, Readable.from([thumbnail])).catch(error => {
    throw error instanceof BlobStoreFull ? new RetryLater(fullRetryMs, error.message) : error
  })
}

let last: Promise<unknown> = Promise.resolve()

/** Runs one at a time, because a decoded image is many times larger than its file. Starts none while the process stops. */
function runExclusively<T>(work: Work, make: () => Promise<T>): Promise<T> {
  return runAlone(() => {
    if (work.isStopping()) throw new RetryLater(0, 'the process is stopping')
    return make()
  })
}

function runAlone<T>(make: () => Promise<T>): Promise<T> {
  const current = last.then(make)
  last = current.catch(() => {})
  return current
}

/** Returns the square in the middle of an image as a picture; undefined if the image cannot be decoded. */
export function resizePicture(bytes: Buffer, mimeType: string): Promise<Buffer | undefined> {
  return runAlone(() => resizeInProcess(bytes, mimeType, 'picture'))
}

async function buildThumbnail({ blobs }: Pick<Deps, 'blobs'>, blob: string, type: string): Promise<Buffer> {
  const bytes = await blobs.get(blob).then(buffer, error => {
    throw error instanceof BlobNotFound ? new Discard('the file was deleted') : error
  })
  const small = await resizeInProcess(bytes, type)
  return small ?? Promise.reject(new Discard('the image cannot be resized'))
}

const isSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(
  new URL(isSource ? './thumbnail-process.ts' : './thumbnail-process.js', import.meta.url),
)

/** Returns undefined on any failure: a thumbnail is optional. */
async function resizeInProcess(
  bytes: Buffer,
  mimeType: string,
  shape: Shape = 'thumbnail',
): Promise<Buffer | undefined> {
  const child = spawn(
    process.execPath,
    [...(isSource ? ['--import', 'tsx'] : []), program, mimeType, shape],
    {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    },
  )
  const exitCode = new Promise<number | null>(resolve => {
    child.once('close', resolve).once('error', () => resolve(null))
  })
  child.stdin.on('error', () => {}) // The process may exit before it has read everything.
  child.stdin.end(bytes)
  const small = await buffer(child.stdout)
  return (await exitCode) === 0 && small.length > 0 ? small : undefined
}
