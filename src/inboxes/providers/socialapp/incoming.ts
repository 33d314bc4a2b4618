/** The social provider's callbacks as happenings, in any of its four envelopes. */
import type { Content } from '../../content.ts'
import type { Happening, InboundMessage } from '../../provider.ts'
import { type Json, momentIn, parse, recordIn, recordsIn, textIn } from '../graph.ts'

interface Item {
  accountId: string
  field: string
  value: Json
  time: unknown
}

export function readSocialapp(body: Buffer): Happening[] {
  return recordsIn(parse(body.toString('utf8'))?.entry).flatMap(entry => itemsIn(entry).flatMap(readItem))
}

function itemsIn(entry: Json): Item[] {
  const accountId = textIn(entry.id) ?? ''
  const item = (field: unknown, value: unknown): Item => ({
    accountId,
    field: String(field),
    value: recordIn(value) ?? {},
    time: entry.time,
  })
  return [
    ...recordsIn(entry.messaging).map(value => item('messages', value)),
    ...recordsIn(entry.standby).map(value => item('messages', value)),
    ...recordsIn(entry.changes).map(change => item(change.field, change.value)),
    ...(entry.field === undefined ? [] : [item(entry.field, entry.value)]),
  ]
}

function readItem(item: Item): Happening[] {
  if (item.field === 'comments' || item.field === 'live_comments') return readComment(item)
  return readMessaging(item)
}

/** What we write under our own posts is no news. */
function readComment({ accountId, value, time }: Item): Happening[] {
  const commentId = textIn(value.id) ?? textIn(value.comment_id)
  const author = recordIn(value.from) ?? {}
  const from = textIn(author.id)
  if (!commentId || !from || from === accountId || author.self_ig_scoped_id !== undefined) return []
  const profileName = textIn(author.username)
  return [
    {
      type: 'comment',
      accountId,
      dedupeKey: commentId,
      at: momentIn(time),
      from,
      ...(profileName ? { profileName } : {}),
      commentId,
      mediaId: textIn(recordIn(value.media)?.id) ?? '',
      text: textIn(value.text) ?? '',
    },
  ]
}

interface Between {
  accountId: string
  /** The person, whoever of both wrote. */
  person: string
  isOurs: boolean
  at: string
}

function readMessaging({ accountId, value, time }: Item): Happening[] {
  const sender = textIn(recordIn(value.sender)?.id)
  const recipient = textIn(recordIn(value.recipient)?.id)
  const message = recordIn(value.message)
  if (!sender || !recipient) return []
  const isOurs = message?.is_echo === true || sender === accountId
  const between: Between = {
    accountId,
    person: isOurs ? recipient : sender,
    isOurs,
    at: momentIn(value.timestamp ?? time),
  }
  const postback = recordIn(value.postback)
  const reaction = recordIn(value.reaction)
  const read = recordIn(value.read)
  if (message) return readMessage(between, message)
  if (postback) return readPostback(between, postback)
  if (reaction) return readReaction(between, reaction)
  return read ? readSeen(between, read) : []
}

type Part = Pick<InboundMessage, 'content' | 'media' | 'resource'>

/** Several files in one message become one message each. What was taken back stays as it was told. */
function readMessage(between: Between, message: Json): Happening[] {
  const mid = textIn(message.mid)
  if (!mid || message.is_deleted === true) return []
  const replyTo = textIn(recordIn(message.reply_to)?.mid)
  return partsOf(message).map((part, i) => {
    const id = i === 0 ? mid : `${mid}#${i}`
    return {
      type: 'message',
      ...told(between, id),
      channelMessageId: id,
      ...(replyTo ? { replyTo } : {}),
      ...storyIn(message),
      ...part,
      ...(between.isOurs ? { fromUs: { to: between.person, ...ourIdIn(message) } } : {}),
    }
  })
}

function told({ accountId, person, isOurs, at }: Between, dedupeKey: string) {
  return { accountId, dedupeKey, at, from: isOurs ? accountId : person, alsoKnownAs: [] }
}

function ourIdIn(message: Json): { messageId?: string } {
  const messageId = textIn(message.metadata)
  return messageId ? { messageId } : {}
}

function storyIn(message: Json): Pick<InboundMessage, 'resource'> {
  const story = recordIn(recordIn(message.reply_to)?.story)
  const id = textIn(story?.id)
  const url = textIn(story?.url)
  return id ? { resource: { kind: 'story', id, ...(url ? { url } : {}) } } : {}
}

function partsOf(message: Json): Part[] {
  const text = textIn(message.text)
  const choice = textIn(recordIn(message.quick_reply)?.payload)
  if (choice) return [{ content: { type: 'reply', reply: { id: choice, title: text ?? choice } } }]
  const attachments = recordsIn(message.attachments)
  if (attachments.length > 0) return attachments.map((one, i) => attached(one, i === 0 ? text : undefined))
  if (text) return [{ content: { type: 'text', text: { body: text } } }]
  return [{ content: unsupported('unknown') }]
}

const unsupported = (reason: string): Content => ({ type: 'unsupported', unsupported: { reason } })
const files = ['image', 'video', 'audio', 'file', 'story_mention']

function attached(attachment: Json, text: string | undefined): Part {
  const type = String(attachment.type)
  const payload = recordIn(attachment.payload) ?? {}
  const url = textIn(payload.url)
  const about = sharedIn(type, payload)
  if (!url || !files.includes(type))
    return { content: text ? { type: 'text', text: { body: text } } : unsupported(type), ...about }
  const caption = text ? { caption: text.slice(0, 1024) } : {}
  return {
    content: { type: 'media', media: { mediaId: 'pending', ...caption } },
    media: { reference: url },
    ...about,
  }
}

/** A post, reel or story that somebody shared or mentioned us in. */
function sharedIn(type: string, payload: Json): Pick<InboundMessage, 'resource'> {
  if (files.includes(type) && type !== 'story_mention') return {}
  const url = textIn(payload.url)
  const id = textIn(payload.id) ?? textIn(payload.reel_video_id) ?? textIn(payload.ig_post_media_id) ?? url
  const title = textIn(payload.title)
  return id ? { resource: { kind: type, id, ...(url ? { url } : {}), ...(title ? { title } : {}) } } : {}
}

function readPostback(between: Between, postback: Json): Happening[] {
  const id = textIn(postback.mid) ?? `${between.person}/${between.at}/${postback.payload}`
  const title = textIn(postback.title) ?? ''
  const content: Content = { type: 'reply', reply: { id: textIn(postback.payload) ?? title, title } }
  return [{ type: 'message', ...told(between, id), channelMessageId: id, content }]
}

function readReaction(between: Between, reaction: Json): Happening[] {
  const channelMessageId = textIn(reaction.mid)
  if (!channelMessageId || between.isOurs) return []
  const isGone = reaction.action === 'unreact'
  const emoji = textIn(reaction.emoji) ?? '❤️'
  return [
    {
      type: 'reaction',
      ...told(between, `${channelMessageId}/${between.person}/${reaction.action}/${between.at}`),
      channelMessageId,
      ...(isGone ? {} : { emoji }),
    },
  ]
}

/** Everything up to this message was seen. */
function readSeen(between: Between, read: Json): Happening[] {
  const channelMessageId = textIn(read.mid)
  if (!channelMessageId || between.isOurs) return []
  const { accountId, at, person } = between
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
