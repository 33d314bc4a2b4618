/**
 * Lists that the provider pages through, shown in pages of ours. A position is the provider's cursor and how many items
 * after it were dealt with, so that a page may end anywhere and filters may leave out what they want.
 */
import type { Page, SortKey } from '../platform/http/page.ts'
import type { GraphPage, Json } from './providers/graph.ts'

/** Where to go on in one list of the provider; null: it is at its end. */
export type Position = readonly [cursor: string, done: number] | null

export const start: Position = ['', 0]
const mostPages = 50

interface Item {
  node: Json
  /** Where to go on after it. */
  next: Position
}

/** One list of the provider, item by item, from a position on. */
export async function* itemsFrom(
  position: Position,
  fetchPage: (after: string | undefined) => Promise<GraphPage>,
): AsyncGenerator<Item> {
  if (!position) return
  let [cursor, done] = position
  for (let i = 0; i < mostPages; i++) {
    const page = await fetchPage(cursor || undefined)
    for (const [index, node] of page.data.entries())
      if (index >= done) yield { node, next: nextOf(cursor, index, page) }
    if (!page.after) return
    cursor = page.after
    done = 0
  }
}

function nextOf(cursor: string, index: number, page: GraphPage): Position {
  if (index + 1 < page.data.length) return [cursor, index + 1]
  return page.after ? [page.after, 0] : null
}

/** As a page token keeps positions: flat, in order. */
export const keyOf = (positions: readonly Position[]): SortKey =>
  positions.flatMap(position => position ?? [null, null])

export function positionsIn(key: SortKey | undefined, count: number): Position[] {
  return Array.from({ length: count }, (_, i) => {
    if (!key) return start
    const cursor = key[i * 2]
    return typeof cursor === 'string' ? ([cursor, Number(key[i * 2 + 1])] as const) : null
  })
}

/** One page of ours from one list of the provider. */
export async function pageFrom<T>(
  page: Page,
  fetchPage: (after: string | undefined) => Promise<GraphPage>,
  show: (node: Json) => T | undefined,
): Promise<{ items: T[]; next: string | undefined }> {
  const found: { item: T; key: SortKey }[] = []
  const [position] = positionsIn(page.after, 1)
  for await (const { node, next } of itemsFrom(position!, fetchPage)) {
    const item = show(node)
    if (item === undefined) continue
    found.push({ item, key: keyOf([next]) })
    if (found.length > page.limit) break
  }
  const { rows, next } = page.cut(found, row => row.key)
  return { items: rows.map(row => row.item), next }
}
