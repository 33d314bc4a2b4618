/** Uploads and downloads of the chat provider: an id first, then an address that works for five minutes. */
import type { IncomingMessage } from 'node:http'
import type { SandboxContext } from '../context.ts'
import { checkToken, GraphError, ok, unknownObject } from '../graph/graph.ts'
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
  const found = limits.find(([types]) => types.includes(bare))
  if (!found)
    throw new GraphError(100, `Param file must be a file with one of the supported types, received ${bare}`, {
      details: 'The media type is not supported',
    })
  return found[1]
}

class Upload {
  product: string | undefined
  file: { mimeType: string; filename: string | undefined } | undefined
  #field = ''
  #value = ''
  readonly #pieces: AsyncGenerator<MultipartChunk>

  constructor(stream: IncomingMessage) {
    // A stream that is left early would be destroyed, and its connection would never read again.
    const chunks = stream.iterator({ destroyOnReturn: false })
    this.#pieces = readMultipart(chunks, stream.headers['content-type'])
  }

  /** Reads up to the file, and answers its bytes; the fields after it are read when they are at an end. */
  async *bytes(): AsyncGenerator<Buffer> {
    let size = 0
    for await (const piece of this.#pieces) {
      if ('name' in piece) this.#begin(piece)
      else if (this.#field === 'file') {
        size += piece.data.length
        if (size > getSizeLimit(this.file!.mimeType))
          throw chatError(131053, 'The file is too large for its type')
        yield piece.data
      } else this.#take(piece.data)
    }
    if (!this.file) throw new GraphError(100, 'The parameter file is required.', { details: 'file' })
  }

  #begin(piece: Extract<MultipartChunk, { name: string }>): void {
    this.#field = piece.name
    this.#value = ''
    if (piece.name !== 'file') return
    this.file = { mimeType: piece.type ?? 'application/octet-stream', filename: piece.filename }
    getSizeLimit(this.file.mimeType)
  }

  #take(data: Buffer): void {
    this.#value += data.toString('utf8', 0, 1000)
    if (this.#field === 'messaging_product') this.product = this.#value
  }
}

export async function uploadMedia(
  world: SandboxContext,
  phoneId: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const account = toAccountRef(phoneId)
  try {
    const upload = new Upload(incoming.stream)
    const media = await world.media.add(upload.bytes(), { account, mimeType: '', uploaded: true })
    if ((upload.product ?? incoming.query.get('messaging_product')) !== 'whatsapp') {
      await world.media.remove(media.id)
      throw new GraphError(100, 'The parameter messaging_product is required.', {
        details: 'messaging_product',
      })
    }
    await world.media.updateMetadata(media.id, upload.file!)
    return ok({ id: media.id })
  } catch (error) {
    incoming.stream.resume()
    throw error instanceof InvalidMultipart
      ? new GraphError(100, 'Invalid parameter', { details: error.message })
      : error
  }
}

export function mediaNode(world: SandboxContext, media: Media, base: string): HttpResponse {
  const origin = new URL(base).origin
  return ok({
    messaging_product: 'whatsapp',
    url: `${origin}${world.media.signedPath(media)}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.bytes,
    id: media.id,
  })
}

export async function deleteMedia(world: SandboxContext, media: Media): Promise<HttpResponse> {
  await world.media.remove(media.id)
  return ok({ success: true })
}

/** Needs the token, and an address that has not expired. */
export function download(world: SandboxContext, incoming: HttpRequest): HttpResponse {
  checkToken(incoming)
  const media = world.media.find(incoming.path[1] ?? '')
  if (!media || !world.media.isSignatureValid(media, incoming.query))
    throw new GraphError(100, unknownObject(incoming.path[1] ?? '').message, { status: 404, subcode: 33 })
  return {
    status: 200,
    file: world.media.file(media.id),
    type: media.mimeType,
    headers: { 'content-length': String(media.bytes) },
  }
}
