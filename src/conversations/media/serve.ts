/**
 * Serves files from signed URLs. No script in a file may run on our origin: files are attachments of the detected type,
 * with a sandboxing content security policy.
 */
import { BlobNotFound, type ByteRange } from '../../platform/blobs/blobs.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import { Reply } from '../../platform/http/route.ts'
import { MediaUrlInvalid, RangeNotSatisfiable } from '../errors.ts'
import { findMedia, type MediaRow, mediaBlobKey, thumbnailBlobKey } from '../store/media/media.ts'
import { thumbnailType } from './thumbnails.ts'
import { isSignatureValid, type SignedMediaUrl } from './urls.ts'

export interface MediaRequest {
  range: string | undefined
  ifRange: string | undefined
  signature: string
}

interface ServedFile {
  blob: string
  type: string
  filename: string
  size: number
  etag: string
}

export async function serveMedia(
  deps: Pick<Deps, 'db' | 'blobs' | 'keys' | 'clock'>,
  signed: SignedMediaUrl,
  request: MediaRequest,
): Promise<Reply> {
  const row = isSignatureValid(deps, signed, request.signature)
    ? await findMedia(deps.db, signed.tenantId, signed.mediaId)
    : undefined
  if (row?.status !== 'ready') fail(MediaUrlInvalid)
  const file = signed.thumbnail ? await findThumbnail(deps, row) : toOriginal(row)
  const range = parseRange(request, file)
  const body = await deps.blobs.get(file.blob, range).catch(error => {
    if (error instanceof BlobNotFound) fail(MediaUrlInvalid)
    throw error
  })
  const length = range ? range.end - range.start + 1 : file.size
  return new Reply({
    status: range ? 206 : 200,
    headers: {
      ...buildHeaders(file),
      'content-length': String(length),
      ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
    },
    body,
  })
}

const toOriginal = (row: MediaRow): ServedFile => ({
  blob: mediaBlobKey(row.tenantId, row.id),
  type: row.mimeType!,
  filename: row.filename!,
  size: row.size!,
  etag: `"${row.sha256}"`,
})

async function findThumbnail({ blobs }: Pick<Deps, 'blobs'>, row: MediaRow): Promise<ServedFile> {
  const blob = thumbnailBlobKey(row.tenantId, row.id)
  const found = (row.hasThumbnail ? await blobs.stat(blob) : null) ?? fail(MediaUrlInvalid)
  return {
    blob,
    type: thumbnailType,
    filename: 'thumbnail.jpg',
    size: found.size,
    etag: `"${row.sha256}-thumbnail"`,
  }
}

function buildHeaders({ type, filename, etag }: ServedFile): Record<string, string> {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16)}`)
  return {
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cache-control': 'private, max-age=300, no-transform',
    'accept-ranges': 'bytes',
    etag,
  }
}

/** Returns one byte range; undefined, for the whole file, without a range or with several ranges. */
function parseRange({ range, ifRange }: MediaRequest, { size, etag }: ServedFile): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '')
  if (!match || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < start) return undefined
  if (start >= size || end < start)
    fail(RangeNotSatisfiable, `the file has ${size} bytes`, {
      headers: { 'content-range': `bytes */${size}` },
    })
  return { start, end }
}
