/**
 * The threads of this tab: messages, notes and events in one order, oldest first, and the requests that load older ones.
 * Entries that arrive while a request is in flight are added to its response, which may be older.
 */
import { useSyncExternalStore } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { type Entry, merge } from './merge-entries.ts'

export type { Entry } from './merge-entries.ts'

export type Message = Schemas['Message']
export type Note = Schemas['Note']

export interface Thread {
  entries: readonly Entry[]
  /** Continues with older entries. */
  nextPageToken: string | undefined
  /** The newest entries are not loaded, because the user jumped to an older one. */
  hasNewer: boolean
  /** Rises when other entries replace the loaded ones. */
  generation: number
  isLoaded: boolean
  isLoading: boolean
  /** The number of the last request: a response to an earlier one is ignored. */
  request: number
  error: ApiError | undefined
  /** Arrived while a request was in flight. */
  arrived: readonly Entry[]
}

const pageSize = 50
/** Threads that were opened last stay in memory. */
const maxThreads = 50
const threads = new Map<string, Thread>()
const listeners = new Set<() => void>()
const unloaded: Thread = {
  entries: [],
  nextPageToken: undefined,
  hasNewer: false,
  generation: 0,
  isLoaded: false,
  isLoading: false,
  request: 0,
  error: undefined,
  arrived: [],
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const getThread = (id: string) => threads.get(id) ?? unloaded

export function useThread(id: string): Thread {
  return useSyncExternalStore(subscribe, () => getThread(id))
}

function change(id: string, values: Partial<Thread>): void {
  const next = { ...getThread(id), ...values }
  threads.delete(id)
  threads.set(id, next)
  const oldest = threads.keys().next().value
  if (threads.size > maxThreads && oldest !== undefined) threads.delete(oldest)
  for (const listener of listeners) listener()
}

type PageQuery = Partial<Record<'pageToken' | 'around', string>> & { direction?: 'newer' }

/** Returns a page, oldest first. */
async function fetchPage(id: string, query: PageQuery = {}) {
  const params = { path: { id }, query: { pageSize, ...query } }
  const page = await call(api.GET('/conversations/{id}/timeline', { params }))
  if (query.direction !== 'newer') page.items.reverse()
  return { items: page.items, nextPageToken: page.nextPageToken ?? undefined }
}

type FetchedPage = Awaited<ReturnType<typeof fetchPage>>

let requests = 0

/**
 * Fetches a page and applies it, with the entries that arrived meanwhile. Returns false if it failed, and undefined if
 * another request has taken its place.
 */
async function load(
  id: string,
  query: PageQuery,
  apply: (page: FetchedPage, thread: Thread) => Partial<Thread>,
): Promise<boolean | undefined> {
  const request = ++requests
  change(id, { isLoading: true, request, error: undefined, arrived: [] })
  const isReplaced = () => getThread(id).request !== request
  try {
    const page = await fetchPage(id, query)
    if (isReplaced()) return undefined
    const thread = getThread(id)
    const next = { ...thread, ...apply(page, thread) }
    const arrived = next.hasNewer ? [] : thread.arrived
    change(id, {
      ...next,
      entries: merge(next.entries, arrived),
      isLoaded: true,
      isLoading: false,
      arrived: [],
    })
    return true
  } catch (error) {
    if (isReplaced()) return undefined
    change(id, { isLoading: false, error: ApiError.from(error) })
    return false
  }
}

/** Loads the newest entries, or older ones if some are loaded. With `restart` it takes the place of a request in flight. */
export async function loadThread(id: string, restart = false): Promise<void> {
  const { isLoaded, isLoading, nextPageToken } = getThread(id)
  if (!restart && (isLoading || (isLoaded && nextPageToken === undefined))) return
  const pageToken = restart ? undefined : nextPageToken
  await load(id, pageToken ? { pageToken } : {}, (page, thread) => ({
    entries: restart ? page.items : merge(thread.entries, page.items),
    nextPageToken: page.nextPageToken,
    ...(restart && thread.hasNewer ? { hasNewer: false, generation: thread.generation + 1 } : {}),
  }))
}

/** Loads the entries before and after one. Returns false if they could not be loaded. */
export async function loadAround(id: string, entryId: string): Promise<boolean> {
  const isFound = await load(id, { around: entryId }, (page, thread) => ({
    entries: page.items,
    nextPageToken: page.nextPageToken,
    hasNewer: true,
    generation: thread.generation + 1,
  }))
  if (isFound) await loadNewer(id)
  else if (isFound === false) await loadThread(id, true)
  return isFound !== false
}

/** Loads the entries after the loaded ones, where the user has jumped to older ones. */
export async function loadNewer(id: string): Promise<void> {
  const { hasNewer, isLoading, entries } = getThread(id)
  const last = entries.at(-1)
  if (!hasNewer || isLoading || !last) return
  await load(id, { around: last.id, direction: 'newer' }, (page, thread) => ({
    entries: merge(thread.entries, page.items),
    hasNewer: page.nextPageToken !== undefined,
  }))
}

/** Returns to the newest entries. */
export function showNewest(id: string): void {
  if (getThread(id).hasNewer) void loadThread(id, true)
}

const refreshTimers = new Map<string, ReturnType<typeof setTimeout>>()

/** Reads the newest entries of a loaded thread again: realtime frames do not contain who assigned or closed. */
export function refreshThread(id: string): void {
  if (!getThread(id).isLoaded || refreshTimers.has(id)) return
  const refresh = async () => {
    refreshTimers.delete(id)
    const page = await fetchPage(id).catch(() => undefined)
    const { isLoaded, hasNewer, entries } = getThread(id)
    if (page && isLoaded && !hasNewer) change(id, { entries: merge(entries, page.items) })
  }
  refreshTimers.set(id, setTimeout(refresh, 100))
}

const toMessageEntry = (message: Message): Entry => ({
  type: 'message',
  id: message.id,
  at: message.createdAt,
  message,
})
const toNoteEntry = (note: Note): Entry => ({ type: 'note', id: note.id, at: note.createdAt, note })

export const receiveMessages = (messages: readonly Message[]) =>
  receive(messages.map(message => [message.conversationId, toMessageEntry(message)]))
export const receiveNotes = (notes: readonly Note[]) =>
  receive(notes.map(note => [note.conversationId, toNoteEntry(note)]))

/** Adds or replaces entries of loaded threads; other threads load them when they are opened. */
function receive(entries: readonly (readonly [string, Entry])[]): void {
  for (const id of new Set(entries.map(([conversationId]) => conversationId))) {
    const thread = getThread(id)
    if (!thread.isLoaded && !thread.isLoading) continue
    const own = entries.filter(([conversationId]) => conversationId === id).map(([, entry]) => entry)
    const oldest = thread.nextPageToken === undefined ? undefined : thread.entries[0]
    const shown = own.filter(entry => !oldest || entry.at >= oldest.at)
    const known = new Set(thread.hasNewer ? thread.entries.map(entry => entry.id) : [])
    const placed = thread.hasNewer ? shown.filter(entry => known.has(entry.id)) : shown
    change(id, {
      entries: thread.isLoaded ? merge(thread.entries, placed) : thread.entries,
      arrived: thread.isLoading ? [...thread.arrived, ...shown] : [],
    })
  }
}

/** Shows a change of a message immediately; its next event replaces it. */
export function changeMessage(message: Message, values: Partial<Message>): void {
  const thread = getThread(message.conversationId)
  const entries = thread.entries.map(entry =>
    entry.id === message.id && entry.type === 'message'
      ? { ...entry, message: { ...entry.message, ...values } }
      : entry,
  )
  change(message.conversationId, { entries })
}

export function removeEntry(conversationId: string, entryId: string): void {
  const thread = getThread(conversationId)
  if (thread.isLoaded) change(conversationId, { entries: thread.entries.filter(({ id }) => id !== entryId) })
}

/** Reads the open thread again, after events were missed; others are read when they are opened. */
export function reloadThreads(openId: string | undefined): void {
  for (const id of [...threads.keys()]) if (id !== openId) threads.delete(id)
  if (openId) void loadThread(openId, true)
}

export function clearThreads(): void {
  threads.clear()
}
