/** The sms provider's REST interface: forms in, JSON out, and pages whose addresses lack the host. */
import type { Account } from '../../provider.ts'
import { CallFailed, callProvider, noToken, repeatable, sameOrigin } from '../call.ts'
import { type Downloaded, download, isHostOf } from '../files.ts'
import { type Json, parse, recordsIn, textIn } from '../graph.ts'
import { failureOf } from './errors.ts'

export interface SmsAccess {
  baseUrl: string
  accountSid: string
  token: string
  timeoutMs?: number | undefined
  mayCall?: Account['mayCall'] | undefined
}

export const accessOf = ({ baseUrl, config, token, timeoutMs, mayCall }: Account): SmsAccess => ({
  baseUrl,
  accountSid: config.accountSid ?? '',
  token,
  timeoutMs,
  mayCall,
})

const authorization = ({ accountSid, token }: SmsAccess): string =>
  `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`

export const accountPath = ({ accountSid }: SmsAccess): string =>
  `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`

/** `path` as the provider writes it: from the root of its host, which is our base address. */
export async function rest(access: SmsAccess, path: string, form?: URLSearchParams): Promise<Json> {
  if (access.token === '') throw noToken()
  const answer = await callProvider({
    method: form ? 'POST' : 'GET',
    url: `${access.baseUrl}${path}`,
    headers: {
      authorization: authorization(access),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: form.toString() } : {}),
    timeoutMs: access.timeoutMs,
    mayCall: access.mayCall,
  })
  const body = parse(answer.text)
  if (answer.status < 300 && body) return body
  const wait = answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }
  if (typeof body?.code === 'number')
    throw new CallFailed({ ...failureOf(body.code, answer.status, body.message), ...wait })
  throw new CallFailed({
    kind: answer.status < 300 || answer.status >= 500 ? 'uncertain' : 'retryable',
    code: 'provider_error',
    message: `the provider answered ${answer.status}`,
    ...wait,
  })
}

export const restRead = (access: SmsAccess, path: string): Promise<Json> =>
  repeatable(() => rest(access, path))

const mostPages = 100

/** Every item of a list, page after page, until `enough`. */
export async function everyItem(
  access: SmsAccess,
  path: string,
  name: string,
  enough: (items: Json[]) => boolean = () => false,
): Promise<Json[]> {
  const all: Json[] = []
  let next: string | undefined = path
  for (let i = 0; next && i < mostPages && !enough(all); i++) {
    const page: Json = await restRead(access, next)
    all.push(...recordsIn(page[name]))
    const uri = textIn(page.next_page_uri)
    // Anything but a path would take our credentials elsewhere.
    next = uri?.startsWith('/') && !uri.startsWith('//') ? uri : undefined
  }
  return all
}

const fileHosts = ['twilio.com', 'twiliocdn.com', 's3-external-1.amazonaws.com']

export function downloadSms(access: SmsAccess, url: string): Promise<Downloaded> {
  return download(url, {
    authorization: authorization(access),
    trusted: one => sameOrigin(access.baseUrl, one) || isHostOf(one, ['api.twilio.com']),
    allowed: one => sameOrigin(access.baseUrl, one) || isHostOf(one, fileHosts),
  })
}
