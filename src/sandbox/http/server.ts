/** The providers' front door: plain HTTP, as lean as it gets, because benchmarks go through it. */
import { createReadStream } from 'node:fs'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Logger } from '../../platform/log.ts'

export interface HttpRequest {
  method: string
  /** path and query as they came */
  url: string
  /** what follows the provider's prefix */
  path: string[]
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** where callers reach this provider: scheme, host and prefix */
  base: string
  /** empty for multipart, which is read from the stream */
  body: Buffer
  stream: IncomingMessage
}

export interface HttpResponse {
  status: number
  json?: unknown
  text?: string
  type?: string
  file?: string
  bytes?: Buffer
  headers?: Record<string, string>
  /** in place of the answer: silence, or a cut connection */
  ending?: 'hang' | 'reset'
  delayMs?: number
}

const maxBodyBytes = 4 << 20
// A customer's file comes in through the control surface, in base64.
const maxControlBodyBytes = 40 << 20
const hangMs = 120_000

class BodyTooLarge extends Error {}

function readBody(request: IncomingMessage): Promise<Buffer> {
  const most = request.url?.startsWith('/control/') ? maxControlBodyBytes : maxBodyBytes
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= most) chunks.push(chunk)
      else reject(new BodyTooLarge())
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function readRequest(request: IncomingMessage): Promise<HttpRequest> {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const multipart = request.headers['content-type']?.startsWith('multipart/') ?? false
  const empty = request.method === 'GET' || multipart
  return {
    method: request.method ?? 'GET',
    url,
    path: path.split('/').filter(Boolean).map(decode),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers: request.headers,
    base: `http://${request.headers.host ?? 'localhost'}`,
    body: empty ? Buffer.alloc(0) : await readBody(request),
    stream: request,
  }
}

function endConnection(request: IncomingMessage, response: ServerResponse, ending: 'hang' | 'reset'): void {
  if (ending === 'reset') request.socket.resetAndDestroy()
  else setTimeout(() => response.destroy(), hangMs).unref()
}

function writeResponse(request: IncomingMessage, response: ServerResponse, answer: HttpResponse): void {
  if (answer.ending) {
    endConnection(request, response, answer.ending)
    return
  }
  const body = answer.bytes ?? (answer.json === undefined ? (answer.text ?? '') : JSON.stringify(answer.json))
  if (answer.file) {
    response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers })
    createReadStream(answer.file)
      .on('error', () => response.destroy())
      .pipe(response)
    return
  }
  response.writeHead(answer.status, {
    'content-type': answer.type ?? 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
    ...answer.headers,
  })
  response.end(body)
}

export type RequestHandler = (incoming: HttpRequest) => Promise<HttpResponse>

export function createServer(handle: RequestHandler, log: Logger): http.Server {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const answer = await handle(await readRequest(request))
      if (answer.delayMs) setTimeout(() => writeResponse(request, response, answer), answer.delayMs)
      else writeResponse(request, response, answer)
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) log.error({ err: error }, 'sandbox: a request failed')
      if (response.headersSent) response.destroy()
      else
        writeResponse(request, response, {
          status: error instanceof BodyTooLarge ? 413 : 500,
          json: { error: 'failed' },
        })
    }
  }
  const server = http.createServer((request, response) => void serve(request, response))
  server.keepAliveTimeout = 75_000
  return server
}
