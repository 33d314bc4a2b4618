/** The social provider's accounts, the people who write to them, and what they have published. */
import type { Json } from '../bodies.ts'
import type { AccountRef } from '../channels.ts'
import { appHook, type Hook } from '../hooks.ts'
import { digitsOf, hexOf } from '../identifiers.ts'
import { nameOf } from '../peers.ts'
import type { World } from '../world.ts'

/** What the registry keeps of an account that is subscribed to. */
export interface Subscription {
  fields: string[]
  hook?: Hook
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
  isAnswered?: boolean
}

export const refOf = (account: string): AccountRef => ({ channel: 'socialapp', account })

/** `me` is whoever the token belongs to. */
export const accountOf = (id: string, token: string): string =>
  id === 'me' ? digitsOf(`socialapp/token/${token}`, 17, '17841') : id

export const usernameOf = (id: string): string => `sandbox.${hexOf(`username/${id}`, 6)}`
const personNameOf = (id: string): string =>
  `${nameOf(id)
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.')}.${hexOf(id, 3)}`

export function subscriptionOf(world: World, account: string): Subscription | undefined {
  return world.registry.get<Subscription>(`socialapp/account/${account}`)
}

export function hookOf(world: World, account: string): Hook | undefined {
  return subscriptionOf(world, account)?.hook ?? appHook(world, 'instagram')
}

export const accountNode = (world: World, id: string): Json => ({
  id,
  user_id: id,
  username: usernameOf(id),
  name: `Sandbox ${id.slice(-4)}`,
  account_type: 'BUSINESS',
  profile_picture_url: `${world.url}/samples/image`,
  followers_count: Number(digitsOf(`followers/${id}`, 4)),
  media_count: mediaCount,
})

export const personNode = (world: World, id: string, name?: string, username?: string): Json => ({
  id,
  name: name ?? nameOf(id),
  username: username ?? personNameOf(id),
  profile_pic: `${world.url}/samples/image`,
  follower_count: Number(digitsOf(`followers/${id}`, 3)),
  is_user_follow_business: Number(digitsOf(id, 1)) % 2 === 0,
  is_business_follow_user: false,
  is_verified_user: false,
})

export const personName = personNameOf

const mediaCount = 30
const kinds = [
  { media_type: 'IMAGE', media_product_type: 'FEED', sample: 'image' },
  { media_type: 'VIDEO', media_product_type: 'REELS', sample: 'video' },
  { media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED', sample: 'image' },
]
const firstPublished = Date.parse('2026-01-31T09:30:00Z')
const hour = 3_600_000

const isoOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+0000')
const mediaId = (account: string, name: string) => digitsOf(`socialapp/${account}/${name}`, 17, '18')

function published(world: World, account: string, i: number): Json {
  const kind = kinds[i % kinds.length]!
  const id = mediaId(account, `media/${i}`)
  const video = kind.media_type === 'VIDEO'
  return {
    id,
    caption: `Post ${mediaCount - i} of ${usernameOf(account)} ☀️`,
    media_type: kind.media_type,
    media_product_type: kind.media_product_type,
    // Left out for media with a copyright claim, as the provider does.
    ...(i % 10 === 9 ? {} : { media_url: `${world.url}/samples/${kind.sample}` }),
    permalink: `https://social.example/${video ? 'reel' : 'p'}/${hexOf(id, 11)}/`,
    ...(video ? { thumbnail_url: `${world.url}/samples/image` } : {}),
    timestamp: isoOf(firstPublished - i * 24 * hour),
    username: usernameOf(account),
    ...(i % 7 === 6 ? {} : { like_count: Number(digitsOf(`likes/${id}`, 3)) }),
    comments_count: Number(digitsOf(`comments/${id}`, 1)),
  }
}

export function mediaOf(world: World, account: string): Json[] {
  return Array.from({ length: mediaCount }, (_, i) => published(world, account, i))
}

/** Three, published over the last hours; they live for a day, so there are always some. */
export function storiesOf(world: World, account: string): Json[] {
  const now = world.time.now(refOf(account))
  const today = now - (now % (24 * hour))
  return [0, 1, 2].map(i => {
    const id = mediaId(account, `story/${today}/${i}`)
    return {
      id,
      caption: `Story ${3 - i}`,
      media_type: i === 1 ? 'VIDEO' : 'IMAGE',
      media_product_type: 'STORY',
      media_url: `${world.url}/samples/${i === 1 ? 'video' : 'image'}`,
      permalink: `https://social.example/stories/${usernameOf(account)}/${id}`,
      ...(i === 1 ? { thumbnail_url: `${world.url}/samples/image` } : {}),
      timestamp: isoOf(now - (i + 1) * hour),
      username: usernameOf(account),
    }
  })
}

export const firstMediaOf = (account: string): string => mediaId(account, 'media/0')

export const commentOf = (world: World, id: string): Comment | undefined =>
  world.registry.get<Comment>(`socialapp/comment/${id}`)

export async function saveComment(world: World, comment: Comment): Promise<void> {
  await world.registry.put(`socialapp/comment/${comment.id}`, comment)
}

export function commentNode({ id, text, from, at, mediaId: media, parentId, account }: Comment): Json {
  const username = from === account ? usernameOf(account) : personNameOf(from)
  return {
    id,
    text,
    timestamp: isoOf(at),
    username,
    from: { id: from, username },
    media: { id: media },
    ...(parentId ? { parent_id: parentId } : {}),
  }
}
