/**
 * The conversations of this tab: one map by id, and for each list its ids in order. Events change the map and the lists
 * without a request. A row subscribes to its own conversation only.
 */
import { useSyncExternalStore } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { canPlace, matches } from './lists/filter.ts'
import { appendPage, type PlacedList, place } from './lists/list-order.ts'
import { type Conversation, type ListKey, toKey } from './views.ts'

export interface ConversationList extends PlacedList {
  isLoaded: boolean
  isLoading: boolean
  error: ApiError | undefined
}

/** The first page is small, for a short time until it is shown; later ones last longer when the user scrolls fast. */
const [firstPageSize, pageSize] = [50, 200]
const byId = new Map<string, Conversation>()
/** The time of the last message that the conversation had when it was read; its unread count includes that message. */
const countedUntil = new Map<string, string>()
/** When events or the user changed a conversation last, as a number that grows. */
const changedAt = new Map<string, number>()
let clock = 0
const lists = new Map<string, ConversationList>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

export function useConversation(id: string): Conversation | undefined {
  return useSyncExternalStore(subscribe, () => byId.get(id))
}

export const getConversation = (id: string) => byId.get(id)

/** Lists the known conversations of a contact. */
export const listIdsOfContact = (contactId: string) =>
  [...byId.values()].filter(conversation => conversation.contactId === contactId).map(({ id }) => id)

const emptyList = (key: ListKey): ConversationList => ({
  key,
  ids: [],
  nextCursor: undefined,
  isLoaded: false,
  isLoading: false,
  error: undefined,
})

function getList(key: ListKey): ConversationList {
  const name = toKey(key)
  const existing = lists.get(name)
  if (existing) return existing
  const created = emptyList(key)
  lists.set(name, created)
  return created
}

export function useList(key: ListKey): ConversationList {
  return useSyncExternalStore(subscribe, () => getList(key))
}

function change(key: ListKey, values: Partial<ConversationList>): void {
  lists.set(toKey(key), { ...getList(key), ...values })
  notify()
}

/** Loads the first page, or the next one. A list that is loading is left alone. */
export async function loadMore(key: ListKey, restart = false): Promise<void> {
  const list = getList(key)
  const isComplete = list.isLoaded && list.nextCursor === undefined
  if (list.isLoading || (isComplete && !restart)) return
  change(key, { isLoading: true, error: undefined })
  const cursor = restart ? undefined : list.nextCursor
  const startedAt = ++clock
  try {
    const page = await fetchPage(key, cursor)
    store(page.items, startedAt)
    const known = restart ? [] : getList(key).ids
    const ids = appendPage(key, known, page.items, byId)
    const loaded = { ...getList(key), ids, nextCursor: page.nextCursor ?? undefined }
    const changed = listChangedSince(startedAt)
    change(key, { ...loaded, isLoaded: true, isLoading: false, ids: arrange(loaded, changed) ?? ids })
  } catch (error) {
    change(key, { isLoading: false, error: ApiError.from(error) })
  }
}

function fetchPage({ filter, sort }: ListKey, cursor: string | undefined) {
  const limit = cursor === undefined ? firstPageSize : pageSize
  const body = { filter, limit, ...(sort ? { sort } : {}), ...(cursor ? { cursor } : {}) }
  return call(api.POST('/conversations/search', { body }))
}

/** The service names visitors of a website who gave no name in English. */
function nameVisitor(conversation: Conversation): Conversation {
  const { channel, contactName, externalId } = conversation
  const isNameless = channel === 'webchat' && contactName === null && !externalId.startsWith('user:')
  return isNameless ? { ...conversation, name: t.visitorNamed(externalId.slice(-4)) } : conversation
}

/** Stores conversations of a response. Changes that arrived during its request stay: the response may be older. */
function store(conversations: readonly Conversation[], startedAt: number): void {
  for (const conversation of conversations.map(nameVisitor)) {
    const { id, lastMessageAt } = conversation
    const isNewer = (changedAt.get(id) ?? 0) > startedAt
    const known = isNewer ? byId.get(id)! : conversation
    const { unreadCount: _, lastReadMessageId: __, mentioned = conversation.mentioned, ...newer } = known
    byId.set(id, { ...conversation, ...newer })
    countedUntil.set(id, lastMessageAt)
    // Messages that arrived meanwhile may be missing in the unread count, and notes in the mentions.
    if (newer.lastMessageAt !== lastMessageAt || mentioned !== conversation.mentioned) loadByIds([id])
  }
}

function listChangedSince(startedAt: number): Map<string, Conversation> {
  const ids = [...changedAt].filter(([, at]) => at > startedAt).map(([id]) => id)
  return new Map(ids.map(id => [id, byId.get(id)!]))
}

/** Loads one conversation, such as one opened by its address. */
export async function loadConversation(id: string): Promise<void> {
  const startedAt = ++clock
  receive([await call(api.GET('/conversations/{id}', { params: { path: { id } } }))], startedAt)
}

/** Stores conversations of a response and moves them in the lists. */
export function receive(conversations: readonly Conversation[], startedAt = ++clock): void {
  store(conversations, startedAt)
  upsert(conversations.map(({ id }) => byId.get(id)!))
}

const wanted = new Set<string>()
const maxBatch = 50

/** Loads conversations about which events do not say enough, in few requests. */
export function loadByIds(ids: readonly string[]): void {
  if (wanted.size === 0 && ids.length > 0) setTimeout(loadWanted, 50)
  for (const id of ids) wanted.add(id)
}

async function loadWanted(): Promise<void> {
  const ids = [...wanted].slice(0, maxBatch)
  for (const id of ids) wanted.delete(id)
  if (wanted.size > 0) setTimeout(loadWanted, 50)
  const startedAt = ++clock
  const query = { conversationIds: ids, pageSize: ids.length }
  await call(api.GET('/conversations', { params: { query } })).then(
    page => receive(page.conversations, startedAt),
    () => {},
  )
}

/** Counts a message of the customer, unless the response that the conversation came from has counted it. */
export function countUnread(id: string, createdAt: string): void {
  const known = byId.get(id)
  if (known && createdAt > (countedUntil.get(id) ?? '')) setUnread(id, (known.unreadCount ?? 0) + 1)
}

/** Stores conversations and moves them within, into and out of the loaded lists. */
export function upsert(conversations: readonly Conversation[]): void {
  if (conversations.length === 0) return
  const changed = new Map<string, Conversation>()
  // Events leave out the members that depend on the reader.
  for (const conversation of conversations.map(nameVisitor)) {
    const { id } = conversation
    const merged = { ...byId.get(id), ...conversation }
    byId.set(id, merged)
    changed.set(id, merged)
    changedAt.set(id, ++clock)
  }
  placeInLists(changed)
  notify()
}

const arrange = (list: PlacedList, changed: ReadonlyMap<string, Conversation>) =>
  place(list, changed, { byId, openId })

function placeInLists(changed: ReadonlyMap<string, Conversation>): void {
  for (const [name, list] of lists) {
    if (!list.isLoaded) continue
    if (!canPlace(list.key)) reloadLater(list)
    loadByIds(listUndecided(list.key, changed))
    const ids = arrange(list, changed)
    if (ids) lists.set(name, { ...list, ids })
  }
}

/** Lists the conversations that would belong to the list if notes mention the user, which events do not say. */
function listUndecided({ filter }: ListKey, changed: ReadonlyMap<string, Conversation>): string[] {
  const { mentioned: wanted, ...others } = filter
  if (wanted === undefined) return []
  const reader = getSignedIn()
  return [...changed.values()]
    .filter(conversation => conversation.mentioned === undefined && matches(others, conversation, reader))
    .map(({ id }) => id)
}

const reloadMs = 1_000
const reloading = new Set<string>()

/** Reads a list again that only the service can arrange, at most once per second. */
function reloadLater({ key }: ConversationList): void {
  const name = toKey(key)
  if (reloading.has(name)) return
  reloading.add(name)
  setTimeout(() => {
    reloading.delete(name)
    if (lists.get(name)?.isLoaded) void loadMore(key, true)
  }, reloadMs)
}

let openId: string | undefined

/** A conversation of a list of unread ones stays there while it is open, although opening it reads it. */
export function setOpenId(id: string | undefined): void {
  const former = openId
  openId = id
  const conversation = former === undefined ? undefined : byId.get(former)
  if (former === id || !conversation) return
  placeInLists(new Map([[conversation.id, conversation]]))
  notify()
}

/** Forgets a conversation that the user can no longer see. */
export function removeConversation(id: string): void {
  if (!byId.delete(id)) return
  for (const [name, list] of lists)
    if (list.ids.includes(id)) lists.set(name, { ...list, ids: list.ids.filter(other => other !== id) })
  notify()
}

function changeReadState(id: string, values: Partial<Conversation>): void {
  const before = byId.get(id)
  if (!before) return
  const after = { ...before, ...values }
  byId.set(id, after)
  placeInLists(new Map([[id, after]]))
  notify()
}

/** Sets the user's unread messages of a conversation. */
export function setUnread(id: string, unreadCount: number): void {
  if (byId.get(id)?.unreadCount !== unreadCount) changeReadState(id, { unreadCount })
}

/** Remembers how far the user has read, and that nothing is unread. */
export function setRead(id: string, lastReadMessageId: string): void {
  changeReadState(id, { unreadCount: 0, lastReadMessageId })
}

/** Reads the first page of every loaded list again, after events were missed. */
export function reloadLists(): void {
  for (const list of lists.values()) if (list.isLoaded) void loadMore(list.key, true)
}

/** Forgets everything, when another user signs in. */
export function clearConversations(): void {
  byId.clear()
  countedUntil.clear()
  changedAt.clear()
  wanted.clear()
  lists.clear()
  openId = undefined
  notify()
}
