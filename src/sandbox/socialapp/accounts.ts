/** The social provider's accounts, the people who write to them, and what they have published. */

import type { AccountRef } from '../channels.ts'
import type { SandboxContext } from '../context.ts'
import { generateName } from '../customers.ts'
import { findAppWebhook, type WebhookConfig } from '../graph/webhook-subscriptions.ts'
import type { Json } from '../http/bodies.ts'
import { hashDigits, hashHex } from '../identifiers.ts'

/** What the registry keeps of an account that is subscribed to. */
export interface Subscription {
  fields: string[]
  webhook?: WebhookConfig
}

export interface Comment {
  id: string
  account: string
  mediaId: string
  from: string
  text: string
  at: number
  live?: boolean
  parentId?: string
  hasPrivateReply?: boolean
}

export const toAccountRef = (account: string): AccountRef => ({ channel: 'socialapp', account })

/** `me` is whoever the token belongs to. */
export const resolveAccountId = (id: string, token: string): string =>
  id === 'me' ? hashDigits(`socialapp/token/${token}`, 17, '17841') : id

export const getUsername = (id: string): string => `sandbox.${hashHex(`username/${id}`, 6)}`
const getCustomerUsername = (id: string): string =>
  `${generateName(id)
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.')}.${hashHex(id, 3)}`

export function findSubscription(world: SandboxContext, account: string): Subscription | undefined {
  return world.registry.get<Subscription>(`socialapp/account/${account}`)
}

export function findWebhook(world: SandboxContext, account: string): WebhookConfig | undefined {
  return findSubscription(world, account)?.webhook ?? findAppWebhook(world, 'instagram')
}

export const accountToApi = (world: SandboxContext, id: string): Json => ({
  id,
  user_id: id,
  username: getUsername(id),
  name: `Sandbox ${id.slice(-4)}`,
  account_type: 'BUSINESS',
  profile_picture_url: `${world.url}/samples/image`,
  followers_count: Number(hashDigits(`followers/${id}`, 4)),
  media_count: mediaCount,
})

export const customerToApi = (world: SandboxContext, id: string, name?: string, username?: string): Json => ({
  id,
  name: name ?? generateName(id),
  username: username ?? getCustomerUsername(id),
  profile_pic: `${world.url}/samples/image`,
  follower_count: Number(hashDigits(`followers/${id}`, 3)),
  is_user_follow_business: Number(hashDigits(id, 1)) % 2 === 0,
  is_business_follow_user: false,
  is_verified_user: false,
})

export const personName = getCustomerUsername

const mediaCount = 30
const kinds = [
  { media_type: 'IMAGE', media_product_type: 'FEED', sample: 'image' },
  { media_type: 'VIDEO', media_product_type: 'REELS', sample: 'video' },
  { media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED', sample: 'image' },
]
const firstPublished = Date.parse('2026-01-31T09:30:00Z')
const hour = 3_600_000

const toGraphTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')
const toMediaId = (account: string, name: string) => hashDigits(`socialapp/${account}/${name}`, 17, '18')

function buildMedia(world: SandboxContext, account: string, i: number): Json {
  const kind = kinds[i % kinds.length]!
  const id = toMediaId(account, `media/${i}`)
  const video = kind.media_type === 'VIDEO'
  return {
    id,
    caption: `Post ${mediaCount - i} of ${getUsername(account)} ☀️`,
    media_type: kind.media_type,
    media_product_type: kind.media_product_type,
    // Left out for media with a copyright claim, as the provider does.
    ...(i % 10 === 9 ? {} : { media_url: `${world.url}/samples/${kind.sample}` }),
    permalink: `https://social.example/${video ? 'reel' : 'p'}/${hashHex(id, 11)}/`,
    ...(video ? { thumbnail_url: `${world.url}/samples/image` } : {}),
    timestamp: toGraphTime(firstPublished - i * 24 * hour),
    username: getUsername(account),
    ...(i % 7 === 6 ? {} : { like_count: Number(hashDigits(`likes/${id}`, 3)) }),
    comments_count: Number(hashDigits(`comments/${id}`, 1)),
  }
}

export function listMedia(world: SandboxContext, account: string): Json[] {
  return Array.from({ length: mediaCount }, (_, i) => buildMedia(world, account, i))
}

/** Three, published over the last hours; they live for a day, so there are always some. */
export function listStories(world: SandboxContext, account: string): Json[] {
  const now = world.clock.now(toAccountRef(account))
  const today = now - (now % (24 * hour))
  return [0, 1, 2].map(i => {
    const id = toMediaId(account, `story/${today}/${i}`)
    return {
      id,
      caption: `Story ${3 - i}`,
      media_type: i === 1 ? 'VIDEO' : 'IMAGE',
      media_product_type: 'STORY',
      media_url: `${world.url}/samples/${i === 1 ? 'video' : 'image'}`,
      permalink: `https://social.example/stories/${getUsername(account)}/${id}`,
      ...(i === 1 ? { thumbnail_url: `${world.url}/samples/image` } : {}),
      timestamp: toGraphTime(now - (i + 1) * hour),
      username: getUsername(account),
    }
  })
}

export const getFirstMediaId = (account: string): string => toMediaId(account, 'media/0')

export const findComment = (world: SandboxContext, id: string): Comment | undefined =>
  world.registry.get<Comment>(`socialapp/comment/${id}`)

export async function saveComment(world: SandboxContext, comment: Comment): Promise<void> {
  await world.registry.put(`socialapp/comment/${comment.id}`, comment)
}

export function commentToApi({ id, text, from, at, mediaId: media, parentId, account }: Comment): Json {
  const username = from === account ? getUsername(account) : getCustomerUsername(from)
  return {
    id,
    text,
    timestamp: toGraphTime(at),
    username,
    from: { id: from, username },
    media: { id: media },
    ...(parentId ? { parent_id: parentId } : {}),
  }
}
