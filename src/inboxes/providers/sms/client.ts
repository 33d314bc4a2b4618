/** The sms provider's REST interface: forms in, JSON out, and pages whose addresses lack the host. */
import type { Account } from '../../provider.ts'
import { asRecords, asText, type Json, parseJson } from '../graph.ts'
import { asIdempotent, callProvider, isSameOrigin, missingToken, ProviderCallError } from '../http-client.ts'
import { type DownloadedFile, download, isHostUnder } from '../media-transfer.ts'
import { toFailure } from './errors.ts'

export interface SmsAccess {
  baseUrl: string
  accountSid: string
  token: string
  timeoutMs?: number | undefined
  mayCall?: Account['mayCall'] | undefined
}

export const toAccess = ({ baseUrl, config, token, timeoutMs, mayCall }: Account): SmsAccess => ({
  baseUrl,
  accountSid: config.accountSid ?? '',
  token,
  timeoutMs,
  mayCall,
})

const buildAuthorization = ({ accountSid, token }: SmsAccess): string =>
  `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`

export const buildAccountPath = ({ accountSid }: SmsAccess): string =>
  `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`

/** `path` as the provider writes it: from the root of its host, which is our base address. */
export async function callRest(access: SmsAccess, path: string, form?: URLSearchParams): Promise<Json> {
  if (access.token === '') throw missingToken()
  const answer = await callProvider({
    method: form ? 'POST' : 'GET',
    url: `${access.baseUrl}${path}`,
    headers: {
      authorization: buildAuthorization(access),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: form.toString() } : {}),
    timeoutMs: access.timeoutMs,
    mayCall: access.mayCall,
  })
  const body = parseJson(answer.text)
  if (answer.status < 300 && body) return body
  const wait = answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }
  if (typeof body?.code === 'number')
    throw new ProviderCallError({ ...toFailure(body.code, answer.status, body.message), ...wait })
  throw new ProviderCallError({
    kind: answer.status < 300 || answer.status >= 500 ? 'uncertain' : 'retryable',
    code: 'provider_error',
    message: `the provider answered ${answer.status}`,
    ...wait,
  })
}

export const readRest = (access: SmsAccess, path: string): Promise<Json> =>
  asIdempotent(() => callRest(access, path))

const maxPages = 100

/** Every item of a list, page after page, until `enough`. */
export async function fetchAllItems(
  access: SmsAccess,
  path: string,
  name: string,
  enough: (items: Json[]) => boolean = () => false,
): Promise<Json[]> {
  const all: Json[] = []
  let next: string | undefined = path
  for (let i = 0; next && i < maxPages && !enough(all); i++) {
    const page: Json = await readRest(access, next)
    all.push(...asRecords(page[name]))
    const uri = asText(page.next_page_uri)
    // Anything but a path would take our credentials elsewhere.
    next = uri?.startsWith('/') && !uri.startsWith('//') ? uri : undefined
  }
  return all
}

const fileHosts = ['twilio.com', 'twiliocdn.com', 's3-external-1.amazonaws.com']

export function downloadSms(access: SmsAccess, url: string): Promise<DownloadedFile> {
  return download(url, {
    authorization: buildAuthorization(access),
    trusted: one => isSameOrigin(access.baseUrl, one) || isHostUnder(one, ['api.twilio.com']),
    allowed: one => isSameOrigin(access.baseUrl, one) || isHostUnder(one, fileHosts),
  })
}
