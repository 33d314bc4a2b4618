/** The chats of a page, at most one per inbox, and `window.parley`, through which pages control them. */
import { type Chat, EmbeddedChat, type Options } from './mount.ts'

/** Acts on the first chat of the page. */
export interface Parley extends Chat {
  /** The chats by the keys of their inboxes; shared by the scripts of a page that embeds several. */
  inboxes: Map<string, Chat>
}

declare global {
  interface Window {
    parley?: Parley | undefined
  }
}

export function mountChat(host: string, options: Options): Chat {
  const inboxes = window.parley?.inboxes ?? new Map<string, Chat>()
  const { inboxKey } = options
  const known = inboxes.get(inboxKey)
  if (known) return known
  const publish = () => {
    const [first] = inboxes.values()
    if (first) window.parley = { ...first, inboxes }
    else delete window.parley
  }
  const end = () => {
    inboxes.delete(inboxKey)
    publish()
  }
  let n = 0
  while ([...inboxes.values()].some(chat => chat.n === n)) n++
  const chat = new EmbeddedChat(host, options, n, end)
  // Open chats have the same place.
  chat.on('open', () => {
    for (const other of inboxes.values()) if (other !== chat) other.close()
  })
  inboxes.set(inboxKey, chat)
  publish()
  return chat
}
