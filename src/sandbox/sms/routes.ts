import { findMessage, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import type { StoredEntry } from '../store/ledger.ts'
import { checkAccount, readToken } from './accounts.ts'
import { SmsError } from './errors.ts'
import { sendMessage } from './messages.ts'
import {
  findNumberBySid,
  findOrCreateNumber,
  listNumbers,
  type SmsNumber,
  saveNumber,
  toAccountRef,
} from './numbers.ts'
import {
  buildPage,
  numberToApi,
  type ResourceHandler,
  readPage,
  receivedToApi,
  root,
  sentToApi,
} from './resources.ts'

function messageToApi(context: SandboxContext, { entry, payload }: StoredEntry): Record<string, unknown> {
  const text = payload.toString('utf8')
  return entry.kind === 'sent'
    ? sentToApi(context, entry, new URLSearchParams(text))
    : receivedToApi(context, entry, JSON.parse(text) as Record<string, unknown>)
}

async function fetchMessage(context: SandboxContext, account: string, sid: string): Promise<HttpResponse> {
  const found = await findMessage(context, sid)
  if (!found || findNumberBySid(context, found.entry.account)?.account !== account) throw new SmsError(20404)
  return { status: 200, json: messageToApi(context, found) }
}

/** Parses the date filters, in the three forms that the provider accepts. */
function parseDateRange(query: URLSearchParams): { from: number; to: number } {
  const on = query.get('DateSent')
  const day = 86_400_000
  if (on) {
    const start = Date.parse(on.slice(0, 10))
    return { from: start, to: start + day }
  }
  const from = query.get('DateSent>') ?? query.get('DateSentAfter')
  const to = query.get('DateSent<') ?? query.get('DateSentBefore')
  return { from: from ? Date.parse(from) : 0, to: to ? Date.parse(to) : Number.MAX_SAFE_INTEGER }
}

/** Merges the positions of several numbers, newest first. */
function* mergeNewestFirst(chains: Generator<number>[]): Generator<number> {
  const heads = chains.map(chain => ({ chain, at: chain.next() })).filter(head => !head.at.done)
  while (heads.length > 0) {
    const newest = heads.reduce((a, b) => ((a.at.value as number) > (b.at.value as number) ? a : b))
    yield newest.at.value as number
    newest.at = newest.chain.next()
    if (newest.at.done) heads.splice(heads.indexOf(newest), 1)
  }
}

interface MessageFilter {
  to: string | null
  from: string | null
  own: SmsNumber[]
  customer: string | undefined
}

/** Splits To and From into the account's numbers and the customer. */
function parseMessageFilter(context: SandboxContext, account: string, query: URLSearchParams): MessageFilter {
  const to = query.get('To')
  const from = query.get('From')
  const numbers = listNumbers(context, account)
  const isOwn = (phone: string | null) => phone !== null && numbers.some(number => number.phone === phone)
  const customerPhone = [to, from].find(phone => phone !== null && !isOwn(phone))
  const own = numbers.filter(number => [to, from].includes(number.phone))
  const both = to !== null && from !== null
  return {
    to,
    from,
    own: own.length > 0 || both ? own : numbers,
    customer: customerPhone ? normalizePhone(customerPhone) : undefined,
  }
}

const maxScanned = 100_000

const listMessages: ResourceHandler = async (context, account, request) => {
  const { size, start } = readPage(request.query)
  const { to, from, own, customer } = parseMessageFilter(context, account, request.query)
  const range = parseDateRange(request.query)
  const chains = own.map(number => context.ledger.newestFirst('sms', number.sid, customer))
  const items: Record<string, unknown>[] = []
  let matched = 0
  let scanned = 0
  for (const position of mergeNewestFirst(chains)) {
    const found = await context.ledger.find(position)
    if (!found || ++scanned > maxScanned || found.entry.at < range.from) break
    const item = messageToApi(context, found)
    const matches =
      (to === null || item.to === to) && (from === null || item.from === from || item.from === null)
    if (!matches || found.entry.at >= range.to || ++matched <= start) continue
    if (items.push(item) > size) break
  }
  return buildPage(
    request,
    `${root}/${account}/Messages.json`,
    'messages',
    items.slice(0, size),
    items.length > size,
  )
}

const listNumbersPage: ResourceHandler = (context, account, request) => {
  const { size, start } = readPage(request.query)
  const phone = request.query.get('PhoneNumber')
  const name = request.query.get('FriendlyName')
  const found = listNumbers(context, account).filter(
    number =>
      (phone === null || number.phone.includes(phone.replace(/[*\s]/g, ''))) &&
      (name === null || number.friendlyName === name),
  )
  const items = found.slice(start, start + size).map(numberToApi)
  const path = `${root}/${account}/IncomingPhoneNumbers.json`
  return buildPage(request, path, 'incoming_phone_numbers', items, found.length > start + size)
}

const updatableFields: Record<string, keyof SmsNumber> = {
  SmsUrl: 'smsUrl',
  SmsFallbackUrl: 'smsFallbackUrl',
  StatusCallback: 'statusCallback',
  FriendlyName: 'friendlyName',
}

function getFormerOrigins(number: SmsNumber, smsUrl: string | undefined): string[] {
  if (!smsUrl || !number.smsUrl || !URL.canParse(smsUrl)) return number.formerOrigins ?? []
  const former = [...(number.formerOrigins ?? []), new URL(number.smsUrl).origin]
  return [...new Set(former)].filter(origin => origin !== new URL(smsUrl).origin).slice(-5)
}

async function updateNumber(
  context: SandboxContext,
  number: SmsNumber,
  request: HttpRequest,
): Promise<HttpResponse> {
  const form = new URLSearchParams(request.body.toString('utf8'))
  for (const name of ['SmsUrl', 'SmsFallbackUrl', 'StatusCallback']) {
    const url = form.get(name)
    if (url && !/^https?:\/\//.test(url)) throw new SmsError(21502, `${name} is not a valid URL`)
  }
  const changes = Object.entries(updatableFields).flatMap(([name, field]) =>
    form.has(name) ? [[field, form.get(name)]] : [],
  )
  const formerOrigins = getFormerOrigins(number, form.get('SmsUrl') ?? undefined)
  const changed = {
    ...number,
    ...(Object.fromEntries(changes) as Partial<SmsNumber>),
    formerOrigins,
    authToken: readToken(request) ?? number.authToken,
  }
  await saveNumber(context, changed)
  context.callbacks.retryNow(entry => entry.channel === 'sms' && entry.account === number.sid)
  return { status: 200, json: numberToApi(changed) }
}

async function handleNumber(
  context: SandboxContext,
  account: string,
  sid: string,
  request: HttpRequest,
): Promise<HttpResponse> {
  const number = sid.startsWith('missing') ? undefined : await findOrCreateNumber(context, account, sid)
  if (!number) throw new SmsError(20404)
  if (context.faults.matchRequest(toAccountRef(sid))) throw new SmsError(20003)
  if (request.method === 'POST') return updateNumber(context, number, request)
  return { status: 200, json: numberToApi(number) }
}

/** Redirects authenticated requests to a signed URL that needs no credentials. */
function redirectToMedia(context: SandboxContext, sid: string): HttpResponse {
  const media = context.media.find(sid.replace(/^ME/, ''))
  if (!media) throw new SmsError(20404)
  return {
    status: 307,
    text: '',
    headers: { location: `${context.url}/cdn${context.media.signedPath(media)}` },
  }
}

const accountToApi = (sid: string) => ({
  sid,
  friendly_name: `Sandbox ${sid}`,
  status: 'active',
  type: 'Full',
  uri: `${root}/${sid}.json`,
})

async function handleMessages(
  context: SandboxContext,
  account: string,
  path: string[],
  request: HttpRequest,
): Promise<HttpResponse> {
  const [sid, kind, media] = path
  if (sid === undefined) {
    if (request.method === 'POST') return sendMessage(context, account, request)
    return listMessages(context, account, request)
  }
  if (kind === 'Media' && media) return redirectToMedia(context, media)
  return fetchMessage(context, account, sid)
}

async function dispatch(context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  const [accounts, name = '', resource, ...rest] = request.path.map(part => part.replace(/\.json$/, ''))
  if (accounts !== 'Accounts') throw new SmsError(20404)
  checkAccount(name, request)
  if (resource === undefined) return { status: 200, json: accountToApi(name) }
  if (resource === 'Messages') return handleMessages(context, name, rest, request)
  if (resource !== 'IncomingPhoneNumbers') throw new SmsError(20404)
  return rest[0] ? handleNumber(context, name, rest[0], request) : listNumbersPage(context, name, request)
}

export async function handleSms(context: SandboxContext, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await dispatch(context, request)
  } catch (error) {
    if (error instanceof SmsError) return error.toResponse()
    throw error
  }
}
