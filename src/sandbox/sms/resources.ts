/** JSON representations of messages, numbers and pages. */

import { getMessageId, type SandboxContext } from '../context.ts'
import type { Json } from '../http/bodies.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import type { Entry } from '../store/ledger.ts'
import { getErrorText } from './errors.ts'
import { findNumberBySid, type SmsNumber, toAccountRef } from './numbers.ts'
import { countSegments } from './segments.ts'

export const root = '/2010-04-01/Accounts'

export type ResourceHandler = (
  context: SandboxContext,
  account: string,
  request: HttpRequest,
) => Promise<HttpResponse> | HttpResponse

const toRfc2822 = (ms: number): string => new Date(ms).toUTCString().replace('GMT', '+0000')

function getCurrentStatus(
  context: SandboxContext,
  entry: Entry,
): { status: string; error: number | undefined; changed: number } {
  const now = context.clock.now(toAccountRef(entry.account))
  const reported = entry.steps.filter(step => step.at <= now).sort((a, b) => a.at - b.at)
  const last = reported.at(-1)
  return {
    status: last?.type ?? String(entry.metadata.first),
    error: last?.errorCode,
    changed: last?.at ?? entry.at,
  }
}

export function sentToApi(
  context: SandboxContext,
  entry: Entry,
  form: URLSearchParams,
  initial = false,
): Json {
  const { status, error, changed } = initial
    ? { status: String(entry.metadata.first), error: undefined, changed: entry.at }
    : getCurrentStatus(context, entry)
  const service = form.get('MessagingServiceSid')
  const body = form.get('Body') ?? ''
  const number = findNumberBySid(context, entry.account)
  const isQueued = status === 'queued' || status === 'accepted'
  return {
    ...commonToApi(context, entry, body, form.getAll('MediaUrl').length),
    from: service && isQueued ? null : (number?.phone ?? null),
    to: entry.metadata.to,
    status,
    direction: 'outbound-api',
    num_segments: service && isQueued ? '0' : String(countSegments(body)),
    price: isQueued ? null : `-${(0.0079 * countSegments(body)).toFixed(5)}`,
    error_code: error ?? null,
    error_message: error === undefined ? null : getErrorText(error),
    messaging_service_sid: service,
    date_sent: isQueued ? null : toRfc2822(changed),
    date_updated: toRfc2822(changed),
  }
}

export function receivedToApi(context: SandboxContext, entry: Entry, form: Json): Json {
  return {
    ...commonToApi(context, entry, String(form.Body ?? ''), Number(form.NumMedia ?? 0)),
    from: form.From,
    to: form.To,
    status: 'received',
    direction: 'inbound',
    num_segments: String(form.NumSegments ?? '1'),
    price: null,
    error_code: null,
    error_message: null,
    messaging_service_sid: null,
    date_sent: toRfc2822(entry.at),
    date_updated: toRfc2822(entry.at),
  }
}

function commonToApi(context: SandboxContext, entry: Entry, body: string, media: number): Json {
  const account = findNumberBySid(context, entry.account)?.account ?? ''
  const sid = getMessageId(context, entry)
  const uri = `${root}/${account}/Messages/${sid}`
  return {
    sid,
    account_sid: account,
    api_version: '2010-04-01',
    body,
    num_media: String(media),
    price_unit: 'USD',
    date_created: toRfc2822(entry.at),
    subresource_uris: { media: `${uri}/Media.json` },
    uri: `${uri}.json`,
  }
}

export function numberToApi(number: SmsNumber): Json {
  return {
    sid: number.sid,
    account_sid: number.account,
    phone_number: number.phone,
    friendly_name: number.friendlyName,
    capabilities: { voice: true, sms: number.hasSms, mms: number.hasSms, fax: false },
    sms_url: number.smsUrl ?? '',
    sms_method: 'POST',
    sms_fallback_url: number.smsFallbackUrl ?? '',
    sms_fallback_method: 'POST',
    sms_application_sid: '',
    status_callback: number.statusCallback ?? '',
    status_callback_method: 'POST',
    status: 'in-use',
    type: number.type,
    origin: 'twilio',
    beta: false,
    api_version: '2010-04-01',
    address_requirements: 'none',
    date_created: toRfc2822(0),
    date_updated: toRfc2822(0),
    uri: `${root}/${number.account}/IncomingPhoneNumbers/${number.sid}.json`,
  }
}

export function readPage(query: URLSearchParams): { size: number; page: number; start: number } {
  const requested = Number(query.get('PageSize') ?? 50)
  const size = Number.isInteger(requested) && requested > 0 ? Math.min(requested, 1000) : 50
  const page = Math.max(Number(query.get('Page') ?? 0) || 0, 0)
  return { size, page, start: page * size }
}

/** Returns one page; URIs are relative to the host, as with the real provider. */
export function buildPage(
  request: HttpRequest,
  path: string,
  name: string,
  items: Json[],
  hasMore: boolean,
): HttpResponse {
  const { size, page, start } = readPage(request.query)
  const uri = (number: number) => {
    const query = new URLSearchParams(request.query)
    query.set('PageSize', String(size))
    query.set('Page', String(number))
    if (number > 0) query.set('PageToken', `PT${number}`)
    return `${path}?${query}`
  }
  return {
    status: 200,
    json: {
      [name]: items,
      page,
      page_size: size,
      start,
      end: Math.max(start + items.length - 1, 0),
      uri: uri(page),
      first_page_uri: uri(0),
      next_page_uri: hasMore ? uri(page + 1) : null,
      previous_page_uri: page > 0 ? uri(page - 1) : null,
    },
  }
}
