/**
 * The views of the conversation list. A list is a filter with an order: those of a view, changed by the filter of the
 * address. Events are placed by the same filter, evaluated here; see lists/filter.ts.
 */
import type { Schemas } from '../../api/client.ts'
import { t } from '../../i18n/i18n.ts'
import { createViews } from '../../views/views.ts'
import { applyFilter, type FilterSearch } from './lists/filter-search.ts'

export type Conversation = Schemas['Conversation']
export type Filter = Schemas['ConversationFilter']
export type Sort = Schemas['ConversationSort']

export const viewIds = ['mine', 'unassigned', 'mentions', 'team', 'all', 'snoozed', 'closed'] as const
export type ViewId = (typeof viewIds)[number]

export const isBuiltIn = (view: string): view is ViewId => viewIds.some(id => id === view)

export interface ListKey {
  filter: Filter
  sort: Sort | null
}

export const toKey = ({ filter, sort }: ListKey) => JSON.stringify([Object.entries(filter).sort(), sort])

export function getViewLabel(view: ViewId): string {
  return {
    mine: t.viewMine,
    unassigned: t.viewUnassigned,
    mentions: t.viewMentions,
    team: t.viewTeam,
    all: t.viewAll,
    snoozed: t.viewSnoozed,
    closed: t.viewClosed,
  }[view]
}

/** The filter of a built-in view. */
export function toFilter(view: ViewId): Filter {
  if (view === 'closed') return { status: ['closed'] }
  return { status: ['open'], snoozed: view === 'snoozed', ...members[view] }
}

const members: Partial<Record<ViewId, Filter>> = {
  mine: { ownerId: 'me' },
  unassigned: { ownerId: 'none' },
  mentions: { mentioned: true },
  team: { teamId: 'me' },
}

export const conversationViews = createViews<Schemas['View']>('conversations')
export const savedViews = conversationViews.store

export const findSavedView = (id: string) => savedViews.get().find(view => view.id === id)

/** Returns the list of a view with the filter of the address. An unknown view is the view of all open conversations. */
export function toListKey(view: string, search: FilterSearch): ListKey {
  const saved = isBuiltIn(view) ? undefined : findSavedView(view)
  const base = saved?.filter ?? toFilter(isBuiltIn(view) ? view : 'all')
  const sort = saved?.sort ?? null
  // This order lists only conversations in which the customer waits.
  const waiting = sort?.field === 'waitingSince' ? { waiting: true } : {}
  return { filter: { ...applyFilter(base, search), ...waiting }, sort }
}

/** Adds who wrote the last message, which is the given one, and whether it failed. */
export function withLastMessage(
  conversation: Conversation,
  { senderType, senderId, deliveryStatus }: Schemas['Message'],
): Conversation {
  return {
    ...conversation,
    lastMessageSenderId: senderType === 'user' ? senderId : null,
    lastMessageFailed: deliveryStatus === 'failed',
  }
}
