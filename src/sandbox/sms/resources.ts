/** How the sms provider shows messages and numbers, and pages through lists of them. */
import type { Json } from '../bodies.ts'
import type { Answer, Incoming } from '../http.ts'
import type { Entry } from '../store/ledger.ts'
import { idOf, type World } from '../world.ts'
import { meaning } from './errors.ts'
import { numberBySid, refOf, type SmsNumber } from './numbers.ts'
import { segments } from './segments.ts'

export const root = '/2010-04-01/Accounts'

const rfc2822 = (ms: number): string => new Date(ms).toUTCString().replace('GMT', '+0000')

/** What a message's statuses come to by now. */
function stateOf(world: World, entry: Entry): { status: string; error: number | undefined; changed: number } {
  const now = world.time.now(refOf(entry.account))
  const told = entry.steps.filter(step => step.at <= now).sort((a, b) => a.at - b.at)
  const last = told.at(-1)
  return {
    status: last?.tells ?? String(entry.about.first),
    error: last?.error,
    changed: last?.at ?? entry.at,
  }
}

export function showSent(world: World, entry: Entry, form: URLSearchParams, initial = false): Json {
  const { status, error, changed } = initial
    ? { status: String(entry.about.first), error: undefined, changed: entry.at }
    : stateOf(world, entry)
  const service = form.get('MessagingServiceSid')
  const body = form.get('Body') ?? ''
  const number = numberBySid(world, entry.account)
  const isQueued = status === 'queued' || status === 'accepted'
  return {
    ...common(world, entry, body, form.getAll('MediaUrl').length),
    from: service && isQueued ? null : (number?.phone ?? null),
    to: entry.about.to,
    status,
    direction: 'outbound-api',
    num_segments: service && isQueued ? '0' : String(segments(body)),
    price: isQueued ? null : `-${(0.0079 * segments(body)).toFixed(5)}`,
    error_code: error ?? null,
    error_message: error === undefined ? null : meaning(error),
    messaging_service_sid: service,
    date_sent: isQueued ? null : rfc2822(changed),
    date_updated: rfc2822(changed),
  }
}

export function showReceived(world: World, entry: Entry, form: Json): Json {
  return {
    ...common(world, entry, String(form.Body ?? ''), Number(form.NumMedia ?? 0)),
    from: form.From,
    to: form.To,
    status: 'received',
    direction: 'inbound',
    num_segments: String(form.NumSegments ?? '1'),
    price: null,
    error_code: null,
    error_message: null,
    messaging_service_sid: null,
    date_sent: rfc2822(entry.at),
    date_updated: rfc2822(entry.at),
  }
}

function common(world: World, entry: Entry, body: string, media: number): Json {
  const account = numberBySid(world, entry.account)?.account ?? ''
  const sid = idOf(world, entry)
  const uri = `${root}/${account}/Messages/${sid}`
  return {
    sid,
    account_sid: account,
    api_version: '2010-04-01',
    body,
    num_media: String(media),
    price_unit: 'USD',
    date_created: rfc2822(entry.at),
    subresource_uris: { media: `${uri}/Media.json` },
    uri: `${uri}.json`,
  }
}

export function showNumber(number: SmsNumber): Json {
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
    date_created: rfc2822(0),
    date_updated: rfc2822(0),
    uri: `${root}/${number.account}/IncomingPhoneNumbers/${number.sid}.json`,
  }
}

/** Where a page starts, for lists that make their items lazily. */
export function window(query: URLSearchParams): { size: number; page: number; start: number } {
  const asked = Number(query.get('PageSize') ?? 50)
  const size = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 1000) : 50
  const page = Math.max(Number(query.get('Page') ?? 0) || 0, 0)
  return { size, page, start: page * size }
}

/** One page; `uri`s are relative to the host, as the provider gives them. */
export function pageOf(
  incoming: Incoming,
  path: string,
  name: string,
  items: Json[],
  hasMore: boolean,
): Answer {
  const { size, page, start } = window(incoming.query)
  const uri = (number: number) => {
    const query = new URLSearchParams(incoming.query)
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
