/** The Graph platform, which chatapp and socialapp share: its requests, its errors, its pages, its callbacks. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Account, Failure, WebhookRequest } from '../provider.ts'
import {
  asIdempotent,
  callProvider,
  isSameOrigin,
  missingToken,
  ProviderCallError,
  type ProviderResponse,
} from './http-client.ts'
import { type DownloadedFile, download, isHostUnder } from './media-transfer.ts'

export type Json = Record<string, unknown>

export interface GraphError {
  code: number
  error_subcode?: number
  message?: string
  error_data?: { details?: string }
}

export type ErrorClassifier = (error: GraphError, status: number) => Omit<Failure, 'message' | 'providerCode'>

export interface GraphCall {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: Json
  timeoutMs?: number
}

export type GraphAccess = Pick<Account, 'baseUrl' | 'token' | 'timeoutMs' | 'mayCall'>

/** Throws CallFailed with what the error means by the table. */
export async function callGraph(
  access: GraphAccess,
  call: GraphCall,
  meaning: ErrorClassifier,
): Promise<Json> {
  if (access.token === '') throw missingToken()
  const query = call.query ? `?${new URLSearchParams(call.query)}` : ''
  const answer = await callProvider({
    method: call.method ?? 'GET',
    url: `${access.baseUrl}/${call.path}${query}`,
    headers: {
      authorization: `Bearer ${access.token}`,
      ...(call.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    timeoutMs: call.timeoutMs ?? access.timeoutMs,
    mayCall: access.mayCall,
  })
  return parseResponse(answer, meaning)
}

export const readGraph = (access: GraphAccess, call: GraphCall, meaning: ErrorClassifier): Promise<Json> =>
  asIdempotent(() => callGraph(access, call, meaning))

export function parseResponse(answer: ProviderResponse, meaning: ErrorClassifier): Json {
  const body = parseJson(answer.text)
  if (answer.status < 300 && body) return body
  throw new ProviderCallError(toFailure(answer, body, meaning))
}

function toFailure(answer: ProviderResponse, body: Json | undefined, meaning: ErrorClassifier): Failure {
  const { status, retryAfterMs } = answer
  const error = body?.error as GraphError | undefined
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (typeof error?.code !== 'number') {
    // Not an error of theirs: a proxy's page, or a 200 that is no JSON. A 5xx may have been accepted behind it.
    const kind = status < 300 || status >= 500 ? 'uncertain' : 'retryable'
    return { kind, code: 'provider_error', message: `the provider answered ${status}`, ...wait }
  }
  return { ...toGraphFailure(error, meaning, status), ...wait }
}

/** An error of theirs, wherever it stands: in an answer or in a status. */
export function toGraphFailure(error: GraphError, meaning: ErrorClassifier, status = 400): Failure {
  const details = error.error_data?.details
  const message = String(details || error.message || 'the provider gave no reason').slice(0, 500)
  return { ...meaning(error, status), message, providerCode: String(error.code) }
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

/** The objects of a list; whatever else stands in it is left out. */
export function asRecords(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asRecord).filter(one => one !== undefined) : []
}

export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export interface GraphPage {
  data: Json[]
  /** The cursor of the next page. Their `next` address is absolute and carries the token, so it is never followed. */
  after: string | undefined
}

export function toPage(body: Json): GraphPage {
  const paging = asRecord(body.paging)
  const after = paging?.next ? asText(asRecord(paging.cursors)?.after) : undefined
  return { data: asRecords(body.data), after }
}

/** One page from our own base address, wherever the provider would have sent us. */
export async function fetchPage(
  access: GraphAccess,
  call: GraphCall,
  meaning: ErrorClassifier,
  after: string | undefined,
): Promise<GraphPage> {
  const query = { ...call.query, ...(after ? { after } : {}) }
  return toPage(await readGraph(access, { ...call, query }, meaning))
}

const maxPages = 100

/** Every page of a list, within reason. */
export async function fetchAllPages(
  access: GraphAccess,
  call: GraphCall,
  meaning: ErrorClassifier,
): Promise<Json[]> {
  const all: Json[] = []
  let after: string | undefined
  for (let i = 0; i < maxPages; i++) {
    const page = await fetchPage(access, call, meaning, after)
    all.push(...page.data)
    after = page.after
    if (!after) break
  }
  return all
}

/** The signature covers the raw bytes; any of the secrets may be the one. */
export function verifyHubSignature(callback: WebhookRequest, secrets: readonly string[]): boolean {
  const given = Buffer.from(callback.headers['x-hub-signature-256'] ?? '')
  return secrets.some(secret => {
    const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(callback.body).digest('hex')}`)
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}

const tokenHosts = ['facebook.com', 'fbsbx.com', 'instagram.com']
const fileHosts = [...tokenHosts, 'fbcdn.net', 'cdninstagram.com', 'whatsapp.net']

/** Where a token may go: the configured base address, and the provider's own hosts. */
export function canReceiveToken(access: Pick<Account, 'baseUrl'>, url: string): boolean {
  return isSameOrigin(access.baseUrl, url) || isHostUnder(url, tokenHosts)
}

export function downloadGraph(access: GraphAccess, url: string): Promise<DownloadedFile> {
  return download(url, {
    authorization: `Bearer ${access.token}`,
    trusted: one => canReceiveToken(access, one),
    allowed: one => isSameOrigin(access.baseUrl, one) || isHostUnder(one, fileHosts),
  })
}

/** The moment a provider names, in seconds or milliseconds; now where it makes no sense. */
export function parseTimestamp(value: unknown): string {
  const number = Number(value)
  const at = new Date(number < 100_000_000_000 ? number * 1000 : number)
  return Number.isFinite(at.getTime()) && number > 0 ? at.toISOString() : new Date().toISOString()
}
