/** Lists, searches and counts the conversations that a caller can see, by one filter. */
import type { Db } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Page } from '../../platform/http/page.ts'
import { viewConversations } from '../conversation-views.ts'
import type { Conversation } from '../schemas.ts'
import { countConversations, listConversations } from '../store/conversations/conversation-pages.ts'
import { type ConversationFilter, maxCount, type Sort } from './schemas.ts'

export interface ListRequest {
  filter: ConversationFilter
  ids?: readonly string[]
  sort: Sort
}

export async function listPage(
  db: Db,
  caller: Caller,
  { filter, ids, sort }: ListRequest,
  page: Page,
): Promise<{ conversations: Conversation[]; next: string | undefined }> {
  checkFilter(caller, filter)
  const query = { viewer: caller, filter, ...(ids ? { ids } : {}) }
  const found = await listConversations(db, query, sort, page)
  const { rows, next } = page.toPage(found, row => [row.sortValue, row.id])
  return { conversations: await viewConversations(db, caller, rows), next }
}

export async function countMatches(
  db: Db,
  caller: Caller,
  filters: readonly ConversationFilter[],
): Promise<{ counts: { count: number; approximate: boolean }[] }> {
  for (const [i, filter] of filters.entries()) checkFilter(caller, filter, `filters[${i}].`)
  const queries = filters.map(filter => ({ viewer: caller, filter }))
  const counts = await countConversations(db, queries, maxCount + 1)
  return {
    counts: counts.map(count => ({ count: Math.min(count, maxCount), approximate: count > maxCount })),
  }
}

/** Service accounts own no conversation, are in no team and mentioned in no note, and have no read state. */
export function checkFilter(caller: Caller, filter: ConversationFilter, path = ''): void {
  if (caller.kind === 'user') return
  const message = 'needs a user: service accounts have no conversations, teams, mentions or read state'
  if (filter.unread !== undefined) invalid(violation(`${path}unread`, 'user_required', message))
  if (filter.mentioned !== undefined) invalid(violation(`${path}mentioned`, 'user_required', message))
  for (const member of ['ownerId', 'teamId'] as const)
    if (filter[member] === 'me') invalid(violation(`${path}${member}`, 'user_required', message))
}
