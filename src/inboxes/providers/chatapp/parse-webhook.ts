/** Parses chatapp webhooks: every entry, change, message and status of a batch. */
import type { Content } from '../../content.ts'
import {
  asRecord,
  asRecords,
  asText,
  type GraphError,
  type Json,
  parseJson,
  parseTimestamp,
  toGraphFailure,
} from '../graph.ts'
import type { Failure, InboundMessage, ProviderEvent } from '../provider.ts'
import { parseAccountEvents } from './account-events.ts'
import { classifyChatappError } from './errors.ts'

export function parseChatappWebhook(body: Buffer): ProviderEvent[] {
  return asRecords(parseJson(body.toString('utf8'))?.entry).flatMap(entry =>
    asRecords(entry.changes).flatMap(change =>
      parseChange(entry, String(change.field), asRecord(change.value) ?? {}),
    ),
  )
}

function parseChange(entry: Json, field: string, value: Json): ProviderEvent[] {
  if (field !== 'messages') return parseAccountEvents(entry, field, value)
  const accountId = asText(asRecord(value.metadata)?.phone_number_id) ?? ''
  const messages = asRecords(value.messages).map(message => parseMessage(accountId, value, message))
  const statuses = asRecords(value.statuses).map(status => parseStatus(accountId, status))
  return [...messages, ...statuses].filter(event => event !== undefined)
}

const toPhone = (digits: unknown): string | undefined =>
  typeof digits === 'string' && /^\d{5,20}$/.test(digits) ? `+${digits}` : undefined

function parseMessage(accountId: string, value: Json, message: Json): ProviderEvent | undefined {
  const phone = toPhone(message.from)
  const userId = asText(message.from_user_id)
  const from = phone ?? userId
  const id = asText(message.id)
  if (!from || !id) return undefined
  const base = {
    accountId,
    dedupeKey: id,
    at: parseTimestamp(message.timestamp),
    from,
    alsoKnownAs: listAliases(message, from, [userId]),
  }
  if (message.type === 'reaction') return parseReaction(base, asRecord(message.reaction) ?? {})
  const profile = findProfile(value, message, userId)
  const profileName = asText(profile?.name)?.slice(0, 200)
  const username = asText(profile?.username)
  const replyTo = asText(asRecord(message.context)?.id)
  return {
    type: 'message',
    ...base,
    ...(profileName ? { profileName } : {}),
    ...(username ? { username } : {}),
    channelMessageId: id,
    ...parseContent(message),
    ...(replyTo ? { replyTo } : {}),
    ...parseReferral(message),
  }
}

type ReactionBase = Omit<Extract<ProviderEvent, { type: 'reaction' }>, 'type' | 'channelMessageId' | 'emoji'>

function parseReaction(base: ReactionBase, reaction: Json): ProviderEvent | undefined {
  const channelMessageId = asText(reaction.message_id)
  const emoji = asText(reaction.emoji)
  if (!channelMessageId) return undefined
  return { type: 'reaction', ...base, channelMessageId, ...(emoji ? { emoji } : {}) }
}

/** Includes the new number of a customer who changed numbers. */
function listAliases(message: Json, from: string, known: (string | undefined)[]): string[] {
  const moved = message.type === 'system' ? toPhone(asRecord(message.system)?.wa_id) : undefined
  return [...known, moved].filter(name => name !== undefined && name !== from) as string[]
}

function findProfile(value: Json, message: Json, userId: string | undefined): Json | undefined {
  const contacts = asRecords(value.contacts)
  const isSender = (contact: Json) =>
    (userId && contact.user_id === userId) || (contact.wa_id && contact.wa_id === message.from)
  const contact = contacts.find(isSender) ?? (contacts.length === 1 ? contacts[0] : undefined)
  return asRecord(contact?.profile)
}

/** Parses the ad or post from which the customer started the conversation. */
function parseReferral(message: Json): Pick<InboundMessage, 'resource'> {
  const referral = asRecord(message.referral)
  const id = asText(referral?.source_id)
  if (!referral || !id) return {}
  const [url, title] = [asText(referral.source_url), asText(referral.headline)]
  const kind = asText(referral.source_type) ?? 'ad'
  return { resource: { kind, id, ...(url ? { url } : {}), ...(title ? { title } : {}) } }
}

type Part = Pick<InboundMessage, 'content' | 'media'>
const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker']

function parseContent(message: Json): Part {
  const type = String(message.type)
  const part = asRecord(message[type]) ?? {}
  if (type === 'text') return { content: { type: 'text', text: { body: String(part.body ?? '') || ' ' } } }
  if (mediaTypes.includes(type)) return parseMedia(part)
  if (type === 'button')
    return {
      content: { type: 'reply', reply: { id: String(part.payload ?? ''), title: String(part.text ?? '') } },
    }
  if (type === 'interactive') return { content: parseInteractive(part) }
  if (type === 'location') return { content: { type: 'location', location: parseLocation(part) } }
  if (type === 'contacts') return { content: { type: 'contacts', contacts: asRecords(message.contacts) } }
  const reason = asText(asRecord(message.unsupported)?.type) ?? type
  return { content: { type: 'unsupported', unsupported: { reason } } }
}

function parseMedia(part: Json): Part {
  const caption = asText(part.caption) ? { caption: String(part.caption).slice(0, 1024) } : {}
  const filename = asText(part.filename) ? { filename: String(part.filename).slice(0, 240) } : {}
  return {
    // Replaced by our media id when the message is stored.
    content: {
      type: 'media',
      media: { mediaId: 'pending', ...caption, ...filename },
    },
    media: { reference: String(part.id), mimeType: String(part.mime_type ?? ''), ...filename },
  }
}

function parseInteractive(part: Json): Content {
  const choice = asRecord(part.button_reply ?? part.list_reply)
  if (choice) {
    const description = asText(choice.description) ? { description: String(choice.description) } : {}
    return { type: 'reply', reply: { id: String(choice.id), title: String(choice.title), ...description } }
  }
  const form = asRecord(part.nfm_reply)
  if (!form) return { type: 'unsupported', unsupported: { reason: String(part.type) } }
  const { flow_token: token, ...values } = parseJson(String(form.response_json ?? '')) ?? {}
  return {
    type: 'formResponse',
    formResponse: { flowToken: typeof token === 'string' ? token : null, values },
  }
}

function parseLocation(part: Json): { latitude: number; longitude: number; name?: string; address?: string } {
  return {
    latitude: Number(part.latitude),
    longitude: Number(part.longitude),
    ...(part.name ? { name: String(part.name) } : {}),
    ...(part.address ? { address: String(part.address) } : {}),
  }
}

const statuses: Record<string, 'sent' | 'delivered' | 'read' | 'failed'> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
}

function parseStatus(accountId: string, status: Json): ProviderEvent | undefined {
  const named = statuses[String(status.status)]
  const id = asText(status.id)
  if (!named || !id) return undefined
  const messageId = asText(status.biz_opaque_callback_data)
  const recipient = toPhone(status.recipient_id) ?? asText(status.recipient_user_id)
  return {
    type: 'status',
    accountId,
    dedupeKey: `${id}/${status.status}`,
    at: parseTimestamp(status.timestamp),
    channelMessageId: id,
    ...(messageId ? { messageId } : {}),
    status: named,
    ...(named === 'failed' ? { failure: toFailure(asRecords(status.errors)[0]) } : {}),
    ...(recipient ? { recipient } : {}),
  }
}

function toFailure(error: Json | undefined): Failure {
  if (typeof error?.code !== 'number')
    return { kind: 'permanent', code: 'rejected', message: 'the provider gave no reason' }
  return toGraphFailure(error as unknown as GraphError, classifyChatappError)
}
