/** Media of chatapp: uploads, metadata with a download URL that expires after five minutes, and downloads. */
import type { IncomingMessage } from 'node:http'
import type { SandboxContext } from '../context.ts'
import { checkToken, type EdgeHandler, GraphError, ok, unknownObject } from '../graph/graph.ts'
import { InvalidMultipart, type MultipartChunk, readMultipart } from '../http/multipart.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import type { Media } from '../media/media-store.ts'
import { chatError } from './errors.ts'
import { toAccountRef } from './numbers.ts'

const megabyte = 1_000_000

const documents = [
  'text/plain',
  'text/csv',
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]
const limits: [types: string[], bytes: number][] = [
  [['image/jpeg', 'image/png'], 5 * 1.05 * megabyte],
  [['video/mp4', 'video/3gp', 'video/3gpp'], 16 * 1.05 * megabyte],
  [['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], 16 * 1.05 * megabyte],
  [['image/webp'], 0.5 * 1.05 * megabyte],
  [documents, 100 * 1.05 * megabyte],
]

function getSizeLimit(mimeType: string): number {
  const bare = mimeType.split(';')[0]!.trim().toLowerCase()
  const limit = limits.find(([types]) => types.includes(bare))
  if (!limit)
    throw new GraphError(100, `Param file must be a file with one of the supported types, received ${bare}`, {
      details: 'The media type is not supported',
    })
  return limit[1]
}

class Upload {
  product: string | undefined
  file: { mimeType: string; filename: string | undefined } | undefined
  #field = ''
  #value = ''
  readonly #chunks: AsyncGenerator<MultipartChunk>

  constructor(stream: IncomingMessage) {
    // Leaving the loop early must not destroy the stream: its connection is reused.
    const chunks = stream.iterator({ destroyOnReturn: false })
    this.#chunks = readMultipart(chunks, stream.headers['content-type'])
  }

  /** Yields the bytes of the file; fields before and after it are read on the way. */
  async *bytes(): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of this.#chunks) {
      if ('name' in chunk) this.#begin(chunk)
      else if (this.#field === 'file') {
        size += chunk.data.length
        if (size > getSizeLimit(this.file!.mimeType))
          throw chatError(131053, 'The file is too large for its type')
        yield chunk.data
      } else this.#take(chunk.data)
    }
    if (!this.file) throw new GraphError(100, 'The parameter file is required.', { details: 'file' })
  }

  #begin(chunk: Extract<MultipartChunk, { name: string }>): void {
    this.#field = chunk.name
    this.#value = ''
    if (chunk.name !== 'file') return
    this.file = { mimeType: chunk.type ?? 'application/octet-stream', filename: chunk.filename }
    getSizeLimit(this.file.mimeType)
  }

  #take(data: Buffer): void {
    this.#value += data.toString('utf8', 0, 1000)
    if (this.#field === 'messaging_product') this.product = this.#value
  }
}

export const uploadMedia: EdgeHandler = async (context, phoneId, request) => {
  const account = toAccountRef(phoneId)
  try {
    const upload = new Upload(request.stream)
    const media = await context.media.add(upload.bytes(), { account, mimeType: '', uploaded: true })
    if ((upload.product ?? request.query.get('messaging_product')) !== 'whatsapp') {
      await context.media.remove(media.id)
      throw new GraphError(100, 'The parameter messaging_product is required.', {
        details: 'messaging_product',
      })
    }
    await context.media.updateMetadata(media.id, upload.file!)
    return ok({ id: media.id })
  } catch (error) {
    request.stream.resume()
    throw error instanceof InvalidMultipart
      ? new GraphError(100, 'Invalid parameter', { details: error.message })
      : error
  }
}

export function mediaNode(context: SandboxContext, media: Media, base: string): HttpResponse {
  const origin = new URL(base).origin
  return ok({
    messaging_product: 'whatsapp',
    url: `${origin}${context.media.signedPath(media)}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.bytes,
    id: media.id,
  })
}

export async function deleteMedia(context: SandboxContext, media: Media): Promise<HttpResponse> {
  await context.media.remove(media.id)
  return ok({ success: true })
}

/** Requires the token and a URL that has not expired. */
export function download(context: SandboxContext, request: HttpRequest): HttpResponse {
  checkToken(request)
  const media = context.media.find(request.path[1] ?? '')
  if (!media || !context.media.isSignatureValid(media, request.query))
    throw new GraphError(100, unknownObject(request.path[1] ?? '').message, { status: 404, subcode: 33 })
  return {
    status: 200,
    file: context.media.file(media.id),
    type: media.mimeType,
    headers: { 'content-length': String(media.bytes) },
  }
}
