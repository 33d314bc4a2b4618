/** Media of chatapp: uploads, metadata with a download URL that expires after five minutes, and downloads. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { SandboxContext } from '../context.ts'
import { checkToken, type EdgeHandler, GraphError, ok, unknownObject } from '../graph/graph.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import type { Media } from '../media/media-store.ts'
import { chatError } from './errors.ts'
import { toAccountRef } from './numbers.ts'

const megabyte = 1_000_000

interface FileInfo {
  filename: string
  mimeType: string
}

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

const invalidForm = (error: unknown): GraphError =>
  new GraphError(100, 'Invalid parameter', { details: (error as Error).message })

function parseForm(headers: IncomingHttpHeaders) {
  try {
    return new Busboy({ headers: headers as BusboyHeaders })
  } catch (error) {
    throw invalidForm(error)
  }
}

/** Reads the fields of a form and passes its file to `store` as it arrives. */
function receiveForm<T>({ stream }: HttpRequest, store: (file: Readable, info: FileInfo) => Promise<T>) {
  return new Promise<{ fields: Record<string, string>; stored: T | undefined }>((resolve, reject) => {
    const form = parseForm(stream.headers)
    const fields: Record<string, string> = {}
    let storing: Promise<T | undefined> = Promise.resolve(undefined)
    form.on('field', (name, value) => {
      fields[name] = value
    })
    form.on('file', (name, file, filename, _encoding, mimeType) => {
      if (name !== 'file') return file.resume()
      storing = store(file, { filename, mimeType })
      return storing.catch(reject)
    })
    form.on('finish', () => storing.then(stored => resolve({ fields, stored }), reject))
    form.on('error', error => reject(invalidForm(error)))
    stream.pipe(form)
  }).finally(() => {
    // After an error the rest is read, because the connection is reused.
    stream.unpipe()
    stream.resume()
  })
}

async function* limitSize(file: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    if (size > maxBytes) throw chatError(131053, 'The file is too large for its type')
    yield chunk
  }
}

export const uploadMedia: EdgeHandler = async (context, phoneId, request) => {
  const account = toAccountRef(phoneId)
  const { fields, stored } = await receiveForm(request, async (file, info) =>
    context.media.add(limitSize(file, getSizeLimit(info.mimeType)), { account, ...info, uploaded: true }),
  )
  if (!stored) throw new GraphError(100, 'The parameter file is required.', { details: 'file' })
  if ((fields.messaging_product ?? request.query.get('messaging_product')) === 'whatsapp')
    return ok({ id: stored.id })
  await context.media.remove(stored.id)
  throw new GraphError(100, 'The parameter messaging_product is required.', { details: 'messaging_product' })
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
