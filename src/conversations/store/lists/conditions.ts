/** Compiles a conversation filter to conditions on `s` (conversation_states) and `c` (conversations). */
import { normalizeText } from '../../../contacts/search/search-text.ts'
import { joinedAt } from '../../../identity/users/users.ts'
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import type { ConversationFilter } from '../../lists/schemas.ts'
import type { Priority } from '../../schemas.ts'
import { toPriorityRank } from '../conversations/conversations.ts'

export interface Conditions {
  /** The conditions that read only the state, the visibility of the viewer among them. */
  onState: Sql[]
  /** The conditions that also read the conversation. */
  onConversation: Sql[]
}

export function buildConditions(viewer: Viewer, filter: ConversationFilter): Conditions {
  const isVisible = viewer.role === 'agent' ? [visibleTo(viewer)] : []
  return {
    onState: [
      ...isVisible,
      ...when(filter.status, statuses => sql`s.status = any(${statuses})`),
      ...when(filter.ownerType, types => sql`coalesce(s.owner_type, 'none') = any(${types})`),
      ...when(filter.ownerId, id => isOwnedBy(viewer, id)),
      ...when(filter.teamId, id => isOfTeam(viewer, id)),
      ...when(filter.interacted, interacted => sql`(s.customer_count > 0) = ${interacted}`),
      ...when(filter.inboxId, id => sql`s.inbox_id = ${id}`),
      ...when(filter.labelIds, ids => sql`s.label_ids && ${ids}::text[]`),
      ...when(filter.priority, hasPriority),
      ...when(filter.unread, unread => (unread ? isUnread(viewer) : sql`not ${isUnread(viewer)}`)),
      ...when(filter.mentioned, mentioned => sql`${isMentioned(viewer)} = ${mentioned}`),
      ...when(filter.snoozed, snoozed => raw(snoozed ? 's.snoozed' : 'not s.snoozed')),
      ...when(filter.waiting, waiting => raw(`s.waiting_since is ${waiting ? 'not null' : 'null'}`)),
      ...when(filter.updatedAfter, time => sql`s.updated_at >= ${time}`),
      ...when(filter.updatedBefore, time => sql`s.updated_at < ${time}`),
    ],
    onConversation: buildConversationConditions(filter, 'c'),
  }
}

/** Builds the conditions on conversations, which are `c` or `t`. */
export function buildConversationConditions(filter: ConversationFilter, table: 'c' | 't'): Sql[] {
  const column = (name: string) => raw(`${table}.${name}`)
  return [
    ...when(filter.search, text => sql`${column('search')} like ${`%${likeLiteral(text)}%`}`),
    ...when(filter.contactId, id => sql`${column('contact_id')} = ${id}`),
    ...when(filter.channel, channels => sql`${column('channel')} = any(${channels})`),
    ...when(filter.createdAfter, time => sql`${column('created_at')} >= ${time}`),
    ...when(filter.createdBefore, time => sql`${column('created_at')} < ${time}`),
  ]
}

function when<T>(value: T | undefined, condition: (value: T) => Sql): Sql[] {
  return value === undefined ? [] : [condition(value)]
}

/** Returns the id of the owner that the filter names; null for none. */
export const toOwnerId = (viewer: Viewer, ownerId: string): string | null =>
  ownerId === 'none' ? null : ownerId === 'me' ? viewer.id : ownerId

function isOwnedBy(viewer: Viewer, ownerId: string): Sql {
  const id = toOwnerId(viewer, ownerId)
  return id === null ? raw('s.owner_id is null') : sql`s.owner_id = ${id}`
}

/** Returns the ids of the teams that the filter names; null for none. */
export const toTeamIds = (viewer: Viewer, teamId: string): readonly string[] | null =>
  teamId === 'none' ? null : teamId === 'me' ? viewer.teamIds : [teamId]

function isOfTeam(viewer: Viewer, teamId: string): Sql {
  const ids = toTeamIds(viewer, teamId)
  if (ids === null) return raw('s.team_id is null')
  return ids.length === 1 ? sql`s.team_id = ${ids[0]}` : sql`s.team_id = any(${ids})`
}

/** Builds the notes that mention the viewer; `n` is the note. The empty list is not in the index of mentions. */
export const mentionsViewer = ({ tenantId, id }: Pick<Viewer, 'tenantId' | 'id'>): Sql =>
  sql`n.tenant_id = ${tenantId} and n.mentions @> array[${id}]::text[] and n.mentions <> '{}'`

/** A scalar subquery, as for the cursor of `isUnread`. */
export const isMentioned = (viewer: Pick<Viewer, 'tenantId' | 'id'>): Sql =>
  sql`coalesce((select true from conversation_notes n
    where ${mentionsViewer(viewer)} and n.conversation_id = s.conversation_id limit 1), false)`

function hasPriority(wanted: readonly (Priority | 'none')[]): Sql {
  const ranks = wanted.map(priority => (priority === 'none' ? 0 : toPriorityRank(priority)))
  return sql`coalesce(s.priority, 0) = any(${ranks}::smallint[])`
}

/**
 * Whether the unread counters count the conversation, by the rules of `countUnread`. The cursor is a scalar subquery: it is
 * looked up for each row that is read, and the planner cannot turn it into a hash of all cursors.
 */
function isUnread(viewer: Viewer): Sql {
  const { tenantId, id } = viewer
  return sql`(s.status = 'open' and s.customer_count > 0
    and (s.owner_type is null or (s.owner_type = 'user' and s.owner_id = ${id})
      or (s.owner_type = 'team' and s.owner_id = any(${viewer.teamIds})))
    and s.customer_count > coalesce(
      (select r.customer_position from read_cursors r
        where r.tenant_id = ${tenantId} and r.user_id = ${id} and r.conversation_id = s.conversation_id),
      case when s.last_customer_at > ${joinedAt(tenantId, id)} then 0 else s.customer_count end))`
}

function likeLiteral(text: string): string {
  return normalizeText(text).replace(/[\\%_]/g, character => `\\${character}`)
}
