/** Thumbnails of images, made in the background, one at a time, in a process that is ended when it takes too long. */
import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { BlobNotFound } from '../../platform/blobs/blobs.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { Discard, job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import { findMedia, markThumbnail, mediaBlobKey, thumbnailBlobKey } from '../store/media.ts'

export const thumbnailType = 'image/jpeg'
export const hasThumbnails = (mimeType: string): boolean =>
  mimeType === 'image/jpeg' || mimeType === 'image/png'

/** Larger than an upload may be; a customer's may be larger. */
const maxBytes = 16 * 1024 * 1024
const timeoutMs = 30_000

export const createThumbnail = job<{ mediaId: string }>({
  name: 'conversations.create_thumbnail',
  priority: 'bulk',
  retry: { maxAttempts: 3, initialDelayMs: 1_000, maxDelayMs: 10_000 },
  handle: async (deps, { mediaId }, work) => {
    const { tenantId } = work
    const row = await findMedia(deps.db, tenantId, mediaId)
    if (row?.status !== 'ready' || row.hasThumbnail || row.size! > maxBytes) return
    const small = await runExclusively(work, () =>
      buildThumbnail(deps, mediaBlobKey(tenantId, mediaId), row.mimeType!),
    )
    await deps.blobs.put(thumbnailBlobKey(tenantId, mediaId), Readable.from([small]))
    const kept = await transact(deps.db, async tx => {
      const marked = await markThumbnail(tx, tenantId, mediaId)
      await work.finish(tx)
      return marked
    })
    if (!kept) await deps.blobs.delete(thumbnailBlobKey(tenantId, mediaId))
  },
})

let last: Promise<unknown> = Promise.resolve()

/** A picture in memory is many times its file, so there is one at a time. A process that stops begins no other. */
function runExclusively<T>(work: Work, make: () => Promise<T>): Promise<T> {
  const mine = last.then(() => {
    if (work.isStopping()) throw new RetryLater(0, 'the process stops')
    return make()
  })
  last = mine.catch(() => {})
  return mine
}

async function buildThumbnail({ blobs }: Pick<Deps, 'blobs'>, blob: string, type: string): Promise<Buffer> {
  const bytes = await blobs.get(blob).then(buffer, error => {
    throw error instanceof BlobNotFound ? new Discard('the file is gone') : error
  })
  const small = await resizeInProcess(bytes, type)
  return small ?? Promise.reject(new Discard('it is not a picture that can be shown small'))
}

const isSource = import.meta.url.endsWith('.ts')
const program = fileURLToPath(
  new URL(isSource ? './thumbnail-process.ts' : './thumbnail-process.js', import.meta.url),
)

/** Undefined when it cannot be done, whatever the reason: a thumbnail is a courtesy. */
async function resizeInProcess(bytes: Buffer, mimeType: string): Promise<Buffer | undefined> {
  const child = spawn(process.execPath, [...(isSource ? ['--import', 'tsx'] : []), program, mimeType], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<number | null>(resolve => {
    child.once('close', resolve).once('error', () => resolve(null))
  })
  child.stdin.on('error', () => {}) // it may end before it has read everything
  child.stdin.end(bytes)
  const small = await buffer(child.stdout)
  return (await ended) === 0 && small.length > 0 ? small : undefined
}
