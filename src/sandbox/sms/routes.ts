/** The sms provider's addresses. */
import type { Answer, Incoming } from '../http.ts'
import { positionOf } from '../identifiers.ts'
import { phoneKey } from '../peers.ts'
import type { Recorded } from '../store/ledger.ts'
import { epochOf, type World } from '../world.ts'
import { checkAccount, tokenIn } from './accounts.ts'
import { SmsError } from './errors.ts'
import { sendMessage } from './messages.ts'
import { findNumber, numberBySid, numbersOf, refOf, type SmsNumber, save } from './numbers.ts'
import { pageOf, root, showNumber, showReceived, showSent, window } from './resources.ts'

function show(world: World, { entry, payload }: Recorded): Record<string, unknown> {
  const text = payload.toString('utf8')
  return entry.kind === 'sent'
    ? showSent(world, entry, new URLSearchParams(text))
    : showReceived(world, entry, JSON.parse(text) as Record<string, unknown>)
}

async function fetchMessage(world: World, account: string, sid: string): Promise<Answer> {
  const n = positionOf(epochOf(world), sid)
  const found = n === undefined ? undefined : await world.ledger.find(n)
  if (!found || numberBySid(world, found.entry.account)?.account !== account) throw new SmsError(20404)
  return { status: 200, json: show(world, found) }
}

/** The day or moment a filter speaks of, in the three spellings the provider takes. */
function bounds(query: URLSearchParams): { from: number; to: number } {
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
function* merged(chains: Generator<number>[]): Generator<number> {
  const heads = chains.map(chain => ({ chain, at: chain.next() })).filter(head => !head.at.done)
  while (heads.length > 0) {
    const newest = heads.reduce((a, b) => ((a.at.value as number) > (b.at.value as number) ? a : b))
    yield newest.at.value as number
    newest.at = newest.chain.next()
    if (newest.at.done) heads.splice(heads.indexOf(newest), 1)
  }
}

interface Asked {
  to: string | null
  from: string | null
  ours: SmsNumber[]
  peer: string | undefined
}

/** One of the two ends is ours, the other is the customer's. */
function asked(world: World, account: string, query: URLSearchParams): Asked {
  const to = query.get('To')
  const from = query.get('From')
  const numbers = numbersOf(world, account)
  const isOurs = (phone: string | null) => phone !== null && numbers.some(number => number.phone === phone)
  const theirs = [to, from].find(phone => phone !== null && !isOurs(phone))
  const ours = numbers.filter(number => [to, from].includes(number.phone))
  const both = to !== null && from !== null
  return {
    to,
    from,
    ours: ours.length > 0 || both ? ours : numbers,
    peer: theirs ? phoneKey(theirs) : undefined,
  }
}

const mostLooked = 100_000

async function listMessages(world: World, account: string, incoming: Incoming): Promise<Answer> {
  const { size, start } = window(incoming.query)
  const { to, from, ours, peer } = asked(world, account, incoming.query)
  const range = bounds(incoming.query)
  const chains = ours.map(number => world.ledger.newestFirst('sms', number.sid, peer))
  const shown: Record<string, unknown>[] = []
  let matched = 0
  let looked = 0
  for (const n of merged(chains)) {
    const found = await world.ledger.find(n)
    if (!found || ++looked > mostLooked || found.entry.at < range.from) break
    const item = show(world, found)
    const fits =
      (to === null || item.to === to) && (from === null || item.from === from || item.from === null)
    if (!fits || found.entry.at >= range.to || ++matched <= start) continue
    if (shown.push(item) > size) break
  }
  return pageOf(
    incoming,
    `${root}/${account}/Messages.json`,
    'messages',
    shown.slice(0, size),
    shown.length > size,
  )
}

function listNumbers(world: World, account: string, incoming: Incoming): Answer {
  const { size, start } = window(incoming.query)
  const phone = incoming.query.get('PhoneNumber')
  const name = incoming.query.get('FriendlyName')
  const found = numbersOf(world, account).filter(
    number =>
      (phone === null || number.phone.includes(phone.replace(/[*\s]/g, ''))) &&
      (name === null || number.friendlyName === name),
  )
  const items = found.slice(start, start + size).map(showNumber)
  const path = `${root}/${account}/IncomingPhoneNumbers.json`
  return pageOf(incoming, path, 'incoming_phone_numbers', items, found.length > start + size)
}

const changeable: Record<string, keyof SmsNumber> = {
  SmsUrl: 'smsUrl',
  SmsFallbackUrl: 'smsFallbackUrl',
  StatusCallback: 'statusCallback',
  FriendlyName: 'friendlyName',
}

function originsOf(number: SmsNumber, smsUrl: string | undefined): string[] {
  if (!smsUrl || !number.smsUrl || !URL.canParse(smsUrl)) return number.formerOrigins ?? []
  const former = [...(number.formerOrigins ?? []), new URL(number.smsUrl).origin]
  return [...new Set(former)].filter(origin => origin !== new URL(smsUrl).origin).slice(-5)
}

async function updateNumber(world: World, number: SmsNumber, incoming: Incoming): Promise<Answer> {
  const form = new URLSearchParams(incoming.body.toString('utf8'))
  for (const name of ['SmsUrl', 'SmsFallbackUrl', 'StatusCallback']) {
    const url = form.get(name)
    if (url && !/^https?:\/\//.test(url)) throw new SmsError(21502, `${name} is not a valid URL`)
  }
  const changes = Object.entries(changeable).flatMap(([name, field]) =>
    form.has(name) ? [[field, form.get(name)]] : [],
  )
  const formerOrigins = originsOf(number, form.get('SmsUrl') ?? undefined)
  const changed = {
    ...number,
    ...(Object.fromEntries(changes) as Partial<SmsNumber>),
    formerOrigins,
    authToken: tokenIn(incoming) ?? number.authToken,
  }
  await save(world, changed)
  world.callbacks.retryNow(entry => entry.channel === 'sms' && entry.account === number.sid)
  return { status: 200, json: showNumber(changed) }
}

async function onNumber(world: World, account: string, sid: string, incoming: Incoming): Promise<Answer> {
  const number = sid.startsWith('missing') ? undefined : await findNumber(world, account, sid)
  if (!number) throw new SmsError(20404)
  if (world.faults.request(refOf(sid))) throw new SmsError(20003)
  if (incoming.method === 'POST') return updateNumber(world, number, incoming)
  return { status: 200, json: showNumber(number) }
}

/** Media stands behind the account's credentials, and sends on to an address that needs none. */
function mediaOf(world: World, sid: string): Answer {
  const media = world.media.find(sid.replace(/^ME/, ''))
  if (!media) throw new SmsError(20404)
  return { status: 307, text: '', headers: { location: `${world.url}/cdn${world.media.address(media)}` } }
}

const accountNode = (sid: string) => ({
  sid,
  friendly_name: `Sandbox ${sid}`,
  status: 'active',
  type: 'Full',
  uri: `${root}/${sid}.json`,
})

async function onMessages(
  world: World,
  account: string,
  path: string[],
  incoming: Incoming,
): Promise<Answer> {
  const [sid, kind, media] = path
  if (sid === undefined) {
    if (incoming.method === 'POST') return sendMessage(world, account, incoming)
    return listMessages(world, account, incoming)
  }
  if (kind === 'Media' && media) return mediaOf(world, media)
  return fetchMessage(world, account, sid)
}

async function answer(world: World, incoming: Incoming): Promise<Answer> {
  const [accounts, name = '', resource, ...rest] = incoming.path.map(part => part.replace(/\.json$/, ''))
  if (accounts !== 'Accounts') throw new SmsError(20404)
  checkAccount(name, incoming)
  if (resource === undefined) return { status: 200, json: accountNode(name) }
  if (resource === 'Messages') return onMessages(world, name, rest, incoming)
  if (resource !== 'IncomingPhoneNumbers') throw new SmsError(20404)
  return rest[0] ? onNumber(world, name, rest[0], incoming) : listNumbers(world, name, incoming)
}

export async function sms(world: World, incoming: Incoming): Promise<Answer> {
  try {
    return await answer(world, incoming)
  } catch (error) {
    if (error instanceof SmsError) return error.answer()
    throw error
  }
}
