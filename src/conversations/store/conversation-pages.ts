/** Lists conversations, a page at a time. */
import { normalizeText } from '../../contacts/search/search-text.ts'
import type { Db, Tx } from '../../platform/db/db.ts'
import { and, inlineLimit, raw, sql } from '../../platform/db/sql.ts'
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
  sort: 'lastMessageAt' | 'createdAt' | 'name'
  direction: 'asc' | 'desc'
}

const sortColumns = {
  lastMessageAt: raw('s.last_message_at'),
  createdAt: raw('c.created_at'),
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
  const filters = [
    ...(query.search ? [sql`c.search like ${`%${likeLiteral(query.search)}%`}`] : []),
    ...(query.ids ? [sql`c.id = any(${query.ids})`] : []),
    ...(query.statuses ? [sql`s.status = any(${query.statuses})`] : []),
    ...(query.ownerTypes ? [sql`coalesce(s.owner_type, 'none') = any(${query.ownerTypes})`] : []),
    ...(query.interacted === undefined ? [] : [sql`(s.customer_count > 0) = ${query.interacted}`]),
  ]
  const where = [
    sql`c.tenant_id = ${viewer.tenantId}`,
    visibleTo(viewer),
    ...filters,
    ...(page.after
      ? [sql`(${column}, c.id) ${before} (${page.after[0]}${cast}, ${page.after[1]}::text collate "C")`]
      : []),
  ]
  // Filters are planned for their values; without a filter one prepared plan is best.
  const read = filters.length > 0 ? db.unprepared : db.rows
  return read(sql`
    select ${listedColumns}, ${column} as "sortValue" from ${conversationTables}
    where ${and(where)} order by ${column} ${order}, c.id ${order} limit ${inlineLimit(page.limit + 1)}`)
}

function likeLiteral(text: string): string {
  return normalizeText(text).replace(/[\\%_]/g, character => `\\${character}`)
}

interface IdleConversation {
  conversationId: string
  contactId: string
  lastMessageAt: string
}

/** Lists open conversations by the time of their last message. */
export function listIdleConversations(
  tx: Tx,
  tenantId: string,
  span: { after: string; afterId: string; until: string },
  limit: number,
): Promise<IdleConversation[]> {
  return tx.rows<IdleConversation>(sql`
    select s.conversation_id as "conversationId", c.contact_id as "contactId", s.last_message_at as "lastMessageAt"
    from conversation_states s join conversations c on c.tenant_id = s.tenant_id and c.id = s.conversation_id
    where s.tenant_id = ${tenantId} and s.status = 'open' and s.last_message_at <= ${span.until}
      and (s.last_message_at, s.conversation_id) > (${span.after}::timestamptz, ${span.afterId}::text)
    order by s.last_message_at, s.conversation_id limit ${limit}`)
}
