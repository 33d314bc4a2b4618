/** The chat provider's callbacks as happenings: every entry, change, message and status of a batch. */
import type { Content } from '../../content.ts'
import type { Failure, Happening, InboundMessage } from '../../provider.ts'
import {
  failureIn,
  type GraphError,
  type Json,
  momentIn,
  parse,
  recordIn,
  recordsIn,
  textIn,
} from '../graph.ts'
import { readAccount } from './account-news.ts'
import { chatappMeaning } from './errors.ts'

export function readChatapp(body: Buffer): Happening[] {
  return recordsIn(parse(body.toString('utf8'))?.entry).flatMap(entry =>
    recordsIn(entry.changes).flatMap(change =>
      readChange(entry, String(change.field), recordIn(change.value) ?? {}),
    ),
  )
}

function readChange(entry: Json, field: string, value: Json): Happening[] {
  if (field !== 'messages') return readAccount(entry, field, value)
  const accountId = textIn(recordIn(value.metadata)?.phone_number_id) ?? ''
  const messages = recordsIn(value.messages).map(message => readMessage(accountId, value, message))
  const statuses = recordsIn(value.statuses).map(status => readStatus(accountId, status))
  return [...messages, ...statuses].filter(one => one !== undefined)
}

const phoneOf = (digits: unknown): string | undefined =>
  typeof digits === 'string' && /^\d{5,20}$/.test(digits) ? `+${digits}` : undefined

function readMessage(accountId: string, value: Json, message: Json): Happening | undefined {
  const phone = phoneOf(message.from)
  const userId = textIn(message.from_user_id)
  const from = phone ?? userId
  const id = textIn(message.id)
  if (!from || !id) return undefined
  const told = {
    accountId,
    dedupeKey: id,
    at: momentIn(message.timestamp),
    from,
    alsoKnownAs: otherNames(message, from, [userId]),
  }
  if (message.type === 'reaction') return readReaction(told, recordIn(message.reaction) ?? {})
  const profileName = nameOf(value, message, userId)
  const replyTo = textIn(recordIn(message.context)?.id)
  return {
    type: 'message',
    ...told,
    ...(profileName ? { profileName } : {}),
    channelMessageId: id,
    ...contentOf(message),
    ...(replyTo ? { replyTo } : {}),
    ...referralIn(message),
  }
}

type ReactionTold = Omit<Extract<Happening, { type: 'reaction' }>, 'type' | 'channelMessageId' | 'emoji'>

function readReaction(told: ReactionTold, reaction: Json): Happening | undefined {
  const channelMessageId = textIn(reaction.message_id)
  const emoji = textIn(reaction.emoji)
  if (!channelMessageId) return undefined
  return { type: 'reaction', ...told, channelMessageId, ...(emoji ? { emoji } : {}) }
}

/** A person who moves to another number stays the same person. */
function otherNames(message: Json, from: string, known: (string | undefined)[]): string[] {
  const moved = message.type === 'system' ? phoneOf(recordIn(message.system)?.wa_id) : undefined
  return [...known, moved].filter(name => name !== undefined && name !== from) as string[]
}

function nameOf(value: Json, message: Json, userId: string | undefined): string | undefined {
  const contacts = recordsIn(value.contacts)
  const fits = (one: Json) => (userId && one.user_id === userId) || (one.wa_id && one.wa_id === message.from)
  const contact = contacts.find(fits) ?? (contacts.length === 1 ? contacts[0] : undefined)
  return textIn(recordIn(contact?.profile)?.name)?.slice(0, 200)
}

/** The advertisement or post that made somebody write. */
function referralIn(message: Json): Pick<InboundMessage, 'resource'> {
  const referral = recordIn(message.referral)
  const id = textIn(referral?.source_id)
  if (!referral || !id) return {}
  const [url, title] = [textIn(referral.source_url), textIn(referral.headline)]
  const kind = textIn(referral.source_type) ?? 'ad'
  return { resource: { kind, id, ...(url ? { url } : {}), ...(title ? { title } : {}) } }
}

type Part = Pick<InboundMessage, 'content' | 'media'>
const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker']

function contentOf(message: Json): Part {
  const type = String(message.type)
  const part = recordIn(message[type]) ?? {}
  if (type === 'text') return { content: { type: 'text', text: { body: String(part.body ?? '') || ' ' } } }
  if (mediaTypes.includes(type)) return mediaOf(part)
  if (type === 'button')
    return {
      content: { type: 'reply', reply: { id: String(part.payload ?? ''), title: String(part.text ?? '') } },
    }
  if (type === 'interactive') return { content: interactiveOf(part) }
  if (type === 'location') return { content: { type: 'location', location: locationOf(part) } }
  if (type === 'contacts') return { content: { type: 'contacts', contacts: recordsIn(message.contacts) } }
  const reason = textIn(recordIn(message.unsupported)?.type) ?? type
  return { content: { type: 'unsupported', unsupported: { reason } } }
}

function mediaOf(part: Json): Part {
  const caption = textIn(part.caption) ? { caption: String(part.caption).slice(0, 1024) } : {}
  const filename = textIn(part.filename) ? { filename: String(part.filename).slice(0, 240) } : {}
  return {
    // The media id of ours is put in when the message is stored.
    content: {
      type: 'media',
      media: { mediaId: 'pending', ...caption, ...filename },
    },
    media: { reference: String(part.id), mimeType: String(part.mime_type ?? ''), ...filename },
  }
}

function interactiveOf(part: Json): Content {
  const choice = recordIn(part.button_reply ?? part.list_reply)
  if (choice) {
    const description = textIn(choice.description) ? { description: String(choice.description) } : {}
    return { type: 'reply', reply: { id: String(choice.id), title: String(choice.title), ...description } }
  }
  const form = recordIn(part.nfm_reply)
  if (!form) return { type: 'unsupported', unsupported: { reason: String(part.type) } }
  const { flow_token: token, ...values } = parse(String(form.response_json ?? '')) ?? {}
  return {
    type: 'formResponse',
    formResponse: { flowToken: typeof token === 'string' ? token : null, values },
  }
}

function locationOf(part: Json): { latitude: number; longitude: number; name?: string; address?: string } {
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

function readStatus(accountId: string, status: Json): Happening | undefined {
  const named = statuses[String(status.status)]
  const id = textIn(status.id)
  if (!named || !id) return undefined
  const messageId = textIn(status.biz_opaque_callback_data)
  const recipient = phoneOf(status.recipient_id) ?? textIn(status.recipient_user_id)
  return {
    type: 'status',
    accountId,
    dedupeKey: `${id}/${status.status}`,
    at: momentIn(status.timestamp),
    channelMessageId: id,
    ...(messageId ? { messageId } : {}),
    status: named,
    ...(named === 'failed' ? { failure: failureOf(recordsIn(status.errors)[0]) } : {}),
    ...(recipient ? { recipient } : {}),
  }
}

function failureOf(error: Json | undefined): Failure {
  if (typeof error?.code !== 'number')
    return { kind: 'permanent', code: 'rejected', message: 'the provider gave no reason' }
  return failureIn(error as unknown as GraphError, chatappMeaning)
}
