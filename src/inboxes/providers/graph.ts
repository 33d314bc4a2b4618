/** Client of the Graph platform, shared by chatapp and socialapp: requests, errors, paging, webhook signatures. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../platform/encryption/keys.ts'
import {
  asIdempotent,
  callProvider,
  isSameOrigin,
  missingToken,
  ProviderCallError,
  type ProviderResponse,
  toFailure as toConnectionFailure,
} from './http-client.ts'
import { type DownloadedFile, download, isHostUnder } from './media-transfer.ts'
import type { Account, Failure, WebhookRequest } from './provider.ts'

export type Json = Record<string, unknown>

export interface GraphError {
  code: number
  error_subcode?: number
  message?: string
  error_data?: { details?: string }
}

export type ErrorClassifier = (error: GraphError, status: number) => Omit<Failure, 'message' | 'providerCode'>

export type Classification = ReturnType<ErrorClassifier>

export const permanent = (code: string): Classification => ({ kind: 'permanent', code })
/** The request may have been accepted. */
export const uncertain: Classification = { kind: 'uncertain', code: 'provider_error' }

/** Classifies codes that no provider has a meaning of its own for. */
export function classifyUnknown(code: number, status: number): Classification {
  if (code >= 200 && code < 300) return permanent('permission_missing')
  return status >= 500 ? uncertain : permanent('rejected')
}

export interface GraphCall {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: Json
  timeoutMs?: number
}

export type GraphAccess = Pick<Account, 'baseUrl' | 'token' | 'timeoutMs' | 'holdsLease'>

/** Throws ProviderCallError, classified by `classify`. */
export async function callGraph(
  access: GraphAccess,
  call: GraphCall,
  classify: ErrorClassifier,
): Promise<Json> {
  if (access.token === '') throw missingToken()
  const query = call.query ? `?${new URLSearchParams(call.query)}` : ''
  const response = await callProvider({
    method: call.method ?? 'GET',
    url: `${access.baseUrl}/${call.path}${query}`,
    headers: {
      authorization: `Bearer ${access.token}`,
      ...(call.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    timeoutMs: call.timeoutMs ?? access.timeoutMs,
    holdsLease: access.holdsLease,
  })
  return parseResponse(response, classify)
}

export const readGraph = (access: GraphAccess, call: GraphCall, classify: ErrorClassifier): Promise<Json> =>
  asIdempotent(() => callGraph(access, call, classify))

export function parseResponse(response: ProviderResponse, classify: ErrorClassifier): Json {
  const body = parseJson(response.text)
  if (response.status < 300 && body) return body
  throw new ProviderCallError(toFailure(response, body, classify))
}

function toFailure(response: ProviderResponse, body: Json | undefined, classify: ErrorClassifier): Failure {
  const { status, retryAfterMs } = response
  const error = body?.error as GraphError | undefined
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (typeof error?.code !== 'number') {
    // Not an error of the Graph API: a proxy's page, or a 200 without JSON. After a 5xx the request may have been accepted.
    const kind = status < 300 || status >= 500 ? 'uncertain' : 'retryable'
    return { kind, code: 'provider_error', message: `the provider responded with ${status}`, ...wait }
  }
  return { ...toGraphFailure(error, classify, status), ...wait }
}

/** Converts an error object of a response or of a status webhook. */
export function toGraphFailure(error: GraphError, classify: ErrorClassifier, status = 400): Failure {
  const details = error.error_data?.details
  const message = String(details || error.message || 'the provider gave no reason').slice(0, 500)
  return { ...classify(error, status), message, providerCode: String(error.code) }
}

export function parseJson(text: string): Json | undefined {
  try {
    return asRecord(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

/** Returns the objects of a list and drops other values. */
export function asRecords(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asRecord).filter(record => record !== undefined) : []
}

export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export interface GraphPage {
  data: Json[]
  /** Cursor of the next page. `paging.next` is an absolute URL that contains the token, so it is never followed. */
  after: string | undefined
}

export function toPage(body: Json): GraphPage {
  const paging = asRecord(body.paging)
  const after = paging?.next ? asText(asRecord(paging.cursors)?.after) : undefined
  return { data: asRecords(body.data), after }
}

export async function fetchPage(
  access: GraphAccess,
  call: GraphCall,
  classify: ErrorClassifier,
  after: string | undefined,
): Promise<GraphPage> {
  const query = { ...call.query, ...(after ? { after } : {}) }
  return toPage(await readGraph(access, { ...call, query }, classify))
}

const maxPages = 100

/** Fetches the pages of a list, at most 100. */
export async function fetchAllPages(
  access: GraphAccess,
  call: GraphCall,
  classify: ErrorClassifier,
): Promise<Json[]> {
  const all: Json[] = []
  let after: string | undefined
  for (let i = 0; i < maxPages; i++) {
    const page = await fetchPage(access, call, classify, after)
    all.push(...page.data)
    after = page.after
    if (!after) break
  }
  return all
}

export function verifyHubSignature(webhook: WebhookRequest, secrets: readonly string[]): boolean {
  const given = webhook.headers['x-hub-signature-256'] ?? ''
  const sign = (secret: string) => createHmac('sha256', secret).update(webhook.body).digest('hex')
  return secrets.some(secret => isSameSecret(given, `sha256=${sign(secret)}`))
}

/** Lists the callback URLs that apps have set for an account or business account; undefined for an app without one. */
export async function listSubscribedUrls(
  access: GraphAccess,
  id: string | undefined,
  classify: ErrorClassifier,
): Promise<(string | undefined)[]> {
  const { data } = await readGraph(access, { path: `${id}/subscribed_apps` }, classify)
  return asRecords(data).map(app => asText(app.override_callback_uri))
}

const tokenHosts = ['facebook.com', 'fbsbx.com', 'instagram.com']
const fileHosts = [...tokenHosts, 'fbcdn.net', 'cdninstagram.com', 'whatsapp.net']

/** Tokens are sent to the configured base URL and the provider's own hosts only. */
export function canReceiveToken(access: Pick<Account, 'baseUrl'>, url: string): boolean {
  return isSameOrigin(access.baseUrl, url) || isHostUnder(url, tokenHosts)
}

export function downloadGraph(access: GraphAccess, url: string, timeoutMs?: number): Promise<DownloadedFile> {
  return download(url, {
    authorization: `Bearer ${access.token}`,
    timeoutMs,
    trusted: fileUrl => canReceiveToken(access, fileUrl),
    allowed: fileUrl => isSameOrigin(access.baseUrl, fileUrl) || isHostUnder(fileUrl, fileHosts),
  })
}

const textTimeoutMs = 10_000

/** Returns the text of a file; undefined if it is larger than `maxBytes`. */
export async function downloadGraphText(
  access: GraphAccess,
  url: string,
  maxBytes: number,
): Promise<string | undefined> {
  const { body } = await downloadGraph(access, url, textTimeoutMs)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) return undefined
      chunks.push(chunk)
    }
  } catch (error) {
    throw new ProviderCallError({ ...toConnectionFailure(error), kind: 'retryable' })
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses a Unix timestamp in seconds or milliseconds; returns the current time if invalid. */
export function parseTimestamp(value: unknown): string {
  const number = Number(value)
  const at = new Date(number < 100_000_000_000 ? number * 1000 : number)
  return Number.isFinite(at.getTime()) && number > 0 ? at.toISOString() : new Date().toISOString()
}
