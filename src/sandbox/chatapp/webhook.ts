/** Builds signed chatapp callbacks, with several statuses, messages and other fields in one call. */

import type { QueuedCallback, WebhookSender } from '../callbacks/queue.ts'
import { getMessageId, type SandboxContext } from '../context.ts'
import { generateName, toUserId, toWhatsappId } from '../customers.ts'
import { buildWebhookCall } from '../graph/webhook-subscriptions.ts'
import type { Json } from '../http/bodies.ts'
import type { Entry } from '../store/ledger.ts'
import { toCallbackError } from './errors.ts'
import { findWebhook, getPhone, getWaba } from './numbers.ts'

interface Change {
  field: string
  value: Json
}

const toSeconds = (ms: number): string => String(Math.floor(ms / 1000))

function buildPricing({ entry, step }: QueuedCallback): Json {
  const first = entry.steps.find(({ type }) => type === 'sent' || type === 'delivered')
  if (first?.type !== step.type) return {}
  const category = (entry.metadata.category as string | undefined) ?? 'service'
  const free = category === 'service'
  const type = free ? 'free_customer_service' : 'regular'
  return { pricing: { billable: !free, pricing_model: 'PMP', category, type } }
}

function buildRecipient(waba: string, { metadata, customer }: Entry): Json {
  const to = String(metadata.to)
  if (!to.startsWith('+')) return { recipient_user_id: to }
  return { recipient_id: toWhatsappId(to), recipient_user_id: toUserId(waba, customer) }
}

export function buildStatus(context: SandboxContext, waba: string, item: QueuedCallback): Json {
  const { entry, step } = item
  const { opaque } = entry.metadata
  return {
    id: getMessageId(context, entry),
    status: step.type,
    timestamp: toSeconds(step.at),
    ...buildRecipient(waba, entry),
    ...(opaque === undefined ? {} : { biz_opaque_callback_data: opaque }),
    ...buildPricing(item),
    ...(step.errorCode === undefined ? {} : { errors: [toCallbackError(step.errorCode)] }),
  }
}

async function buildMessage(
  context: SandboxContext,
  waba: string,
  entry: Entry,
): Promise<{ contact: Json; message: Json }> {
  const payload = JSON.parse((await context.ledger.find(entry.position))!.payload.toString()) as Json
  const { hidden, profileName, username } = entry.metadata
  const isPhone = /^\d+$/.test(entry.customer)
  const userId = isPhone ? toUserId(waba, entry.customer) : entry.customer
  const phone = isPhone && !hidden ? toWhatsappId(String(entry.metadata.phone ?? entry.customer)) : undefined
  const profile = { name: profileName ?? generateName(entry.customer), ...(username ? { username } : {}) }
  return {
    contact: { profile, ...(phone ? { wa_id: phone } : {}), user_id: userId },
    message: {
      ...(phone ? { from: phone } : {}),
      from_user_id: userId,
      id: getMessageId(context, entry),
      timestamp: toSeconds(entry.at),
      ...payload,
    },
  }
}

const buildMetadata = (phoneId: string): Json => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: getPhone(phoneId).slice(1), phone_number_id: phoneId },
})

/** Puts messages and statuses into separate entries, as the real provider may do. */
async function buildEntries(
  context: SandboxContext,
  waba: string,
  phoneId: string,
  items: QueuedCallback[],
): Promise<Json[]> {
  const statuses: Json[] = []
  const inbound: { contact: Json; message: Json }[] = []
  const others: Change[] = []
  for (const item of items) {
    if (item.entry.kind === 'sent') statuses.push(buildStatus(context, waba, item))
    else if (item.entry.kind === 'received') inbound.push(await buildMessage(context, waba, item.entry))
    else
      others.push(JSON.parse((await context.ledger.find(item.entry.position))!.payload.toString()) as Change)
  }
  const value = buildMetadata(phoneId)
  const messages = {
    contacts: inbound.map(item => item.contact),
    messages: inbound.map(item => item.message),
  }
  const first = [
    ...(inbound.length > 0 ? [{ field: 'messages', value: { ...value, ...messages } }] : []),
    ...others,
  ]
  const second = statuses.length > 0 ? [{ field: 'messages', value: { ...value, statuses } }] : []
  return [first, second].filter(changes => changes.length > 0).map(changes => ({ id: waba, changes }))
}

const day = 86_400_000

export function chatappSender(context: () => SandboxContext): WebhookSender {
  return {
    maxBatchSize: 100,
    retryForMs: 7 * day,
    orderingKey: ({ account }) => `chatapp/${account}`,
    isAccepted: status => status === 200,
    async buildRequest(items) {
      const phoneId = items[0]!.entry.account
      const webhook = findWebhook(context(), phoneId)
      if (!webhook) return undefined
      const waba = getWaba(context(), phoneId)
      const entry = await buildEntries(context(), waba, phoneId, items)
      return buildWebhookCall(context(), webhook, { object: 'whatsapp_business_account', entry })
    },
  }
}
