/** Simulates customer actions in chatapp and records the resulting callbacks. */

import { findMessage, getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { isPhone, isUserId, normalizePhone, parseUserId } from '../customers.ts'
import { GraphError } from '../graph/graph.ts'
import type { Json } from '../http/bodies.ts'
import type { Inbound, InboundContent, InboundMedia } from '../schemas.ts'
import { getPhone, getWaba, toAccountRef } from './numbers.ts'
import { buildStatus } from './webhook.ts'

type Of<T extends InboundContent['type']> = Extract<InboundContent, { type: T }>

async function storeMedia(context: SandboxContext, phoneId: string, media: InboundMedia): Promise<Json> {
  const { file, media: stored } = await context.media.addInbound(toAccountRef(phoneId), media)
  const extra: Record<string, Json> = {
    audio: { voice: media.voice ?? false },
    document: { filename: file.filename ?? 'document' },
    sticker: { animated: false },
  }
  return {
    type: file.kind,
    [file.kind]: {
      id: stored.id,
      mime_type: file.mimeType,
      sha256: stored.sha256,
      ...(media.caption ? { caption: media.caption } : {}),
      ...extra[file.kind],
    },
  }
}

function buildReply({ reply: { id, title, description } }: Of<'reply'>): Json {
  if (description === undefined)
    return { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id, title } } }
  return { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id, title, description } } }
}

function buildFormResponse({ formResponse: { flowToken, values } }: Of<'formResponse'>): Json {
  const response = JSON.stringify({ ...values, flow_token: flowToken ?? 'unused' })
  const nfm = { name: 'flow', body: 'Sent', response_json: response }
  return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: nfm } }
}

function buildUnsupported({ unsupported }: Of<'unsupported'>): Json {
  return {
    type: 'unsupported',
    errors: [
      {
        code: 131051,
        title: 'Message type unknown',
        message: 'Message type unknown',
        error_data: { details: 'Message type is currently not supported.' },
      },
    ],
    unsupported: { type: unsupported?.reason ?? 'poll_creation' },
  }
}

async function buildContent(
  context: SandboxContext,
  phoneId: string,
  content: InboundContent,
): Promise<Json> {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text }
    case 'media':
      return storeMedia(context, phoneId, content.media)
    case 'location':
      return { type: 'location', location: content.location }
    case 'contacts':
      return { type: 'contacts', contacts: content.contacts }
    case 'reply':
      return buildReply(content)
    case 'button':
      return { type: 'button', button: content.button }
    case 'formResponse':
      return buildFormResponse(content)
    case 'reaction': {
      const { providerMessageId, emoji } = content.reaction
      return { type: 'reaction', reaction: { message_id: providerMessageId, ...(emoji ? { emoji } : {}) } }
    }
    case 'unsupported':
      return buildUnsupported(content)
    case 'raw':
      return content.raw
    default:
      throw new GraphError(100, `chatapp customers cannot send content of type "${content.type}"`)
  }
}

function parseSender(waba: string, from: string): { customer: string; phone?: string; hidden: boolean } {
  if (isUserId(from)) return { customer: parseUserId(waba, from) ?? from, hidden: true }
  if (!isPhone(from)) throw new GraphError(100, `"${from}" is neither a phone number nor a user id`)
  return { customer: normalizePhone(from), phone: from.replace(/\D/g, ''), hidden: false }
}

function buildReplyContext(phoneId: string, { replyTo, forwarded }: Inbound): Json {
  if (replyTo) return { context: { from: getPhone(phoneId).slice(1), id: replyTo } }
  return forwarded ? { context: { forwarded: true } } : {}
}

async function recordRead(context: SandboxContext, phoneId: string, id: string): Promise<string> {
  const stored = await findMessage(context, id)
  if (stored?.entry.kind !== 'sent') throw new GraphError(100, `Message "${id}" not stored`)
  const step = { type: 'read', at: context.clock.now(toAccountRef(phoneId)) }
  const item = { entry: stored.entry, step, index: 0, attempt: 0, due: 0, order: 0 }
  const status = buildStatus(context, getWaba(context, phoneId), item)
  const metadata = { display_phone_number: getPhone(phoneId).slice(1), phone_number_id: phoneId }
  await emitAccountEvent(context, phoneId, 'messages', {
    messaging_product: 'whatsapp',
    metadata,
    statuses: [status],
  })
  return id
}

export async function emitAccountEvent(
  context: SandboxContext,
  phoneId: string,
  field: string,
  value: Json,
): Promise<void> {
  await recordEntry(context, {
    kind: 'event',
    account: toAccountRef(phoneId),
    customer: '',
    metadata: { field },
    payload: JSON.stringify({ field, value }),
    callbacks: [{ type: 'received' }],
  })
}

export async function receiveInbound(
  context: SandboxContext,
  phoneId: string,
  inbound: Inbound,
): Promise<string> {
  if (inbound.content.type === 'read')
    return recordRead(context, phoneId, inbound.content.read.providerMessageId)
  const { customer, phone, hidden } = parseSender(getWaba(context, phoneId), inbound.from)
  const content = await buildContent(context, phoneId, inbound.content)
  const { profileName, username, referral } = inbound
  const entry = await recordEntry(context, {
    kind: 'received',
    account: toAccountRef(phoneId),
    customer,
    metadata: {
      ...(phone ? { phone } : {}),
      ...(hidden || inbound.hidePhone ? { hidden: true } : {}),
      ...(profileName ? { profileName } : {}),
      ...(username ? { username } : {}),
    },
    payload: JSON.stringify({
      ...buildReplyContext(phoneId, inbound),
      ...(referral ? { referral } : {}),
      ...content,
    }),
    callbacks: [{ type: 'received' }],
  })
  return getMessageId(context, entry)
}
