/**
 * Converts the provider's pages to pages of our API. A position is the provider's cursor plus the number of items
 * consumed after it, so that a page can end anywhere in a provider page and items can be filtered out.
 */
import type { Page, SortKey } from '../../platform/http/page.ts'
import type { GraphPage, Json } from '../providers/graph.ts'

/** Position in one list of the provider; null: end of the list. */
export type ListPosition = readonly [cursor: string, done: number] | null

export const firstPosition: ListPosition = ['', 0]
const maxPages = 50

interface Item {
  node: Json
  /** Position after the item. */
  next: ListPosition
}

export async function* iterateItems(
  position: ListPosition,
  fetchPage: (after: string | undefined) => Promise<GraphPage>,
): AsyncGenerator<Item> {
  if (!position) return
  let [cursor, done] = position
  for (let i = 0; i < maxPages; i++) {
    const page = await fetchPage(cursor || undefined)
    for (const [index, node] of page.data.entries())
      if (index >= done) yield { node, next: getNextPosition(cursor, index, page) }
    if (!page.after) return
    cursor = page.after
    done = 0
  }
}

function getNextPosition(cursor: string, index: number, page: GraphPage): ListPosition {
  if (index + 1 < page.data.length) return [cursor, index + 1]
  return page.after ? [page.after, 0] : null
}

export const toSortKey = (positions: readonly ListPosition[]): SortKey =>
  positions.flatMap(position => position ?? [null, null])

export function parsePositions(key: SortKey | undefined, count: number): ListPosition[] {
  return Array.from({ length: count }, (_, i) => {
    if (!key) return firstPosition
    const cursor = key[i * 2]
    return typeof cursor === 'string' ? ([cursor, Number(key[i * 2 + 1])] as const) : null
  })
}

export async function collectPage<T>(
  page: Page,
  fetchPage: (after: string | undefined) => Promise<GraphPage>,
  show: (node: Json) => T | undefined,
): Promise<{ items: T[]; next: string | undefined }> {
  const found: { item: T; key: SortKey }[] = []
  const [position] = parsePositions(page.after, 1)
  for await (const { node, next } of iterateItems(position!, fetchPage)) {
    const item = show(node)
    if (item === undefined) continue
    found.push({ item, key: toSortKey([next]) })
    if (found.length > page.limit) break
  }
  const { rows, next } = page.toPage(found, row => row.key)
  return { items: rows.map(row => row.item), next }
}
