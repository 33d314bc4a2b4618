/** Streams files to and from providers. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { agent, ProviderCallError, toFailure } from './http-client.ts'
import type { MediaFile } from './provider.ts'

export interface MultipartForm {
  body: Readable
  headers: Record<string, string>
}

/** Builds a multipart form with one file and a known content length. */
export async function buildForm(fields: Record<string, string>, file: MediaFile): Promise<MultipartForm> {
  const boundary = `parley-${randomBytes(12).toString('hex')}`
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const filename = file.filename.replace(/["\r\n\\]/g, '_')
  const opening = Buffer.from(
    `${texts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n` +
      `content-type: ${file.mimeType}\r\n\r\n`,
  )
  const closing = Buffer.from(`\r\n--${boundary}--\r\n`)
  const bytes = await file.open()
  async function* parts() {
    yield opening
    yield* bytes as AsyncIterable<Buffer>
    yield closing
  }
  return {
    body: Readable.from(parts()),
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(opening.length + file.size + closing.length),
    },
  }
}

export interface DownloadOptions {
  authorization: string
  /** URLs that may receive the credentials. */
  trusted: (url: string) => boolean
  /** URLs that may be fetched: the provider's API and file hosts. */
  allowed: (url: string) => boolean
  timeoutMs?: number | undefined
}

export interface DownloadedFile {
  body: Readable
  mimeType: string
  filename?: string
}

const maxRedirects = 2

export async function download(
  url: string,
  options: DownloadOptions,
  redirects = 0,
): Promise<DownloadedFile> {
  if (!options.allowed(url))
    throw downloadError('permanent', 'media_host_not_allowed', 'returned a media URL on another host')
  const headers: Record<string, string> = options.trusted(url) ? { authorization: options.authorization } : {}
  const response = await request(url, {
    dispatcher: agent,
    headers,
    signal: AbortSignal.timeout(options.timeoutMs ?? 120_000),
  }).catch(error => {
    throw new ProviderCallError({ ...toFailure(error), kind: 'retryable' })
  })
  const { statusCode: status, headers: responseHeaders, body } = response
  if (status === 200)
    return {
      body,
      mimeType: String(responseHeaders['content-type'] ?? 'application/octet-stream'),
      ...parseFilename(responseHeaders),
    }
  body.resume()
  const { location } = responseHeaders
  if (status >= 300 && status < 400 && typeof location === 'string' && redirects < maxRedirects)
    return download(new URL(location, url).href, options, redirects + 1)
  const isRetryable = status >= 500 || status === 429 || status === 408
  throw downloadError(
    isRetryable ? 'retryable' : 'permanent',
    'media_download_failed',
    `responded with ${status}`,
  )
}

function downloadError(kind: 'permanent' | 'retryable', code: string, what: string): ProviderCallError {
  return new ProviderCallError({ kind, code, message: `the provider ${what}` })
}

function parseFilename(headers: Record<string, string | string[] | undefined>): { filename?: string } {
  const match = /filename="([^"\\/]{1,240})"/.exec(String(headers['content-disposition'] ?? ''))
  return match ? { filename: match[1]! } : {}
}

/** Returns whether the URL is https on one of the domains or a subdomain. */
export function isHostUnder(url: string, domains: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return (
    protocol === 'https:' && domains.some(domain => hostname === domain || hostname.endsWith(`.${domain}`))
  )
}
