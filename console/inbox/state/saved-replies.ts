/** The saved replies that the user sees: read when they are first needed, and again after a change. */
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { createStore } from '../../app/store.ts'

export type SavedReply = Schemas['SavedReply']

export interface SavedReplies {
  items: readonly SavedReply[]
  status: 'unloaded' | 'loading' | 'loaded' | 'failed'
  error?: ApiError
}

const pageSize = 200
/** More are found by the search of the service only. */
const maxPages = 5

export const savedReplies = createStore<SavedReplies>({ items: [], status: 'unloaded' })
let isStale = false

async function fetchAll(): Promise<SavedReply[]> {
  const items: SavedReply[] = []
  let pageToken: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const query = { pageSize, ...(pageToken ? { pageToken } : {}) }
    const found: { savedReplies: SavedReply[]; nextPageToken: string | null } = await call(
      api.GET('/saved-replies', { params: { query } }),
    )
    items.push(...found.savedReplies)
    pageToken = found.nextPageToken
    if (pageToken === null) break
  }
  return items
}

/** Reads them unless they are known. */
export async function loadSavedReplies(isForced = false): Promise<void> {
  const { status, items } = savedReplies.get()
  if (!hasScope('saved_reply:list') || (status === 'loaded' && !isForced)) return
  if (status === 'loading') {
    isStale ||= isForced
    return
  }
  savedReplies.set({ items, status: 'loading' })
  isStale = false
  try {
    savedReplies.set({ items: await fetchAll(), status: 'loaded' })
  } catch (error) {
    savedReplies.set({ items, status: 'failed', error: ApiError.from(error) })
  }
  if (isStale) await loadSavedReplies(true)
}

/** Someone has changed a saved reply. */
export function noticeSavedReply(): void {
  if (savedReplies.get().status !== 'unloaded') void loadSavedReplies(true)
}

export function clearSavedReplies(): void {
  savedReplies.set({ items: [], status: 'unloaded' })
}

const maxFound = 8

/** Returns the replies whose shortcut begins with the text, then the replies that contain it. */
export function findSavedReplies(items: readonly SavedReply[], typed: string): SavedReply[] {
  const text = typed.toLowerCase()
  const rank = ({ shortcut, text: body }: SavedReply) => {
    const name = shortcut.toLowerCase()
    if (name.startsWith(text)) return 0
    return name.includes(text) ? 1 : body.toLowerCase().includes(text) ? 2 : 3
  }
  return items
    .map(item => ({ item, rank: rank(item) }))
    .filter(({ rank: value }) => value < 3)
    .sort((a, b) => a.rank - b.rank || a.item.shortcut.localeCompare(b.item.shortcut))
    .slice(0, maxFound)
    .map(({ item }) => item)
}
