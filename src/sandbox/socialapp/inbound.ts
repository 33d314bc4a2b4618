/** A person writes, comments, reacts, reads or takes back on the social network: what the provider will tell of it. */
import type { Json } from '../bodies.ts'
import { GraphError } from '../graph.ts'
import { digitsOf } from '../identifiers.ts'
import { fileOf } from '../samples.ts'
import type { Inbound, InboundContent, InboundMedia } from '../schemas.ts'
import { epochOf, idOf, record, type World } from '../world.ts'
import { type Comment, commentNode, firstMediaOf, refOf, saveComment, storiesOf } from './accounts.ts'
import type { Shape } from './webhook.ts'

interface Told {
  field: string
  payload: Json
  /** whether it counts as the person having written */
  isMessage: boolean
}

const week = 7 * 86_400_000

async function attachment(world: World, account: string, given: InboundMedia): Promise<Json> {
  const file = fileOf(given)
  const media = await world.media.add([file.bytes], {
    account: refOf(account),
    mimeType: file.mimeType,
    filename: file.filename,
    uploaded: false,
  })
  const type = file.kind === 'document' ? 'file' : file.kind === 'sticker' ? 'image' : file.kind
  return { type, payload: { url: `/cdn${world.media.address(media, week)}` } }
}

const message = (content: Json): Told => ({
  field: 'messages',
  payload: { message: content },
  isMessage: true,
})
const event = (field: string, payload: Json): Told => ({ field, payload, isMessage: false })

function reaction({
  reaction: { providerMessageId, emoji },
}: Extract<InboundContent, { type: 'reaction' }>): Told {
  const react = emoji
    ? { action: 'react', reaction: emoji === '❤️' || emoji === '❤' ? 'love' : 'other', emoji }
    : { action: 'unreact' }
  return event('message_reactions', { reaction: { mid: providerMessageId, ...react } })
}

async function toldOf(world: World, account: string, content: InboundContent): Promise<Told> {
  switch (content.type) {
    case 'text':
      return message({ text: content.text.body })
    case 'media': {
      const { caption } = content.media
      return message({
        ...(caption ? { text: caption } : {}),
        attachments: [await attachment(world, account, content.media)],
      })
    }
    case 'reply':
      return message({ text: content.reply.title, quick_reply: { payload: content.reply.id } })
    case 'button':
      return {
        field: 'messaging_postbacks',
        payload: { postback: { title: content.button.text, payload: content.button.payload } },
        isMessage: true,
      }
    case 'reaction':
      return reaction(content)
    case 'unsupported':
      return message({ is_unsupported: true })
    case 'storyMention':
      return message({
        attachments: [{ type: 'story_mention', payload: { url: '/samples/image' } }],
      })
    case 'storyReply': {
      const id = content.storyReply.storyId ?? String(storiesOf(world, account)[0]!.id)
      return message({
        text: content.storyReply.text,
        reply_to: { story: { id, url: '/samples/image' } },
      })
    }
    case 'read':
      return event('messaging_seen', { read: { mid: content.read.providerMessageId } })
    case 'deleted':
      return event('messages', { message: { mid: content.deleted.providerMessageId, is_deleted: true } })
    case 'edited':
      return event('message_edit', {
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
export async function comment(
  world: World,
  account: string,
  from: string,
  given: CommentContent,
  shape: Shape = 'field',
): Promise<string> {
  const count = world.ledger.last + 1
  const made: Comment = {
    id: digitsOf(`socialapp/comment/${epochOf(world)}/${count}`, 17, '17'),
    account,
    mediaId: given.mediaId ?? firstMediaOf(account),
    from,
    text: given.text,
    at: world.time.now(refOf(account)),
    ...(given.live ? { live: true } : {}),
    ...(given.parentId ? { parentId: given.parentId } : {}),
  }
  await saveComment(world, made)
  const { timestamp: _, username: __, media, ...value } = commentNode(made)
  const product = given.live ? 'LIVE' : 'FEED'
  const field = given.live ? 'live_comments' : 'comments'
  await record(world, {
    kind: 'event',
    account: refOf(account),
    peer: from,
    about: { field, shape },
    payload: JSON.stringify({ ...value, media: { ...(media as Json), media_product_type: product } }),
    tellings: [{ tells: 'received' }],
  })
  return made.id
}

export async function receive(world: World, account: string, inbound: Inbound): Promise<string> {
  const { from, content, shape = 'messaging', profileName, username, replyTo } = inbound
  if (content.type === 'comment') return comment(world, account, from, content.comment, inbound.shape)
  const { field, payload, isMessage } = await toldOf(world, account, content)
  const answering =
    replyTo && payload.message
      ? { message: { ...(payload.message as Json), reply_to: { mid: replyTo } } }
      : {}
  const entry = await record(world, {
    kind: isMessage ? 'received' : 'event',
    account: refOf(account),
    peer: from,
    about: { field, shape, ...(profileName ? { profileName } : {}), ...(username ? { username } : {}) },
    payload: JSON.stringify({ ...payload, ...answering }),
    tellings: [{ tells: 'received' }],
  })
  if (profileName || username)
    await world.registry.put(`socialapp/person/${from}`, { name: profileName, username })
  return idOf(world, entry)
}
