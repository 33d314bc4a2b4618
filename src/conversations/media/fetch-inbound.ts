/** Fetches files of customers from the provider, in the background; the message is shown before that. */
import { Readable } from 'node:stream'
import { findAccount, providers } from '../../inboxes/accounts/accounts.ts'
import { ProviderCallError } from '../../inboxes/providers/http-client.ts'
import type { InboundMessage } from '../../inboxes/providers/provider.ts'
import { BlobStoreFull, BlobTooLarge } from '../../platform/blobs/blobs.ts'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { AttemptFailed, backoffMs, job, RetryLater, type Work } from '../../platform/jobs/job.ts'
import {
  findMedia,
  insertInboundMedia,
  insertMediaUses,
  type MediaRow,
  markFailed,
  markReady,
  mediaBlobKey,
  type StoredFile,
} from '../store/media/media.ts'
import { detectInboundType } from './detect-type.ts'
import { safeName } from './media.ts'
import { describeQuota, exceedsQuota } from './quota.ts'
import { createThumbnail, hasThumbnails } from './thumbnails.ts'
import { inspectStream, maxMediaBytes } from './upload-stream.ts'

/** Retries for about half a day. */
const retry = { maxAttempts: 60, initialDelayMs: 1_000, maxDelayMs: 15 * 60_000 }

/** So that a slow provider leaves workers to other workspaces, and the quota is exceeded by a few files at most. */
const maxPerWorkspace = 16

export const fetchInboundMedia = job<{ mediaId: string }>({
  name: 'conversations.fetch_inbound_media',
  priority: 'normal',
  maxPerTenant: () => maxPerWorkspace,
  retry: { ...retry, maxAttempts: retry.maxAttempts + 5 },
  handle: (deps, { mediaId }, work) => fetchAndStore(deps, work, mediaId),
})

/** Called in the transaction of the message. */
export async function enqueueInboundFetch(
  tx: Tx,
  key: { tenantId: string; inboxId: string; conversationId: string; mediaId: string },
  { reference, mimeType, filename }: NonNullable<InboundMessage['media']>,
): Promise<void> {
  const { tenantId, inboxId, conversationId, mediaId } = key
  await insertInboundMedia(tx, tenantId, {
    id: mediaId,
    inboxId,
    reference,
    mimeType: mimeType || null,
    filename: safeName(filename) ?? null,
  })
  await insertMediaUses(tx, tenantId, [{ mediaId, conversationId }])
  await enqueue(tx, fetchInboundMedia, { tenantId, payload: { mediaId } })
}

interface FetchFailure {
  code: string
  message: string
  retryable: boolean
}

async function fetchAndStore(deps: Deps, work: Work, mediaId: string): Promise<void> {
  const { tenantId } = work
  const row = await findMedia(deps.db, tenantId, mediaId)
  if (row?.status !== 'pending' || row.uploadedBy !== null) return
  try {
    if (await exceedsQuota(deps.config, deps.db, tenantId))
      throw new QuotaExceeded(describeQuota(deps.config))
    const file = await fetchFile(deps, row)
    await transact(deps.db, async tx => {
      const marked = await markReady(tx, tenantId, mediaId, file)
      if (marked && hasThumbnails(file.mimeType))
        await enqueue(tx, createThumbnail, { tenantId, payload: { mediaId } })
      await work.finish(tx)
    })
  } catch (error) {
    const { retryable, code, message } = toFetchFailure(error)
    if (code === 'storage_full')
      deps.log.warn({ code, tenantId, mediaId, attempt: work.attempt, reason: message }, 'file refused')
    if (retryable && work.attempt < retry.maxAttempts) {
      if (code === 'auth_expired') throw new RetryLater(backoffMs(retry, work.attempt + 5), message)
      throw code === 'storage_full' ? new AttemptFailed(message) : error
    }
    await transact(deps.db, async tx => {
      await markFailed(tx, tenantId, mediaId, { code, message })
      await work.finish(tx)
    })
  }
}

/** Thrown before a download; files may be deleted while the job waits for its next attempt. */
class QuotaExceeded extends Error {}

function toFetchFailure(error: unknown): FetchFailure {
  if (error instanceof QuotaExceeded || error instanceof BlobStoreFull)
    return { code: 'storage_full', message: error.message, retryable: true }
  if (error instanceof ProviderCallError) {
    const { kind, code, message } = error.failure
    return { code, message, retryable: kind !== 'permanent' }
  }
  if (error instanceof BlobTooLarge)
    return {
      code: 'media_too_large',
      message: `the file has more than ${error.maxBytes} bytes`,
      retryable: false,
    }
  return { code: 'media_download_failed', message: 'the file could not be fetched', retryable: true }
}

async function fetchFile(deps: Deps, row: MediaRow): Promise<StoredFile> {
  const account = await findAccount(deps, row.tenantId, row.inboxId!)
  if (!account)
    throw new ProviderCallError({
      kind: 'permanent',
      code: 'inbox_deleted',
      message: 'the inbox was deleted',
    })
  const download = await providers[account.channel].downloadMedia(account, row.reference!)
  const name = row.filename ?? safeName(download.filename)
  const declaredFile = { filename: name ?? '', declared: row.mimeType ?? download.mimeType }
  const { bytes, detectedType } = inspectStream(Readable.from(download.body as AsyncIterable<Buffer>), {
    detect: head => detectInboundType(head, declaredFile),
    maxBytes: () => maxMediaBytes,
  })
  const stored = await deps.blobs.put(mediaBlobKey(row.tenantId, row.id), bytes)
  const { mimeType, mediaType } = detectedType()
  return { mimeType, mediaType, filename: name ?? defaultName(row.id, mimeType), ...stored }
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/quicktime': 'mov',
  'video/3gpp': '3gp',
  'text/plain': 'txt',
  'application/octet-stream': 'bin',
}

function defaultName(mediaId: string, mimeType: string): string {
  const subtype = /^(?:image|audio|video|text|application)\/([a-z0-9]{2,5})$/.exec(mimeType)?.[1]
  return `${mediaId}.${extensions[mimeType] ?? subtype ?? 'bin'}`
}
