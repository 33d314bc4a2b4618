/** Accounts, customers, published media and comments of socialapp. */

import type { SandboxContext } from '../context.ts'
import { generateName } from '../customers.ts'
import { findAppWebhook, type WebhookConfig } from '../graph/webhook-subscriptions.ts'
import type { Json } from '../http/bodies.ts'
import type { AccountRef } from '../identifiers.ts'
import { hashDigits, hashHex } from '../identifiers.ts'

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

/** Resolves `me` to the account of the token. */
export const resolveAccountId = (id: string, token: string): string =>
  id === 'me' ? hashDigits(`socialapp/token/${token}`, 17, '17841') : id

export const getUsername = (id: string): string => `sandbox.${hashHex(`username/${id}`, 6)}`
export const getCustomerUsername = (id: string): string =>
  `${generateName(id)
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.')}.${hashHex(id, 3)}`

export function findSubscription(context: SandboxContext, account: string): Subscription | undefined {
  return context.registry.get<Subscription>(`socialapp/account/${account}`)
}

export function findWebhook(context: SandboxContext, account: string): WebhookConfig | undefined {
  return findSubscription(context, account)?.webhook ?? findAppWebhook(context, 'instagram')
}

export const accountToApi = (context: SandboxContext, id: string): Json => ({
  id,
  user_id: id,
  username: getUsername(id),
  name: `Sandbox ${id.slice(-4)}`,
  account_type: 'BUSINESS',
  profile_picture_url: `${context.url}/samples/image`,
  followers_count: Number(hashDigits(`followers/${id}`, 4)),
  media_count: mediaCount,
})

export const customerToApi = (
  context: SandboxContext,
  id: string,
  name?: string,
  username?: string,
): Json => ({
  id,
  name: name ?? generateName(id),
  username: username ?? getCustomerUsername(id),
  profile_pic: `${context.url}/samples/image`,
  follower_count: Number(hashDigits(`followers/${id}`, 3)),
  is_user_follow_business: Number(hashDigits(id, 1)) % 2 === 0,
  is_business_follow_user: false,
  is_verified_user: false,
})

const mediaCount = 30
const kinds = [
  { media_type: 'IMAGE', media_product_type: 'FEED', sample: 'image' },
  { media_type: 'VIDEO', media_product_type: 'REELS', sample: 'video' },
  { media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED', sample: 'image' },
]
const firstPublished = Date.parse('2026-01-31T09:30:00Z')
const hour = 3_600_000

export const toGraphTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')
const toMediaId = (account: string, name: string) => hashDigits(`socialapp/${account}/${name}`, 17, '18')

function buildMedia(context: SandboxContext, account: string, i: number): Json {
  const kind = kinds[i % kinds.length]!
  const id = toMediaId(account, `media/${i}`)
  const video = kind.media_type === 'VIDEO'
  return {
    id,
    caption: `Post ${mediaCount - i} of ${getUsername(account)} ☀️`,
    media_type: kind.media_type,
    media_product_type: kind.media_product_type,
    // Missing for media with a copyright claim, as with the real provider.
    ...(i % 10 === 9 ? {} : { media_url: `${context.url}/samples/${kind.sample}` }),
    permalink: `https://social.example/${video ? 'reel' : 'p'}/${hashHex(id, 11)}/`,
    ...(video ? { thumbnail_url: `${context.url}/samples/image` } : {}),
    timestamp: toGraphTime(firstPublished - i * 24 * hour),
    username: getUsername(account),
    ...(i % 7 === 6 ? {} : { like_count: Number(hashDigits(`likes/${id}`, 3)) }),
    comments_count: Number(hashDigits(`comments/${id}`, 1)),
  }
}

export function listMedia(context: SandboxContext, account: string): Json[] {
  return Array.from({ length: mediaCount }, (_, i) => buildMedia(context, account, i))
}

/** Returns three stories published over the last hours. */
export function listStories(context: SandboxContext, account: string): Json[] {
  const now = context.clock.now(toAccountRef(account))
  const today = now - (now % (24 * hour))
  return [0, 1, 2].map(i => {
    const id = toMediaId(account, `story/${today}/${i}`)
    return {
      id,
      caption: `Story ${3 - i}`,
      media_type: i === 1 ? 'VIDEO' : 'IMAGE',
      media_product_type: 'STORY',
      media_url: `${context.url}/samples/${i === 1 ? 'video' : 'image'}`,
      permalink: `https://social.example/stories/${getUsername(account)}/${id}`,
      ...(i === 1 ? { thumbnail_url: `${context.url}/samples/image` } : {}),
      timestamp: toGraphTime(now - (i + 1) * hour),
      username: getUsername(account),
    }
  })
}

export const getFirstMediaId = (account: string): string => toMediaId(account, 'media/0')

export const findComment = (context: SandboxContext, id: string): Comment | undefined =>
  context.registry.get<Comment>(`socialapp/comment/${id}`)

export async function saveComment(context: SandboxContext, comment: Comment): Promise<void> {
  await context.registry.put(`socialapp/comment/${comment.id}`, comment)
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
