/**
 * Files of messages: uploaded before they are sent, or fetched from the provider after a customer sent them. A file is
 * visible to owners and admins, to the caller who uploaded it, and to agents who see a conversation that uses it.
 */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail, invalid, StorageFull, violation } from '../../platform/errors.ts'
import {
  receiveUpload,
  type Upload,
  type UploadContext,
  writeUpload,
} from '../../platform/http/input/uploads.ts'
import { type Page, withNextPage } from '../../platform/http/page.ts'
import { Reply } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Viewer } from '../access.ts'
import { MediaNotFound } from '../errors.ts'
import { MediaId } from '../schemas.ts'
import {
  deleteMedia,
  findVisibleMedia,
  insertPending,
  listContactFiles,
  type MediaRow,
  markReady,
  mediaBlobKey,
} from '../store/media/media.ts'
import { type DetectedType, detectType } from './detect-type.ts'
import { describeQuota, exceedsQuota } from './quota.ts'
import type { ContactFile, MediaState, MediaUpload } from './schemas.ts'
import { createThumbnail, hasThumbnails } from './thumbnails.ts'
import { type InspectedStream, inspectStream, maxBytesByType, maxMediaBytes } from './upload-stream.ts'
import { mediaUrl } from './urls.ts'

export { findMedia, markMediaUsed } from '../store/media/media.ts'

type MediaUploadContext = UploadContext & Pick<Deps, 'blobs' | 'keys' | 'config'>

/** Streams the file into the blob store. After a failure, neither bytes nor row remain. */
export async function uploadMedia(
  context: MediaUploadContext,
  { maxBytes = maxMediaBytes }: { maxBytes?: number } = {},
): Promise<MediaUpload | Reply> {
  const { blobs, db, caller, request } = context
  const { tenantId } = caller
  const mediaId = MediaId.create()
  const discard = async () => {
    await blobs.delete(mediaBlobKey(tenantId, mediaId))
    await deleteMedia(db, tenantId, mediaId)
  }
  await checkQuota(context, db)
  await insertPending(db, tenantId, { id: mediaId, uploadedBy: caller.id })
  try {
    let inspected: InspectedStream | undefined
    const upload = await receiveUpload(request, {
      fields: [],
      maxBytes,
      store: (source, { filename, mimetype }) => {
        const declaredFile = { filename, declared: mimetype }
        inspected = inspectStream(source, {
          detect: head => detectType(head, declaredFile),
          maxBytes: ({ mediaType }) => Math.min(maxBytes, maxBytesByType[mediaType]),
        })
        return blobs.put(mediaBlobKey(tenantId, mediaId), inspected.bytes)
      },
      discard: async () => {},
    })
    if (upload.size === 0) invalid(violation('file', 'empty', 'must not be empty'))
    const detectedType = inspected!.detectedType()
    const operation = { operation: 'POST /media/uploads', status: 201 }
    const answer = await writeUpload(context, operation, upload, {
      onReplay: discard,
      write: tx => storeUpload(tx, context, mediaId, upload, detectedType),
    })
    return answer instanceof Reply ? withFreshUrl(context, answer) : answer
  } catch (error) {
    await discard()
    throw error
  }
}

async function storeUpload(
  tx: Tx,
  context: MediaUploadContext,
  mediaId: string,
  { filename: given, size, sha256 }: Upload,
  { mimeType, mediaType }: DetectedType,
): Promise<MediaUpload> {
  const { tenantId } = context.caller
  const filename = safeName(given) ?? mediaId
  if (!(await markReady(tx, tenantId, mediaId, { mediaType, mimeType, filename, size, sha256 })))
    throw new Error('the upload took so long that it was purged')
  await checkQuota(context, tx)
  if (hasThumbnails(mimeType)) await enqueue(tx, createThumbnail, { tenantId, payload: { mediaId } })
  const url = mediaUrl(context, tenantId, mediaId)
  return { mediaId, mediaType, mimeType, filename, fileSize: size, url }
}

/** 507 when the files of the workspace exceed its quota; checked again when the size of an upload is known. */
async function checkQuota({ config, caller }: MediaUploadContext, on: Queryable): Promise<void> {
  if (await exceedsQuota(config, on, caller.tenantId)) fail(StorageFull, describeQuota(config))
}

/** A stored response may be older than the lifetime of its URL. */
function withFreshUrl(context: MediaUploadContext, { options }: Reply): Reply {
  const stored = options.body as MediaUpload
  const url = mediaUrl(context, context.caller.tenantId, stored.mediaId)
  return new Reply({ ...options, body: { ...stored, url } })
}

/** Returns the last part of a path without control and direction characters; undefined when nothing is left. */
export function safeName(given: string | undefined): string | undefined {
  const last = (given ?? '').split(/[/\\]/).at(-1)!.toWellFormed()
  const name = last.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '').trim()
  return name === '' || /^\.+$/.test(name) ? undefined : [...name].slice(-240).join('')
}

export async function getMedia(
  context: Pick<Deps, 'db' | 'keys' | 'clock'>,
  viewer: Viewer,
  mediaId: string,
): Promise<MediaState> {
  const row = (await findVisibleMedia(context.db, viewer, mediaId)) ?? fail(MediaNotFound)
  if (row.status !== 'ready') return { ready: false, ...(row.failure ? { error: row.failure } : {}) }
  const { tenantId } = viewer
  return {
    ready: true,
    url: mediaUrl(context, tenantId, mediaId),
    ...(row.hasThumbnail ? { thumbnailUrl: mediaUrl(context, tenantId, mediaId, true) } : {}),
    ...toFileProperties(row),
  }
}

/** Lists the files that were sent and received in the conversations of a contact. */
export async function listContactFilesPage(
  context: Pick<Deps, 'db' | 'keys' | 'clock'>,
  viewer: Viewer,
  contactId: string,
  page: Page,
): Promise<{ files: ContactFile[]; nextPageToken: string | null }> {
  const { tenantId } = viewer
  const found = await listContactFiles(context.db, viewer, contactId, {
    limit: page.limit + 1,
    before: page.after?.[0],
  })
  const { rows, next } = page.toPage(found, row => [row.id])
  const files = rows.map(row => ({
    mediaId: row.id,
    conversationId: row.conversationId,
    createdAt: row.createdAt,
    url: mediaUrl(context, tenantId, row.id),
    ...(row.hasThumbnail ? { thumbnailUrl: mediaUrl(context, tenantId, row.id, true) } : {}),
    ...toFileProperties(row),
  }))
  return { files, ...withNextPage(next) }
}

function toFileProperties({ mediaType, mimeType, filename, size }: MediaRow) {
  return { mediaType: mediaType!, mimeType: mimeType!, filename: filename!, fileSize: size! }
}
