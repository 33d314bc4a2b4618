/** Arranges the messages for reading: days, and groups of messages by one author within a few minutes. */
import type { PendingMessage } from '../outbox.ts'
import { isInbound, type State } from '../store.ts'
import type { Content, Message } from '../types.ts'

const groupMs = 5 * 60_000
/** The key of the greeting, which is no message and has no time. */
export const greetingKey = 'greeting'

export interface Item {
  /** Stays the same when the service shows a message that was on its way. */
  key: string
  /** Null until the service shows the message. */
  id: string | null
  /** Of a message that the service shows. */
  seq?: number
  createdAt: string
  content: Content
  replyTo: string | null
  pending: PendingMessage | null
  status: Message['status'] | null
}

export interface Group {
  key: string
  author: Message['author']
  /** A line above the group that names its day. */
  day: string | null
  items: Item[]
}

type Entry = Item & { author: Message['author'] }

const visitor: Message['author'] = { kind: 'visitor', name: null, avatarUrl: null }
const bot: Message['author'] = { kind: 'bot', name: null, avatarUrl: null }

function toEntry(message: Message): Entry {
  const { id, clientMessageId, seq, createdAt, content, replyTo, status, author } = message
  return { key: clientMessageId ?? id, id, seq, createdAt, content, replyTo, status, author, pending: null }
}

function toPendingEntry(pending: PendingMessage): Entry {
  const { clientMessageId: key, createdAt, content, replyTo = null } = pending
  return { key, id: null, createdAt, content, replyTo, pending, status: null, author: visitor }
}

/**
 * The greeting is shown first in a new chat, and stays there when the service sends it as the first answer. It ends when a
 * bot replies instead.
 */
function findGreeting({ config, messages, hasMore }: State): Entry | undefined {
  const body = config?.greeting
  if (!body || hasMore) return undefined
  const answer = messages.find(isInbound)
  const createdAt = messages[0]?.createdAt ?? new Date().toISOString()
  if (answer)
    return answer.content.type === 'text' && answer.content.text.body === body
      ? { ...toEntry(answer), key: greetingKey, createdAt }
      : undefined
  const content: Content = { type: 'text', text: { body } }
  return {
    key: greetingKey,
    id: null,
    createdAt,
    content,
    replyTo: null,
    pending: null,
    status: null,
    author: bot,
  }
}

export function arrange(state: State, toDay: (at: string) => string): Group[] {
  const shown = new Set(state.messages.map(({ clientMessageId }) => clientMessageId))
  const pending = state.pending.filter(({ clientMessageId }) => !shown.has(clientMessageId))
  const greeting = findGreeting(state)
  const sent = state.messages.filter(({ id }) => id !== greeting?.id).map(toEntry)
  const entries = [...(greeting ? [greeting] : []), ...sent, ...pending.map(toPendingEntry)]
  const groups: Group[] = []
  let lastDay = ''
  let lastAt = 0
  for (const { author, ...item } of entries) {
    const day = toDay(item.createdAt)
    const at = Date.parse(item.createdAt)
    const group = groups.at(-1)
    const continues = group && day === lastDay && at - lastAt < groupMs && isSameAuthor(group.author, author)
    if (continues) group.items.push(item)
    else groups.push({ key: item.key, author, day: day === lastDay ? null : day, items: [item] })
    lastDay = day
    lastAt = at
  }
  return groups
}

/** Finds the visitor's last message that a person has read. */
export function findSeen(groups: readonly Group[], seenUpTo = 0): Item | undefined {
  const own = groups.flatMap(({ author, items }) => (author.kind === 'visitor' ? items : []))
  return own.findLast(({ seq }) => seq !== undefined && seq <= seenUpTo)
}

const isSameAuthor = (a: Message['author'], b: Message['author']) => a.kind === b.kind && a.name === b.name
