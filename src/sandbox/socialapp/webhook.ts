/** Builds signed socialapp callbacks in one of four envelope shapes. */

import type { QueuedCallback, WebhookSender } from '../callbacks/queue.ts'
import { getMessageId, type SandboxContext } from '../context.ts'
import { parseNested } from '../graph/graph.ts'
import { buildWebhookCall } from '../graph/webhook-subscriptions.ts'
import { type Json, parseBody } from '../http/bodies.ts'
import type { Entry } from '../store/ledger.ts'
import { findSubscription, findWebhook } from './accounts.ts'

export type EnvelopeShape = 'messaging' | 'standby' | 'changes' | 'field'

interface CallbackUpdate {
  field: string
  shape: EnvelopeShape
  value: Json
}

const appId = 1500555000000001

/** File URLs are stored without the host, because the sandbox may restart at another URL. */
function withAbsoluteUrls(context: SandboxContext, payload: Json): Json {
  const message = payload.message as
    | { attachments?: { payload?: Json }[]; reply_to?: { story?: Json } }
    | undefined
  const targets = [
    ...(message?.attachments ?? []).map(attachment => attachment.payload),
    message?.reply_to?.story,
  ]
  for (const target of targets)
    if (typeof target?.url === 'string' && target.url.startsWith('/')) target.url = context.url + target.url
  return payload
}

async function readPayload(context: SandboxContext, entry: Entry): Promise<Json> {
  return parseBody((await context.ledger.find(entry.position))!.payload.toString())
}

function buildAttachments(message: Json): Json {
  const list = message.attachment ? [parseNested(message.attachment)] : message.attachments
  return list ? { attachments: list } : {}
}

async function buildEcho(context: SandboxContext, entry: Entry): Promise<Json> {
  const message = parseNested((await readPayload(context, entry)).message)
  return {
    sender: { id: entry.account },
    recipient: { id: entry.customer },
    timestamp: entry.at,
    message: {
      mid: getMessageId(context, entry),
      is_echo: true,
      app_id: appId,
      ...(message.text === undefined ? {} : { text: message.text }),
      ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
      ...buildAttachments(message),
    },
  }
}

async function buildUpdate(
  context: SandboxContext,
  { entry, step }: QueuedCallback,
): Promise<CallbackUpdate> {
  if (entry.kind === 'sent' && step.type === 'echo')
    return { field: 'messages', shape: 'messaging', value: await buildEcho(context, entry) }
  const between = { sender: { id: entry.customer }, recipient: { id: entry.account }, timestamp: step.at }
  if (entry.kind === 'sent')
    return {
      field: 'messaging_seen',
      shape: 'messaging',
      value: { ...between, read: { mid: getMessageId(context, entry) } },
    }
  const field = String(entry.metadata.field)
  const shape = entry.metadata.shape as EnvelopeShape
  const payload = withAbsoluteUrls(context, await readPayload(context, entry))
  if (field === 'comments' || field === 'live_comments') return { field, shape, value: payload }
  const message = payload.message as Json | undefined
  const value = message ? { message: { mid: getMessageId(context, entry), ...message } } : payload
  return { field, shape, value: { ...between, ...value } }
}

/** Groups consecutive updates of the same shape into one entry; the shape `field` takes one entry each. */
function buildEntries(account: string, time: number, updates: CallbackUpdate[]): Json[] {
  const entries: Json[] = []
  let last: { shape: EnvelopeShape; list: Json[] } | undefined
  for (const { field, shape, value } of updates) {
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

export function socialappSender(context: () => SandboxContext): WebhookSender {
  return {
    maxBatchSize: 100,
    retryForMs: 36 * 3_600_000,
    orderingKey: ({ account }) => `socialapp/${account}`,
    isAccepted: status => status === 200,
    async buildRequest(items) {
      const { account } = items[0]!.entry
      const webhook = findWebhook(context(), account)
      const fields = findSubscription(context(), account)?.fields
      if (!webhook || !fields) return undefined
      const updates = await Promise.all(items.map(item => buildUpdate(context(), item)))
      const subscribed = updates.filter(({ field }) => fields.includes(field))
      if (subscribed.length === 0) return undefined
      const entry = buildEntries(account, context().clock.now(items[0]!.entry), subscribed)
      return buildWebhookCall(context(), webhook, { object: 'instagram', entry })
    },
  }
}
