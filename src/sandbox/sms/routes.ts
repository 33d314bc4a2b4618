/** The sms provider's addresses. */

import { getEpoch, type SandboxContext } from '../context.ts'
import { normalizePhone } from '../customers.ts'
import type { HttpRequest, HttpResponse } from '../http/server.ts'
import { parseMessageId } from '../identifiers.ts'
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
import { buildPage, numberToApi, readPage, receivedToApi, root, sentToApi } from './resources.ts'

function messageToApi(world: SandboxContext, { entry, payload }: StoredEntry): Record<string, unknown> {
  const text = payload.toString('utf8')
  return entry.kind === 'sent'
    ? sentToApi(world, entry, new URLSearchParams(text))
    : receivedToApi(world, entry, JSON.parse(text) as Record<string, unknown>)
}

async function fetchMessage(world: SandboxContext, account: string, sid: string): Promise<HttpResponse> {
  const n = parseMessageId(getEpoch(world), sid)
  const found = n === undefined ? undefined : await world.ledger.find(n)
  if (!found || findNumberBySid(world, found.entry.account)?.account !== account) throw new SmsError(20404)
  return { status: 200, json: messageToApi(world, found) }
}

/** The day or moment a filter speaks of, in the three spellings the provider takes. */
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

/** Positions of all numbers of an account, newest first: the newest of the numbers' own newest, over and over. */
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
  ours: SmsNumber[]
  peer: string | undefined
}

/** One of the two ends is ours, the other is the customer's. */
function parseMessageFilter(world: SandboxContext, account: string, query: URLSearchParams): MessageFilter {
  const to = query.get('To')
  const from = query.get('From')
  const numbers = listNumbers(world, account)
  const isOurs = (phone: string | null) => phone !== null && numbers.some(number => number.phone === phone)
  const theirs = [to, from].find(phone => phone !== null && !isOurs(phone))
  const ours = numbers.filter(number => [to, from].includes(number.phone))
  const both = to !== null && from !== null
  return {
    to,
    from,
    ours: ours.length > 0 || both ? ours : numbers,
    peer: theirs ? normalizePhone(theirs) : undefined,
  }
}

const maxScanned = 100_000

async function listMessages(
  world: SandboxContext,
  account: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const { size, start } = readPage(incoming.query)
  const { to, from, ours, peer } = parseMessageFilter(world, account, incoming.query)
  const range = parseDateRange(incoming.query)
  const chains = ours.map(number => world.ledger.newestFirst('sms', number.sid, peer))
  const shown: Record<string, unknown>[] = []
  let matched = 0
  let looked = 0
  for (const n of mergeNewestFirst(chains)) {
    const found = await world.ledger.find(n)
    if (!found || ++looked > maxScanned || found.entry.at < range.from) break
    const item = messageToApi(world, found)
    const fits =
      (to === null || item.to === to) && (from === null || item.from === from || item.from === null)
    if (!fits || found.entry.at >= range.to || ++matched <= start) continue
    if (shown.push(item) > size) break
  }
  return buildPage(
    incoming,
    `${root}/${account}/Messages.json`,
    'messages',
    shown.slice(0, size),
    shown.length > size,
  )
}

function listNumbersPage(world: SandboxContext, account: string, incoming: HttpRequest): HttpResponse {
  const { size, start } = readPage(incoming.query)
  const phone = incoming.query.get('PhoneNumber')
  const name = incoming.query.get('FriendlyName')
  const found = listNumbers(world, account).filter(
    number =>
      (phone === null || number.phone.includes(phone.replace(/[*\s]/g, ''))) &&
      (name === null || number.friendlyName === name),
  )
  const items = found.slice(start, start + size).map(numberToApi)
  const path = `${root}/${account}/IncomingPhoneNumbers.json`
  return buildPage(incoming, path, 'incoming_phone_numbers', items, found.length > start + size)
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
  world: SandboxContext,
  number: SmsNumber,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const form = new URLSearchParams(incoming.body.toString('utf8'))
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
    authToken: readToken(incoming) ?? number.authToken,
  }
  await saveNumber(world, changed)
  world.callbacks.retryNow(entry => entry.channel === 'sms' && entry.account === number.sid)
  return { status: 200, json: numberToApi(changed) }
}

async function handleNumber(
  world: SandboxContext,
  account: string,
  sid: string,
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const number = sid.startsWith('missing') ? undefined : await findOrCreateNumber(world, account, sid)
  if (!number) throw new SmsError(20404)
  if (world.faults.matchRequest(toAccountRef(sid))) throw new SmsError(20003)
  if (incoming.method === 'POST') return updateNumber(world, number, incoming)
  return { status: 200, json: numberToApi(number) }
}

/** Media stands behind the account's credentials, and sends on to an address that needs none. */
function redirectToMedia(world: SandboxContext, sid: string): HttpResponse {
  const media = world.media.find(sid.replace(/^ME/, ''))
  if (!media) throw new SmsError(20404)
  return { status: 307, text: '', headers: { location: `${world.url}/cdn${world.media.signedPath(media)}` } }
}

const accountToApi = (sid: string) => ({
  sid,
  friendly_name: `Sandbox ${sid}`,
  status: 'active',
  type: 'Full',
  uri: `${root}/${sid}.json`,
})

async function handleMessages(
  world: SandboxContext,
  account: string,
  path: string[],
  incoming: HttpRequest,
): Promise<HttpResponse> {
  const [sid, kind, media] = path
  if (sid === undefined) {
    if (incoming.method === 'POST') return sendMessage(world, account, incoming)
    return listMessages(world, account, incoming)
  }
  if (kind === 'Media' && media) return redirectToMedia(world, media)
  return fetchMessage(world, account, sid)
}

async function dispatch(world: SandboxContext, incoming: HttpRequest): Promise<HttpResponse> {
  const [accounts, name = '', resource, ...rest] = incoming.path.map(part => part.replace(/\.json$/, ''))
  if (accounts !== 'Accounts') throw new SmsError(20404)
  checkAccount(name, incoming)
  if (resource === undefined) return { status: 200, json: accountToApi(name) }
  if (resource === 'Messages') return handleMessages(world, name, rest, incoming)
  if (resource !== 'IncomingPhoneNumbers') throw new SmsError(20404)
  return rest[0] ? handleNumber(world, name, rest[0], incoming) : listNumbersPage(world, name, incoming)
}

export async function handleSms(world: SandboxContext, incoming: HttpRequest): Promise<HttpResponse> {
  try {
    return await dispatch(world, incoming)
  } catch (error) {
    if (error instanceof SmsError) return error.toResponse()
    throw error
  }
}
