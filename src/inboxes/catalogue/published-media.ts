/** Lists published media of a socialapp account, newest first, merged from two provider lists: posts with reels, and stories. */
import type { Deps } from '../../platform/deps.ts'
import type { Page } from '../../platform/http/page.ts'
import { getAccount } from '../accounts/accounts.ts'
import { asText, type Json } from '../providers/graph.ts'
import type { Account } from '../providers/provider.ts'
import { fetchMediaPage, toMediaType } from '../providers/socialapp/catalogue.ts'
import type { SocialMedia } from '../schemas.ts'
import type { InboxRow } from '../store/inboxes.ts'
import { iterateItems, type ListPosition, parsePositions, toSortKey } from './pagination.ts'

type MediaType = SocialMedia['mediaType']
const edges = ['media', 'stories'] as const

interface Stream {
  items: AsyncGenerator<{ node: Json; next: ListPosition }>
  head: { media: SocialMedia; at: number; next: ListPosition } | undefined
  position: ListPosition
}

export async function listPublishedMedia(
  deps: Deps,
  inbox: InboxRow,
  page: Page,
  types: readonly MediaType[],
): Promise<{ media: SocialMedia[]; next: string | undefined }> {
  const account = await getAccount(deps, inbox.tenantId, inbox.id)
  const positions = parsePositions(page.after, edges.length)
  const streams = edges.map((edge, i) => openStream(account, edge, positions[i]!, types))
  await Promise.all(streams.map(stream => advance(stream, types)))
  const rows: { media: SocialMedia; key: ReturnType<typeof toSortKey> }[] = []
  while (rows.length <= page.limit) {
    const newest = streams.filter(stream => stream.head).sort((a, b) => b.head!.at - a.head!.at)[0]
    if (!newest) break
    const { media, next } = newest.head!
    newest.position = next
    rows.push({ media, key: toSortKey(streams.map(stream => stream.position)) })
    await advance(newest, types)
  }
  const { rows: shown, next } = page.toPage(rows, row => row.key)
  return { media: shown.map(row => row.media), next }
}

/** A provider list that contains none of the requested types is not fetched. */
function openStream(
  account: Account,
  edge: (typeof edges)[number],
  position: ListPosition,
  types: readonly MediaType[],
): Stream {
  const holds = (edge === 'stories' ? ['story'] : ['post', 'reel']) as MediaType[]
  const from = holds.some(type => types.includes(type)) ? position : null
  const items = iterateItems(from, after => fetchMediaPage(account, account.externalId, edge, after))
  return { items, head: undefined, position: from }
}

async function advance(stream: Stream, types: readonly MediaType[]): Promise<void> {
  stream.head = undefined
  for (;;) {
    const { value, done } = await stream.items.next()
    if (done) return
    const media = mediaToApi(value.node)
    if (!types.includes(media.mediaType)) continue
    stream.head = { media, at: Date.parse(media.timestamp ?? '') || 0, next: value.next }
    return
  }
}

function mediaToApi(node: Json): SocialMedia {
  const at = Date.parse(asText(node.timestamp)?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? '')
  return {
    id: asText(node.id) ?? '',
    mediaType: toMediaType(node),
    caption: asText(node.caption) ?? null,
    permalink: asText(node.permalink) ?? null,
    mediaUrl: asText(node.media_url) ?? null,
    thumbnailUrl: asText(node.thumbnail_url) ?? null,
    timestamp: Number.isNaN(at) ? null : new Date(at).toISOString(),
  }
}
