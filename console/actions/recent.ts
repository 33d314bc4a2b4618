/** The items that the user has opened from the palette, the latest first. They stay in this browser. */
import { getSignedIn } from '../api/session.ts'
import type { Hit } from './hits.ts'

const maxItems = 6

/** Ids of users belong to one workspace. */
const getKey = () => `parley.recent.${getSignedIn().me.id}`

export function listRecent(): Hit[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(getKey()) ?? '[]')
    return Array.isArray(stored) ? (stored as Hit[]).slice(0, maxItems) : []
  } catch {
    return []
  }
}

/** Stores no detail: a preview of a message is not needed to find it again. */
export function addRecent({ kind, id, title, conversationId }: Hit): void {
  const item = { kind, id, title, detail: null, ...(conversationId ? { conversationId } : {}) }
  const others = listRecent().filter(hit => hit.kind !== kind || hit.id !== id)
  localStorage.setItem(getKey(), JSON.stringify([item, ...others].slice(0, maxItems)))
}
