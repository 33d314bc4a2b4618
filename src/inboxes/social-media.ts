/** What an account has published, newest first across the provider's two lists: posts with reels, and stories. */
import type { Deps } from '../platform/deps.ts'
import type { Page } from '../platform/http/page.ts'
import { getAccount } from './accounts.ts'
import { itemsFrom, keyOf, type Position, positionsIn } from './listing.ts'
import type { Account } from './provider.ts'
import { type Json, textIn } from './providers/graph.ts'
import { mediaPage, mediaTypeOf } from './providers/socialapp/catalogue.ts'
import type { SocialMedia } from './schemas.ts'
import type { InboxRow } from './store/inboxes.ts'

type MediaType = SocialMedia['mediaType']
const edges = ['media', 'stories'] as const

interface Stream {
  items: AsyncGenerator<{ node: Json; next: Position }>
  head: { media: SocialMedia; at: number; next: Position } | undefined
  position: Position
}

export async function socialMediaPage(
  deps: Deps,
  inbox: InboxRow,
  page: Page,
  types: readonly MediaType[],
): Promise<{ media: SocialMedia[]; next: string | undefined }> {
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  const positions = positionsIn(page.after, edges.length)
  const streams = edges.map((edge, i) => streamOf(account, edge, positions[i]!, types))
  await Promise.all(streams.map(stream => advance(stream, types)))
  const rows: { media: SocialMedia; key: ReturnType<typeof keyOf> }[] = []
  while (rows.length <= page.limit) {
    const newest = streams.filter(one => one.head).sort((a, b) => b.head!.at - a.head!.at)[0]
    if (!newest) break
    const { media, next } = newest.head!
    newest.position = next
    rows.push({ media, key: keyOf(streams.map(one => one.position)) })
    await advance(newest, types)
  }
  const { rows: shown, next } = page.cut(rows, row => row.key)
  return { media: shown.map(row => row.media), next }
}

/** A list that holds nothing of what was asked for is not even asked for. */
function streamOf(
  account: Account,
  edge: (typeof edges)[number],
  position: Position,
  types: readonly MediaType[],
): Stream {
  const holds = (edge === 'stories' ? ['story'] : ['post', 'reel']) as MediaType[]
  const from = holds.some(type => types.includes(type)) ? position : null
  const items = itemsFrom(from, after => mediaPage(account, account.externalId, edge, after))
  return { items, head: undefined, position: from }
}

async function advance(stream: Stream, types: readonly MediaType[]): Promise<void> {
  stream.head = undefined
  for (;;) {
    const { value, done } = await stream.items.next()
    if (done) return
    const media = mediaIn(value.node)
    if (!types.includes(media.mediaType)) continue
    stream.head = { media, at: Date.parse(media.timestamp ?? '') || 0, next: value.next }
    return
  }
}

function mediaIn(node: Json): SocialMedia {
  const at = Date.parse(textIn(node.timestamp)?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? '')
  return {
    id: textIn(node.id) ?? '',
    mediaType: mediaTypeOf(node),
    caption: textIn(node.caption) ?? null,
    permalink: textIn(node.permalink) ?? null,
    mediaUrl: textIn(node.media_url) ?? null,
    thumbnailUrl: textIn(node.thumbnail_url) ?? null,
    timestamp: Number.isNaN(at) ? null : new Date(at).toISOString(),
  }
}
