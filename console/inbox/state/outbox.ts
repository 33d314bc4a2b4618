/**
 * Messages and notes that the service has not accepted yet. They are stored before they are shown, survive a reload, and
 * are sent in order, one at a time per conversation and by one tab. Each has an id of its own: a repetition after a lost
 * response is the same message or note for the service.
 */
import { useSyncExternalStore } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn } from '../../api/session.ts'
import { upsert } from './conversations.ts'
import { receiveScheduled } from './scheduled.ts'
import { receiveMessages, receiveNotes } from './thread-entries.ts'
import { withLastMessage } from './views.ts'

export interface OutboxEntry {
  clientMessageId: string
  conversationId: string
  content: Schemas['OutboundMessageContent']
  /** The inbox that sends it, if it is not that of the conversation. */
  inboxId?: string | undefined
  contexts?: Schemas['SendMessageContext'][] | undefined
  /** The service sends it at this time. */
  sendAt?: string | undefined
  /** An internal note instead of a message: its content is a text. */
  note?: { mentions: string[] } | undefined
  /** The draft that it completes; a newer one stays. */
  draftRevision?: number | undefined
  /** Closes the conversation after the message was accepted. */
  closes?: boolean | undefined
  createdAt: string
  /** Not sent before this time, so that the user can take it back. */
  sendAfter: number
  /** Why the service refused it; such a message waits for the user. */
  error?: Pick<ApiError, 'code' | 'message' | 'violations'> | undefined
}

const listeners = new Set<() => void>()
let cache: { text: string; entries: readonly OutboxEntry[] } = { text: '[]', entries: [] }
let retryTimer: ReturnType<typeof setTimeout> | undefined
let failures = 0

const storageKey = () => {
  const { me, workspace } = getSignedIn()
  return `parley.outbox.${workspace.id}.${me.id}`
}

function read(): readonly OutboxEntry[] {
  const text = localStorage.getItem(storageKey()) ?? '[]'
  if (text !== cache.text) cache = { text, entries: JSON.parse(text) as OutboxEntry[] }
  return cache.entries
}

function write(entries: readonly OutboxEntry[]): void {
  localStorage.setItem(storageKey(), JSON.stringify(entries))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useOutbox(): readonly OutboxEntry[] {
  return useSyncExternalStore(subscribe, read)
}

export type NewEntry = Omit<OutboxEntry, 'clientMessageId' | 'createdAt' | 'sendAfter' | 'error'>

export function addToOutbox(entry: NewEntry, delayMs = 0): string {
  const clientMessageId = crypto.randomUUID()
  const createdAt = new Date().toISOString()
  write([...read(), { ...entry, clientMessageId, createdAt, sendAfter: Date.now() + delayMs }])
  flushOutbox()
  return clientMessageId
}

export function removeFromOutbox(clientMessageId: string): void {
  write(read().filter(item => item.clientMessageId !== clientMessageId))
}

/** Takes a message back, unless this or another tab may be sending it. */
export function takeBack(clientMessageId: string): OutboxEntry | undefined {
  const entry = read().find(item => item.clientMessageId === clientMessageId)
  if (!entry || (!entry.error && entry.sendAfter <= Date.now())) return undefined
  removeFromOutbox(clientMessageId)
  return entry
}

function changeEntry(clientMessageId: string, error: OutboxEntry['error']): void {
  write(read().map(entry => (entry.clientMessageId === clientMessageId ? { ...entry, error } : entry)))
}

export function retryInOutbox(clientMessageId: string): void {
  changeEntry(clientMessageId, undefined)
  flushOutbox()
}

/** Sends the messages that are due. Only one tab sends at a time. */
export function flushOutbox(): void {
  clearTimeout(retryTimer)
  void navigator.locks.request(`${storageKey()}.send`, sendDue).catch(() => {})
}

async function sendDue(): Promise<void> {
  for (;;) {
    const next = findNext(read(), Date.now())
    if (!next) return waitForNext()
    try {
      await send(next)
      failures = 0
      removeFromOutbox(next.clientMessageId)
    } catch (error) {
      const problem = ApiError.from(error)
      if (problem.isTemporary || problem.status === 401) return retryLater(problem)
      const { code, message, violations } = problem
      changeEntry(next.clientMessageId, { code, message, violations })
    }
  }
}

/** Comes back when the time to take a message back ends, also for messages from before a reload. */
function waitForNext(): void {
  const times = read().flatMap(({ error, sendAfter }) => (error ? [] : [sendAfter]))
  if (times.length === 0) return
  clearTimeout(retryTimer)
  retryTimer = setTimeout(flushOutbox, Math.max(20, Math.min(...times) - Date.now()))
}

/** Returns the oldest message that may be sent: a conversation waits for its earlier messages that were not refused. */
export function findNext(entries: readonly OutboxEntry[], now: number): OutboxEntry | undefined {
  const blocked = new Set<string>()
  for (const entry of entries) {
    const isDue = !entry.error && entry.sendAfter <= now && !blocked.has(entry.conversationId)
    if (isDue) return entry
    if (!entry.error) blocked.add(entry.conversationId)
  }
  return undefined
}

async function send(entry: OutboxEntry, keepalive = false): Promise<void> {
  const params = { path: { id: entry.conversationId } }
  const { clientMessageId, content, inboxId, contexts, sendAt, note, draftRevision } = entry
  const draft = draftRevision === undefined ? {} : { draftRevision }
  if (note) {
    const text = content.type === 'text' ? content.text.body : ''
    const body = { text, ...draft, ...(note.mentions.length > 0 ? { mentions: note.mentions } : {}) }
    const headers = { 'Idempotency-Key': clientMessageId }
    return receiveNotes([
      await call(api.POST('/conversations/{id}/notes', { params, body, headers, keepalive })),
    ])
  }
  const body = {
    content,
    clientMessageId,
    ...draft,
    ...(inboxId ? { inboxId } : {}),
    ...(contexts ? { contexts } : {}),
    ...(sendAt ? { sendAt } : {}),
  }
  const accepted = await call(api.POST('/conversations/{id}/messages', { params, body, keepalive }))
  if (sendAt) {
    receiveScheduled(accepted.message)
    return upsert([accepted.conversation])
  }
  receiveMessages([accepted.message])
  upsert([withLastMessage(accepted.conversation, accepted.message)])
  if (entry.closes) await close(entry, keepalive)
}

/** Repeated with the message if the service cannot be reached. A refusal leaves the conversation open, as the list shows. */
async function close({ conversationId }: OutboxEntry, keepalive: boolean): Promise<void> {
  const params = { path: { id: conversationId } }
  try {
    await call(api.POST('/conversations/{id}/close', { params, keepalive }))
  } catch (error) {
    if (ApiError.from(error).isTemporary) throw error
  }
}

function retryLater({ retryAfterSeconds }: ApiError): void {
  const delayMs = retryAfterSeconds ? retryAfterSeconds * 1_000 : Math.min(15_000, 500 * 2 ** failures++)
  retryTimer = setTimeout(flushOutbox, delayMs)
}

/** Starts sending; returns a function that stops. A tab that closes sends what waited for an undo. */
export function startOutbox(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === storageKey()) for (const listener of listeners) listener()
  }
  const onPageHide = () => {
    const next = findNext(read(), Number.POSITIVE_INFINITY)
    if (next && navigator.onLine) send(next, true).catch(() => {})
  }
  addEventListener('storage', onStorage)
  addEventListener('online', flushOutbox)
  addEventListener('pagehide', onPageHide)
  flushOutbox()
  return () => {
    clearTimeout(retryTimer)
    removeEventListener('storage', onStorage)
    removeEventListener('online', flushOutbox)
    removeEventListener('pagehide', onPageHide)
  }
}
