/** Simulates customer actions in socialapp and records the resulting callbacks. */

import { getEpoch, getMessageId, recordEntry, type SandboxContext } from '../context.ts'
import { GraphError } from '../graph/graph.ts'
import type { Json } from '../http/bodies.ts'
import { hashDigits } from '../identifiers.ts'
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
  /** opens the messaging window */
  isMessage: boolean
}

const week = 7 * 86_400_000

async function storeAttachment(
  context: SandboxContext,
  account: string,
  inbound: InboundMedia,
): Promise<Json> {
  const { file, media } = await context.media.addInbound(toAccountRef(account), inbound)
  const type = file.kind === 'document' ? 'file' : file.kind === 'sticker' ? 'image' : file.kind
  return { type, payload: { url: `/cdn${context.media.signedPath(media, week)}` } }
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
  context: SandboxContext,
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
        attachments: [await storeAttachment(context, account, content.media)],
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
      const id = content.storyReply.storyId ?? String(listStories(context, account)[0]!.id)
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
      throw new GraphError(100, `socialapp customers cannot send content of type "${content.type}"`)
  }
}

type CommentContent = Extract<InboundContent, { type: 'comment' }>['comment']

/** Records a comment by a customer, or by the account itself if `from` is the account. */
export async function receiveComment(
  context: SandboxContext,
  account: string,
  from: string,
  content: CommentContent,
  shape: EnvelopeShape = 'field',
): Promise<string> {
  const count = context.ledger.last + 1
  const comment: Comment = {
    id: hashDigits(`socialapp/comment/${getEpoch(context)}/${count}`, 17, '17'),
    account,
    mediaId: content.mediaId ?? getFirstMediaId(account),
    from,
    text: content.text,
    at: context.clock.now(toAccountRef(account)),
    ...(content.live ? { live: true } : {}),
    ...(content.parentId ? { parentId: content.parentId } : {}),
  }
  await saveComment(context, comment)
  const { timestamp: _, username: __, media, ...value } = commentToApi(comment)
  const product = content.live ? 'LIVE' : 'FEED'
  const field = content.live ? 'live_comments' : 'comments'
  await recordEntry(context, {
    kind: 'event',
    account: toAccountRef(account),
    customer: from,
    metadata: { field, shape },
    payload: JSON.stringify({ ...value, media: { ...(media as Json), media_product_type: product } }),
    callbacks: [{ type: 'received' }],
  })
  return comment.id
}

export async function receiveInbound(
  context: SandboxContext,
  account: string,
  inbound: Inbound,
): Promise<string> {
  const { from, content, shape = 'messaging', profileName, username, replyTo } = inbound
  if (content.type === 'comment')
    return receiveComment(context, account, from, content.comment, inbound.shape)
  const { field, payload, isMessage } = await buildInboundEvent(context, account, content)
  const quoted =
    replyTo && payload.message
      ? { message: { ...(payload.message as Json), reply_to: { mid: replyTo } } }
      : {}
  // Before the callback, whose receiver may look the profile up.
  if (profileName || username)
    await context.registry.put(`socialapp/person/${from}`, { name: profileName, username })
  const entry = await recordEntry(context, {
    kind: isMessage ? 'received' : 'event',
    account: toAccountRef(account),
    customer: from,
    metadata: { field, shape, ...(profileName ? { profileName } : {}), ...(username ? { username } : {}) },
    payload: JSON.stringify({ ...payload, ...quoted }),
    callbacks: [{ type: 'received' }],
  })
  return getMessageId(context, entry)
}
