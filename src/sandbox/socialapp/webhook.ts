/** How the social provider tells of things, in any of its four envelopes. */
import { bodyOf, type Json } from '../bodies.ts'
import type { Courier, Item } from '../callbacks/callbacks.ts'
import { escapedJson, hubSignature } from '../callbacks/signatures.ts'
import { nested } from '../graph.ts'
import type { Entry } from '../store/ledger.ts'
import { idOf, type World } from '../world.ts'
import { hookOf, subscriptionOf } from './accounts.ts'

export type Shape = 'messaging' | 'standby' | 'changes' | 'field'

/** One thing to tell: which field it belongs to, in which envelope, and what. */
interface Telling {
  field: string
  shape: Shape
  value: Json
}

const appId = 1500555000000001

/** Addresses of files are kept without the host, because this sandbox may have another one when it tells of them. */
function located(world: World, payload: Json): Json {
  const message = payload.message as
    | { attachments?: { payload?: Json }[]; reply_to?: { story?: Json } }
    | undefined
  const places = [...(message?.attachments ?? []).map(one => one.payload), message?.reply_to?.story]
  for (const place of places)
    if (typeof place?.url === 'string' && place.url.startsWith('/')) place.url = world.url + place.url
  return payload
}

async function payloadOf(world: World, entry: Entry): Promise<Json> {
  return bodyOf((await world.ledger.find(entry.n))!.payload.toString())
}

function attachmentsOf(message: Json): Json {
  const list = message.attachment ? [nested(message.attachment)] : message.attachments
  return list ? { attachments: list } : {}
}

/** What we sent comes back to us as an echo: the sender is our account. */
async function echoOf(world: World, entry: Entry): Promise<Json> {
  const message = nested((await payloadOf(world, entry)).message)
  return {
    sender: { id: entry.account },
    recipient: { id: entry.peer },
    timestamp: entry.at,
    message: {
      mid: idOf(world, entry),
      is_echo: true,
      app_id: appId,
      ...(message.text === undefined ? {} : { text: message.text }),
      ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
      ...attachmentsOf(message),
    },
  }
}

async function tellingOf(world: World, { entry, step }: Item): Promise<Telling> {
  if (entry.kind === 'sent' && step.tells === 'echo')
    return { field: 'messages', shape: 'messaging', value: await echoOf(world, entry) }
  const between = { sender: { id: entry.peer }, recipient: { id: entry.account }, timestamp: step.at }
  if (entry.kind === 'sent')
    return {
      field: 'messaging_seen',
      shape: 'messaging',
      value: { ...between, read: { mid: idOf(world, entry) } },
    }
  const field = String(entry.about.field)
  const shape = entry.about.shape as Shape
  const payload = located(world, await payloadOf(world, entry))
  if (field === 'comments' || field === 'live_comments') return { field, shape, value: payload }
  const message = payload.message as Json | undefined
  const value = message ? { message: { mid: idOf(world, entry), ...message } } : payload
  return { field, shape, value: { ...between, ...value } }
}

/** Neighbours in the same kind of envelope share it; the bare form takes one each. */
function entriesOf(account: string, time: number, tellings: Telling[]): Json[] {
  const entries: Json[] = []
  let last: { shape: Shape; list: Json[] } | undefined
  for (const { field, shape, value } of tellings) {
    const item = shape === 'changes' ? { field, value } : value
    if (shape === 'field') {
      entries.push({ id: account, time, field, value })
      last = undefined
    } else if (last?.shape === shape) last.list.push(item)
    else {
      last = { shape, list: [item] }
      entries.push({ id: account, time, [shape]: last.list })
    }
  }
  return entries
}

export function socialCourier(world: () => World): Courier {
  return {
    most: 100,
    givesUpAfterMs: 36 * 3_600_000,
    lane: ({ account }) => `socialapp/${account}`,
    accepted: status => status === 200,
    async compose(items) {
      const { account } = items[0]!.entry
      const hook = hookOf(world(), account)
      const fields = subscriptionOf(world(), account)?.fields
      if (!hook || !fields) return undefined
      const tellings = await Promise.all(items.map(item => tellingOf(world(), item)))
      const wanted = tellings.filter(({ field }) => fields.includes(field))
      if (wanted.length === 0) return undefined
      const entry = entriesOf(account, world().time.now(items[0]!.entry), wanted)
      const body = escapedJson({ object: 'instagram', entry })
      return {
        url: hook.uri,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': hubSignature(world().appSecret, body),
        },
        body,
      }
    },
  }
}
