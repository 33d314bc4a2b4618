/** Lists conversations, a page at a time. */
import { normalizeText } from '../../contacts/search/search-text.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { and, inlineLimit, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { Conversation } from '../schemas.ts'
import { conversationTables, listedColumns } from './conversations.ts'

export interface ConversationQuery {
  search?: string
  ids?: readonly string[]
  statuses?: readonly string[]
  ownerTypes?: readonly string[]
  interacted?: boolean
  contactId?: string
  inboxId?: string
  /** Ranges include their start and exclude their end. */
  createdAfter?: string
  createdBefore?: string
  updatedAfter?: string
  updatedBefore?: string
  sort: 'lastMessageAt' | 'createdAt' | 'updatedAt' | 'name'
  direction: 'asc' | 'desc'
}

const sortColumns = {
  lastMessageAt: raw('s.last_message_at'),
  createdAt: raw('c.created_at'),
  updatedAt: raw('s.updated_at'),
  name: raw('c.search'),
}

export interface ListedConversation extends Conversation {
  sortValue: string
}

export function listConversations(
  db: Db,
  viewer: Viewer,
  query: ConversationQuery,
  page: { limit: number; after?: SortKey },
): Promise<ListedConversation[]> {
  const column = sortColumns[query.sort]
  const cast = raw(query.sort === 'name' ? '::text collate "C"' : '::timestamptz')
  const before = raw(query.direction === 'desc' ? '<' : '>')
  const order = raw(query.direction)
  const filters = buildFilters(query)
  const where = [
    sql`c.tenant_id = ${viewer.tenantId}`,
    visibleTo(viewer),
    ...filters,
    ...(page.after
      ? [sql`(${column}, c.id) ${before} (${page.after[0]}${cast}, ${page.after[1]}::text collate "C")`]
      : []),
  ]
  const list = sql`
    select ${listedColumns}, ${column} as "sortValue" from ${conversationTables}
    where ${and(where)} order by ${column} ${order}, c.id ${order} limit ${inlineLimit(page.limit + 1)}`
  // Filters are planned for their values; without a filter one prepared plan is best.
  return filters.length > 0 ? db.search(viewer.tenantId, list) : db.rows(list)
}

function buildFilters(query: ConversationQuery): Sql[] {
  const when = <T>(value: T | undefined, condition: (value: T) => Sql) =>
    value === undefined ? [] : [condition(value)]
  return [
    ...when(query.search, text => sql`c.search like ${`%${likeLiteral(text)}%`}`),
    ...when(query.ids, ids => sql`c.id = any(${ids})`),
    ...when(query.statuses, statuses => sql`s.status = any(${statuses})`),
    ...when(query.ownerTypes, types => sql`coalesce(s.owner_type, 'none') = any(${types})`),
    ...when(query.interacted, interacted => sql`(s.customer_count > 0) = ${interacted}`),
    ...when(query.contactId, id => sql`c.contact_id = ${id}`),
    ...when(query.inboxId, id => sql`s.inbox_id = ${id}`),
    ...when(query.createdAfter, time => sql`c.created_at >= ${time}`),
    ...when(query.createdBefore, time => sql`c.created_at < ${time}`),
    ...when(query.updatedAfter, time => sql`s.updated_at >= ${time}`),
    ...when(query.updatedBefore, time => sql`s.updated_at < ${time}`),
  ]
}

function likeLiteral(text: string): string {
  return normalizeText(text).replace(/[\\%_]/g, character => `\\${character}`)
}

interface IdleConversation {
  conversationId: string
  contactId: string
  /** Time of the last message that no journey, bot or campaign sent. */
  lastMessageAt: string
  /** When the current session was opened. */
  openedAt: string
}

/** Lists open conversations by the time of the last message of a person. */
export function listIdleConversations(
  tx: Tx,
  tenantId: string,
  span: { after: string; afterId: string; until: string },
  limit: number,
): Promise<IdleConversation[]> {
  return tx.rows<IdleConversation>(sql`
    select s.conversation_id as "conversationId", c.contact_id as "contactId", s.last_person_at as "lastMessageAt",
      n.opened_at as "openedAt"
    from conversation_states s join conversations c on c.tenant_id = s.tenant_id and c.id = s.conversation_id
    join conversation_sessions n on n.tenant_id = s.tenant_id and n.id = s.session_id
    where s.tenant_id = ${tenantId} and s.status = 'open' and s.last_person_at <= ${span.until}
      and (s.last_person_at, s.conversation_id) > (${span.after}::timestamptz, ${span.afterId}::text)
    order by s.last_person_at, s.conversation_id limit ${limit}`)
}
