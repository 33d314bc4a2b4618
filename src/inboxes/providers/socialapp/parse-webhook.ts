/** Parses socialapp webhooks in any of the provider's four envelopes. */
import type { Content } from '../../content.ts'
import { asRecord, asRecords, asText, type Json, parseJson, parseTimestamp } from '../graph.ts'
import type { InboundEdit, InboundMessage, ProviderEvent } from '../provider.ts'

interface Item {
  accountId: string
  field: string
  value: Json
  time: unknown
}

export function parseSocialappWebhook(body: Buffer): ProviderEvent[] {
  return asRecords(parseJson(body.toString('utf8'))?.entry).flatMap(entry =>
    listItems(entry).flatMap(parseItem),
  )
}

function listItems(entry: Json): Item[] {
  const accountId = asText(entry.id) ?? ''
  const item = (field: unknown, value: unknown): Item => ({
    accountId,
    field: String(field),
    value: asRecord(value) ?? {},
    time: entry.time,
  })
  return [
    ...asRecords(entry.messaging).map(value => item('messages', value)),
    ...asRecords(entry.standby).map(value => item('messages', value)),
    ...asRecords(entry.changes).map(change => item(change.field, change.value)),
    ...(entry.field === undefined ? [] : [item(entry.field, entry.value)]),
  ]
}

function parseItem(item: Item): ProviderEvent[] {
  if (item.field === 'comments' || item.field === 'live_comments') return parseComment(item)
  return parseMessaging(item)
}

/** Skips comments of the account itself. */
function parseComment({ accountId, value, time }: Item): ProviderEvent[] {
  const commentId = asText(value.id) ?? asText(value.comment_id)
  const author = asRecord(value.from) ?? {}
  const from = asText(author.id)
  if (!commentId || !from || from === accountId || author.self_ig_scoped_id !== undefined) return []
  const profileName = asText(author.username)
  return [
    {
      type: 'comment',
      accountId,
      dedupeKey: commentId,
      at: parseTimestamp(time),
      from,
      ...(profileName ? { profileName } : {}),
      commentId,
      mediaId: asText(asRecord(value.media)?.id) ?? '',
      text: asText(value.text) ?? '',
    },
  ]
}

interface Exchange {
  accountId: string
  /** The customer, as sender or recipient. */
  person: string
  isEcho: boolean
  at: string
}

function parseMessaging({ accountId, value, time }: Item): ProviderEvent[] {
  const sender = asText(asRecord(value.sender)?.id)
  const recipient = asText(asRecord(value.recipient)?.id)
  const message = asRecord(value.message)
  if (!sender || !recipient) return []
  const isEcho = message?.is_echo === true || sender === accountId
  const exchange: Exchange = {
    accountId,
    person: isEcho ? recipient : sender,
    isEcho,
    at: parseTimestamp(value.timestamp ?? time),
  }
  const postback = asRecord(value.postback)
  const reaction = asRecord(value.reaction)
  const read = asRecord(value.read)
  const edit = asRecord(value.message_edit)
  if (message)
    return message.is_deleted === true ? parseDeletion(exchange, message) : parseMessage(exchange, message)
  if (edit) return parseEdit(exchange, edit)
  if (postback) return parsePostback(exchange, postback)
  if (reaction) return parseReaction(exchange, reaction)
  return read ? parseSeen(exchange, read) : []
}

type Part = Pick<InboundMessage, 'content' | 'media' | 'resource'>

/** A message with several files becomes one message per file. */
function parseMessage(exchange: Exchange, message: Json): ProviderEvent[] {
  const mid = asText(message.mid)
  if (!mid) return []
  const replyTo = asText(asRecord(message.reply_to)?.mid)
  return parseParts(message).map((part, i) => {
    const id = i === 0 ? mid : `${mid}#${i}`
    return {
      type: 'message',
      ...buildEventBase(exchange, id),
      channelMessageId: id,
      ...(replyTo ? { replyTo } : {}),
      ...parseStory(message),
      ...part,
      ...(exchange.isEcho ? { echo: { to: exchange.person, ...parseOwnId(message) } } : {}),
    }
  })
}

function parseDeletion(exchange: Exchange, message: Json): ProviderEvent[] {
  const mid = asText(message.mid)
  const content = { type: 'deleted' as const, deleted: { at: exchange.at } }
  return mid ? [buildEdit(exchange, mid, `${mid}/deleted`, content)] : []
}

function parseEdit(exchange: Exchange, edit: Json): ProviderEvent[] {
  const mid = asText(edit.mid)
  const body = asText(edit.text)
  if (!mid || !body) return []
  const content = { type: 'text' as const, text: { body, editedAt: exchange.at } }
  return [buildEdit(exchange, mid, `${mid}/${edit.num_edit}/${exchange.at}`, content)]
}

function buildEdit(
  { accountId, person, isEcho, at }: Exchange,
  channelMessageId: string,
  dedupeKey: string,
  content: InboundEdit['content'],
): InboundEdit {
  return {
    type: 'edit',
    accountId,
    dedupeKey,
    at,
    from: isEcho ? accountId : person,
    channelMessageId,
    content,
  }
}

function buildEventBase({ accountId, person, isEcho, at }: Exchange, dedupeKey: string) {
  return { accountId, dedupeKey, at, from: isEcho ? accountId : person, alsoKnownAs: [] }
}

function parseOwnId(message: Json): { messageId?: string } {
  const messageId = asText(message.metadata)
  return messageId ? { messageId } : {}
}

function parseStory(message: Json): Pick<InboundMessage, 'resource'> {
  const story = asRecord(asRecord(message.reply_to)?.story)
  const id = asText(story?.id)
  const url = asText(story?.url)
  return id ? { resource: { kind: 'story', id, ...(url ? { url } : {}) } } : {}
}

function parseParts(message: Json): Part[] {
  const text = asText(message.text)
  const choice = asText(asRecord(message.quick_reply)?.payload)
  if (choice) return [{ content: { type: 'reply', reply: { id: choice, title: text ?? choice } } }]
  const attachments = asRecords(message.attachments)
  if (attachments.length > 0)
    return attachments.map((attachment, i) => parseAttachment(attachment, i === 0 ? text : undefined))
  if (text) return [{ content: { type: 'text', text: { body: text } } }]
  return [{ content: unsupported('unknown') }]
}

const unsupported = (reason: string): Content => ({ type: 'unsupported', unsupported: { reason } })
const files = ['image', 'video', 'audio', 'file', 'story_mention']

function parseAttachment(attachment: Json, text: string | undefined): Part {
  const type = String(attachment.type)
  const payload = asRecord(attachment.payload) ?? {}
  const url = asText(payload.url)
  const about = parseShared(type, payload)
  if (!url || !files.includes(type))
    return { content: text ? { type: 'text', text: { body: text } } : unsupported(type), ...about }
  const caption = text ? { caption: text.slice(0, 1024) } : {}
  return {
    content: { type: 'media', media: { mediaId: 'pending', ...caption } },
    media: { reference: url },
    ...about,
  }
}

/** Parses a post, reel or story that the customer shared or mentioned the account in. */
function parseShared(type: string, payload: Json): Pick<InboundMessage, 'resource'> {
  if (files.includes(type) && type !== 'story_mention') return {}
  const url = asText(payload.url)
  const id = asText(payload.id) ?? asText(payload.reel_video_id) ?? asText(payload.ig_post_media_id) ?? url
  const title = asText(payload.title)
  return id ? { resource: { kind: type, id, ...(url ? { url } : {}), ...(title ? { title } : {}) } } : {}
}

function parsePostback(exchange: Exchange, postback: Json): ProviderEvent[] {
  const id = asText(postback.mid) ?? `${exchange.person}/${exchange.at}/${postback.payload}`
  const title = asText(postback.title) ?? ''
  const content: Content = { type: 'reply', reply: { id: asText(postback.payload) ?? title, title } }
  return [{ type: 'message', ...buildEventBase(exchange, id), channelMessageId: id, content }]
}

function parseReaction(exchange: Exchange, reaction: Json): ProviderEvent[] {
  const channelMessageId = asText(reaction.mid)
  if (!channelMessageId || exchange.isEcho) return []
  const isGone = reaction.action === 'unreact'
  const emoji = asText(reaction.emoji) ?? '❤️'
  return [
    {
      type: 'reaction',
      ...buildEventBase(exchange, `${channelMessageId}/${exchange.person}/${reaction.action}/${exchange.at}`),
      channelMessageId,
      ...(isGone ? {} : { emoji }),
    },
  ]
}

function parseSeen(exchange: Exchange, read: Json): ProviderEvent[] {
  const channelMessageId = asText(read.mid)
  if (!channelMessageId || exchange.isEcho) return []
  const { accountId, at, person } = exchange
  return [
    {
      type: 'status',
      accountId,
      dedupeKey: `${channelMessageId}/read`,
      at,
      channelMessageId,
      status: 'read',
      upTo: true,
      recipient: person,
    },
  ]
}
