/** The user's unread messages: shown in the navigation and in the title of the tab. */
import { onFrames } from '../api/realtime.ts'
import { createStore } from './store.ts'

interface Unread {
  count: number
  conversations: number
  version: number
}

export const unread = createStore<Unread>({ count: 0, conversations: 0, version: -1 })

/** Keeps the counts with the highest version: frames and responses may arrive in any order. */
function receive(next: Unread): void {
  if (next.version >= unread.get().version) unread.set(next)
}

/** Follows the counts while signed in; returns a function that stops. */
export function startUnread(first: Unread | undefined): () => void {
  const stopFrames = onFrames(frames => {
    for (const { type, data } of frames) if (type === 'unread_count_update') receive(data)
  })
  const stopTitle = unread.subscribe(() => {
    const { count } = unread.get()
    document.title = count > 0 ? `(${count}) Parley` : 'Parley'
  })
  if (first) receive(first)
  return () => {
    stopFrames()
    stopTitle()
    unread.set({ count: 0, conversations: 0, version: -1 })
    document.title = 'Parley'
  }
}
