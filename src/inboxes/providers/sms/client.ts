/** REST client of the sms provider: form requests, JSON responses, paging by relative URLs. */

import { asRecords, asText, type Json, parseJson } from '../graph.ts'
import { asIdempotent, callProvider, isSameOrigin, missingToken, ProviderCallError } from '../http-client.ts'
import { type DownloadedFile, download, isHostUnder } from '../media-transfer.ts'
import type { Account } from '../provider.ts'
import { toFailure } from './errors.ts'

export interface SmsAccess {
  baseUrl: string
  accountSid: string
  token: string
  timeoutMs?: number | undefined
  holdsLease?: Account['holdsLease'] | undefined
}

export const toAccess = ({ baseUrl, config, token, timeoutMs, holdsLease }: Account): SmsAccess => ({
  baseUrl,
  accountSid: config.accountSid ?? '',
  token,
  timeoutMs,
  holdsLease,
})

const buildAuthorization = ({ accountSid, token }: SmsAccess): string =>
  `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`

export const buildAccountPath = ({ accountSid }: SmsAccess): string =>
  `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`

/** `path` is relative to the provider's host, which is the base URL. */
export async function callRest(access: SmsAccess, path: string, form?: URLSearchParams): Promise<Json> {
  if (access.token === '') throw missingToken()
  const response = await callProvider({
    method: form ? 'POST' : 'GET',
    url: `${access.baseUrl}${path}`,
    headers: {
      authorization: buildAuthorization(access),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: form.toString() } : {}),
    timeoutMs: access.timeoutMs,
    holdsLease: access.holdsLease,
  })
  const body = parseJson(response.text)
  if (response.status < 300 && body) return body
  const wait = response.retryAfterMs === undefined ? {} : { retryAfterMs: response.retryAfterMs }
  if (typeof body?.code === 'number')
    throw new ProviderCallError({ ...toFailure(body.code, response.status, body.message), ...wait })
  throw new ProviderCallError({
    kind: response.status < 300 || response.status >= 500 ? 'uncertain' : 'retryable',
    code: 'provider_error',
    message: `the provider responded with ${response.status}`,
    ...wait,
  })
}

export const readRest = (access: SmsAccess, path: string): Promise<Json> =>
  asIdempotent(() => callRest(access, path))

const maxPages = 100

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
    // Only a path: another host would receive the credentials.
    next = uri?.startsWith('/') && !uri.startsWith('//') ? uri : undefined
  }
  return all
}

const fileHosts = ['twilio.com', 'twiliocdn.com', 's3-external-1.amazonaws.com']

export function downloadSms(access: SmsAccess, url: string): Promise<DownloadedFile> {
  return download(url, {
    authorization: buildAuthorization(access),
    trusted: fileUrl => isSameOrigin(access.baseUrl, fileUrl) || isHostUnder(fileUrl, ['api.twilio.com']),
    allowed: fileUrl => isSameOrigin(access.baseUrl, fileUrl) || isHostUnder(fileUrl, fileHosts),
  })
}
