/** How the social provider tells of things, in any of its four envelopes. */

import type { QueuedCallback, WebhookSender } from '../callbacks/queue.ts'
import { signGraph, toAsciiJson } from '../callbacks/signatures.ts'
import { getMessageId, type SandboxContext } from '../context.ts'
import { parseNested } from '../graph/graph.ts'
import { type Json, parseBody } from '../http/bodies.ts'
import type { Entry } from '../store/ledger.ts'
import { findSubscription, findWebhook } from './accounts.ts'

export type EnvelopeShape = 'messaging' | 'standby' | 'changes' | 'field'

/** One thing to tell: which field it belongs to, in which envelope, and what. */
interface CallbackUpdate {
  field: string
  shape: EnvelopeShape
  value: Json
}

const appId = 1500555000000001

/** Addresses of files are kept without the host, because this sandbox may have another one when it tells of them. */
function withAbsoluteUrls(world: SandboxContext, payload: Json): Json {
  const message = payload.message as
    | { attachments?: { payload?: Json }[]; reply_to?: { story?: Json } }
    | undefined
  const places = [...(message?.attachments ?? []).map(one => one.payload), message?.reply_to?.story]
  for (const place of places)
    if (typeof place?.url === 'string' && place.url.startsWith('/')) place.url = world.url + place.url
  return payload
}

async function readPayload(world: SandboxContext, entry: Entry): Promise<Json> {
  return parseBody((await world.ledger.find(entry.n))!.payload.toString())
}

function buildAttachments(message: Json): Json {
  const list = message.attachment ? [parseNested(message.attachment)] : message.attachments
  return list ? { attachments: list } : {}
}

/** What we sent comes back to us as an echo: the sender is our account. */
async function buildEcho(world: SandboxContext, entry: Entry): Promise<Json> {
  const message = parseNested((await readPayload(world, entry)).message)
  return {
    sender: { id: entry.account },
    recipient: { id: entry.customer },
    timestamp: entry.at,
    message: {
      mid: getMessageId(world, entry),
      is_echo: true,
      app_id: appId,
      ...(message.text === undefined ? {} : { text: message.text }),
      ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
      ...buildAttachments(message),
    },
  }
}

async function buildUpdate(world: SandboxContext, { entry, step }: QueuedCallback): Promise<CallbackUpdate> {
  if (entry.kind === 'sent' && step.tells === 'echo')
    return { field: 'messages', shape: 'messaging', value: await buildEcho(world, entry) }
  const between = { sender: { id: entry.customer }, recipient: { id: entry.account }, timestamp: step.at }
  if (entry.kind === 'sent')
    return {
      field: 'messaging_seen',
      shape: 'messaging',
      value: { ...between, read: { mid: getMessageId(world, entry) } },
    }
  const field = String(entry.metadata.field)
  const shape = entry.metadata.shape as EnvelopeShape
  const payload = withAbsoluteUrls(world, await readPayload(world, entry))
  if (field === 'comments' || field === 'live_comments') return { field, shape, value: payload }
  const message = payload.message as Json | undefined
  const value = message ? { message: { mid: getMessageId(world, entry), ...message } } : payload
  return { field, shape, value: { ...between, ...value } }
}

/** Neighbours in the same kind of envelope share it; the bare form takes one each. */
function buildEntries(account: string, time: number, tellings: CallbackUpdate[]): Json[] {
  const entries: Json[] = []
  let last: { shape: EnvelopeShape; list: Json[] } | undefined
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

export function socialappSender(world: () => SandboxContext): WebhookSender {
  return {
    maxBatchSize: 100,
    retryForMs: 36 * 3_600_000,
    orderingKey: ({ account }) => `socialapp/${account}`,
    isAccepted: status => status === 200,
    async buildRequest(items) {
      const { account } = items[0]!.entry
      const hook = findWebhook(world(), account)
      const fields = findSubscription(world(), account)?.fields
      if (!hook || !fields) return undefined
      const tellings = await Promise.all(items.map(item => buildUpdate(world(), item)))
      const wanted = tellings.filter(({ field }) => fields.includes(field))
      if (wanted.length === 0) return undefined
      const entry = buildEntries(account, world().clock.now(items[0]!.entry), wanted)
      const body = toAsciiJson({ object: 'instagram', entry })
      return {
        url: hook.uri,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': signGraph(world().appSecret, body),
        },
        body,
      }
    },
  }
}
