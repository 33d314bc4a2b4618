/** A customer writes, taps, reacts or reads on the chat application: what the provider will tell of it. */

import { getEpoch, getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { isPhone, isUserId, normalizePhone, parseUserId } from '../customers.ts'
import { GraphError } from '../graph/graph.ts'
import type { Json } from '../http/bodies.ts'
import { parseMessageId } from '../identifiers.ts'
import { buildFile } from '../media/samples.ts'
import type { Inbound, InboundContent, InboundMedia } from '../schemas.ts'
import { getPhone, getWaba, toAccountRef } from './numbers.ts'
import { buildStatus } from './webhook.ts'

type Of<T extends InboundContent['type']> = Extract<InboundContent, { type: T }>

async function storeMedia(world: SandboxContext, phoneId: string, given: InboundMedia): Promise<Json> {
  const file = buildFile(given)
  const account = toAccountRef(phoneId)
  const kept = await world.media.add([file.bytes], {
    account,
    mimeType: file.mimeType,
    filename: file.filename,
    uploaded: false,
  })
  const extra: Record<string, Json> = {
    audio: { voice: given.voice ?? false },
    document: { filename: file.filename ?? 'document' },
    sticker: { animated: false },
  }
  return {
    type: file.kind,
    [file.kind]: {
      id: kept.id,
      mime_type: file.mimeType,
      sha256: kept.sha256,
      ...(given.caption ? { caption: given.caption } : {}),
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

function buildUnsupported({ unsupported: given }: Of<'unsupported'>): Json {
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
    unsupported: { type: given?.reason ?? 'poll_creation' },
  }
}

async function buildContent(world: SandboxContext, phoneId: string, content: InboundContent): Promise<Json> {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text }
    case 'media':
      return storeMedia(world, phoneId, content.media)
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
      throw new GraphError(100, `A customer of this channel cannot send "${content.type}"`)
  }
}

function parseSender(waba: string, from: string): { peer: string; phone?: string; hidden: boolean } {
  if (isUserId(from)) return { peer: parseUserId(waba, from) ?? from, hidden: true }
  if (!isPhone(from)) throw new GraphError(100, `"${from}" is neither a phone number nor a user id`)
  return { peer: normalizePhone(from), phone: from.replace(/\D/g, ''), hidden: false }
}

function buildReplyContext(phoneId: string, { replyTo, forwarded }: Inbound): Json {
  if (replyTo) return { context: { from: getPhone(phoneId).slice(1), id: replyTo } }
  return forwarded ? { context: { forwarded: true } } : {}
}

/** A customer opens what we sent: a status, not a message. */
async function recordRead(world: SandboxContext, phoneId: string, id: string): Promise<string> {
  const n = parseMessageId(getEpoch(world), id)
  const found = n === undefined ? undefined : await world.ledger.find(n)
  if (found?.entry.kind !== 'sent') throw new GraphError(100, `No message with the id "${id}" was sent`)
  const step = { tells: 'read', at: world.clock.now(toAccountRef(phoneId)) }
  const item = { entry: found.entry, step, index: 0, attempt: 0, due: 0, order: 0 }
  const status = buildStatus(world, getWaba(world, phoneId), item)
  const metadata = { display_phone_number: getPhone(phoneId).slice(1), phone_number_id: phoneId }
  await emitAccountEvent(world, phoneId, 'messages', {
    messaging_product: 'whatsapp',
    metadata,
    statuses: [status],
  })
  return id
}

/** Any other field of the provider's callback. */
export async function emitAccountEvent(
  world: SandboxContext,
  phoneId: string,
  field: string,
  value: Json,
): Promise<void> {
  await recordEntry(world, {
    kind: 'event',
    account: toAccountRef(phoneId),
    peer: '',
    about: { field },
    payload: JSON.stringify({ field, value }),
    callbacks: [{ tells: 'received' }],
  })
}

export async function receiveInbound(
  world: SandboxContext,
  phoneId: string,
  inbound: Inbound,
): Promise<string> {
  if (inbound.content.type === 'read')
    return recordRead(world, phoneId, inbound.content.read.providerMessageId)
  const { peer, phone, hidden } = parseSender(getWaba(world, phoneId), inbound.from)
  const content = await buildContent(world, phoneId, inbound.content)
  const { profileName, username, referral } = inbound
  const entry = await recordEntry(world, {
    kind: 'received',
    account: toAccountRef(phoneId),
    peer,
    about: {
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
    callbacks: [{ tells: 'received' }],
  })
  return getMessageId(world, entry)
}
