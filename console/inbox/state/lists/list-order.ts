/** Places conversations in a list: pages of the service at its end, and changes wherever they belong. */
import { getSignedIn } from '../../../api/session.ts'
import type { Conversation, ListKey } from '../views.ts'
import { canPlace, compare, matches } from './filter.ts'

export interface PlacedList {
  key: ListKey
  ids: readonly string[]
  /** Where the next page begins; undefined: the list is complete. */
  nextCursor: string | undefined
}

type Conversations = ReadonlyMap<string, Conversation>

/** Appends a page, leaving out conversations that events have moved into the list already or out of it meanwhile. */
export function appendPage(
  key: ListKey,
  ids: readonly string[],
  page: readonly Conversation[],
  byId: Conversations,
): string[] {
  const known = new Set(ids)
  const reader = getSignedIn()
  const isStill = (id: string) => matches(key.filter, byId.get(id)!, reader) !== false
  const all = [...ids, ...page.map(({ id }) => id).filter(id => !known.has(id) && isStill(id))]
  return canPlace(key) ? all.sort((a, b) => compare(key.sort, byId.get(a)!, byId.get(b)!)) : all
}

/** Returns the new order of the list, or undefined if it stays the same. */
export function place(
  { key, ids, nextCursor }: PlacedList,
  changed: Conversations,
  { byId, openId }: { byId: Conversations; openId: string | undefined },
): string[] | undefined {
  if (!canPlace(key)) return undefined
  const reader = getSignedIn()
  const kept = ids.filter(id => !changed.has(id))
  const last = nextCursor === undefined ? undefined : byId.get(ids.at(-1) ?? '')
  const added = [...changed.values()].filter(conversation => {
    if (last && compare(key.sort, conversation, last) > 0) return false
    const isKept = conversation.id === openId && ids.includes(openId)
    return matches(isKept ? withoutUnread(key) : key.filter, conversation, reader)
  })
  if (added.length === 0 && kept.length === ids.length) return undefined
  for (const conversation of added)
    kept.splice(findPosition(key, kept, { conversation, byId }), 0, conversation.id)
  return kept
}

/** Opening an unread conversation reads it: it stays in the list while it is open. */
function withoutUnread({ filter: { unread, ...others } }: ListKey): ListKey['filter'] {
  return unread === false ? { unread, ...others } : others
}

/** Binary search: a list may have 100,000 rows. */
function findPosition(
  { sort }: ListKey,
  ids: readonly string[],
  { conversation, byId }: { conversation: Conversation; byId: Conversations },
): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sort, byId.get(ids[middle]!)!, conversation) < 0) low = middle + 1
    else high = middle
  }
  return low
}
