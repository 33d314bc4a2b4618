/** A person writes, comments, reacts, reads or takes back on the social network: what the provider will tell of it. */

import { getEpoch, getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { GraphError } from '../graph/graph.ts'
import type { Json } from '../http/bodies.ts'
import { hashDigits } from '../identifiers.ts'
import { buildFile } from '../media/samples.ts'
import type { Inbound, InboundContent, InboundMedia } from '../schemas.ts'
import {
  type Comment,
  commentToApi,
  getFirstMediaId,
  listStories,
  saveComment,
  toAccountRef,
} from './accounts.ts'
import type { EnvelopeShape } from './webhook.ts'

interface InboundEvent {
  field: string
  payload: Json
  /** whether it counts as the person having written */
  isMessage: boolean
}

const week = 7 * 86_400_000

async function storeAttachment(world: SandboxContext, account: string, given: InboundMedia): Promise<Json> {
  const file = buildFile(given)
  const media = await world.media.add([file.bytes], {
    account: toAccountRef(account),
    mimeType: file.mimeType,
    filename: file.filename,
    uploaded: false,
  })
  const type = file.kind === 'document' ? 'file' : file.kind === 'sticker' ? 'image' : file.kind
  return { type, payload: { url: `/cdn${world.media.signedPath(media, week)}` } }
}

const messageEvent = (content: Json): InboundEvent => ({
  field: 'messages',
  payload: { message: content },
  isMessage: true,
})
const otherEvent = (field: string, payload: Json): InboundEvent => ({ field, payload, isMessage: false })

function reactionEvent({
  reaction: { providerMessageId, emoji },
}: Extract<InboundContent, { type: 'reaction' }>): InboundEvent {
  const react = emoji
    ? { action: 'react', reaction: emoji === '❤️' || emoji === '❤' ? 'love' : 'other', emoji }
    : { action: 'unreact' }
  return otherEvent('message_reactions', { reaction: { mid: providerMessageId, ...react } })
}

async function buildInboundEvent(
  world: SandboxContext,
  account: string,
  content: InboundContent,
): Promise<InboundEvent> {
  switch (content.type) {
    case 'text':
      return messageEvent({ text: content.text.body })
    case 'media': {
      const { caption } = content.media
      return messageEvent({
        ...(caption ? { text: caption } : {}),
        attachments: [await storeAttachment(world, account, content.media)],
      })
    }
    case 'reply':
      return messageEvent({ text: content.reply.title, quick_reply: { payload: content.reply.id } })
    case 'button':
      return {
        field: 'messaging_postbacks',
        payload: { postback: { title: content.button.text, payload: content.button.payload } },
        isMessage: true,
      }
    case 'reaction':
      return reactionEvent(content)
    case 'unsupported':
      return messageEvent({ is_unsupported: true })
    case 'storyMention':
      return messageEvent({
        attachments: [{ type: 'story_mention', payload: { url: '/samples/image' } }],
      })
    case 'storyReply': {
      const id = content.storyReply.storyId ?? String(listStories(world, account)[0]!.id)
      return messageEvent({
        text: content.storyReply.text,
        reply_to: { story: { id, url: '/samples/image' } },
      })
    }
    case 'read':
      return otherEvent('messaging_seen', { read: { mid: content.read.providerMessageId } })
    case 'deleted':
      return otherEvent('messages', { message: { mid: content.deleted.providerMessageId, is_deleted: true } })
    case 'edited':
      return otherEvent('message_edit', {
        message_edit: { mid: content.edited.providerMessageId, text: content.edited.text, num_edit: 1 },
      })
    case 'raw':
      return { field: 'messages', payload: content.raw, isMessage: true }
    default:
      throw new GraphError(100, `A customer of this channel cannot send "${content.type}"`)
  }
}

type CommentContent = Extract<InboundContent, { type: 'comment' }>['comment']

/** Somebody comments; we ourselves do when `from` is the account. */
export async function receiveComment(
  world: SandboxContext,
  account: string,
  from: string,
  given: CommentContent,
  shape: EnvelopeShape = 'field',
): Promise<string> {
  const count = world.ledger.last + 1
  const made: Comment = {
    id: hashDigits(`socialapp/comment/${getEpoch(world)}/${count}`, 17, '17'),
    account,
    mediaId: given.mediaId ?? getFirstMediaId(account),
    from,
    text: given.text,
    at: world.clock.now(toAccountRef(account)),
    ...(given.live ? { live: true } : {}),
    ...(given.parentId ? { parentId: given.parentId } : {}),
  }
  await saveComment(world, made)
  const { timestamp: _, username: __, media, ...value } = commentToApi(made)
  const product = given.live ? 'LIVE' : 'FEED'
  const field = given.live ? 'live_comments' : 'comments'
  await recordEntry(world, {
    kind: 'event',
    account: toAccountRef(account),
    peer: from,
    about: { field, shape },
    payload: JSON.stringify({ ...value, media: { ...(media as Json), media_product_type: product } }),
    callbacks: [{ tells: 'received' }],
  })
  return made.id
}

export async function receiveInbound(
  world: SandboxContext,
  account: string,
  inbound: Inbound,
): Promise<string> {
  const { from, content, shape = 'messaging', profileName, username, replyTo } = inbound
  if (content.type === 'comment') return receiveComment(world, account, from, content.comment, inbound.shape)
  const { field, payload, isMessage } = await buildInboundEvent(world, account, content)
  const answering =
    replyTo && payload.message
      ? { message: { ...(payload.message as Json), reply_to: { mid: replyTo } } }
      : {}
  const entry = await recordEntry(world, {
    kind: isMessage ? 'received' : 'event',
    account: toAccountRef(account),
    peer: from,
    about: { field, shape, ...(profileName ? { profileName } : {}), ...(username ? { username } : {}) },
    payload: JSON.stringify({ ...payload, ...answering }),
    callbacks: [{ tells: 'received' }],
  })
  if (profileName || username)
    await world.registry.put(`socialapp/person/${from}`, { name: profileName, username })
  return getMessageId(world, entry)
}
