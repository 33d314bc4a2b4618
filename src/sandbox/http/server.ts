/** HTTP server of the providers. Minimal, because benchmarks run through it. */
import { createReadStream } from 'node:fs'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Logger } from '../../platform/log.ts'

export interface HttpRequest {
  method: string
  /** original path and query */
  url: string
  /** path segments after the provider's prefix */
  path: string[]
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** base URL of the provider: scheme, host and prefix */
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
  /** hangs or resets the connection instead of responding */
  ending?: 'hang' | 'reset'
  delayMs?: number
}

const maxBodyBytes = 4 << 20
// Files of simulated customers are sent to the control API in base64.
const maxControlBodyBytes = 40 << 20
const hangMs = 120_000

class BodyTooLarge extends Error {}

function readBody(request: IncomingMessage): Promise<Buffer> {
  const maxBytes = request.url?.startsWith('/control/') ? maxControlBodyBytes : maxBodyBytes
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
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
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  const multipart = request.headers['content-type']?.startsWith('multipart/') ?? false
  const empty = request.method === 'GET' || multipart
  return {
    method: request.method ?? 'GET',
    url,
    path: path.split('/').filter(Boolean).map(decode),
    query: new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1)),
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

function writeResponse(request: IncomingMessage, response: ServerResponse, result: HttpResponse): void {
  if (result.ending) {
    endConnection(request, response, result.ending)
    return
  }
  const body = result.bytes ?? (result.json === undefined ? (result.text ?? '') : JSON.stringify(result.json))
  if (result.file) {
    response.writeHead(result.status, { 'content-type': result.type, ...result.headers })
    createReadStream(result.file)
      .on('error', () => response.destroy())
      .pipe(response)
    return
  }
  response.writeHead(result.status, {
    'content-type': result.type ?? 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
    ...result.headers,
  })
  response.end(body)
}

export type RequestHandler = (request: HttpRequest) => Promise<HttpResponse>

export function createServer(handle: RequestHandler, log: Logger): http.Server {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const result = await handle(await readRequest(request))
      if (result.delayMs) setTimeout(() => writeResponse(request, response, result), result.delayMs)
      else writeResponse(request, response, result)
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) log.error({ err: error }, 'sandbox: request failed')
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
