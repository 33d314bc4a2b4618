import type { Queryable } from '../../../platform/db/db.ts'
import { inlineLimit, join, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import type { Note } from '../../notes/schemas.ts'
import type { WindowQuery } from '../../timeline/schemas.ts'
import { type ListedMessage, listedMessageColumns } from '../messages/message-pages.ts'
import { noteColumns } from '../notes.ts'

export interface EventRow {
  id: string
  type: string
  actor: string | null
  details: Record<string, unknown> | null
  at: string
}

/** One of the three is set. Timestamps within them are as PostgreSQL writes them in JSON. */
export interface TimelineRow {
  position: number
  n: number
  message: ListedMessage | null
  note: Note | null
  event: EventRow | null
}

export interface TimelinePage extends WindowQuery {
  conversationId: string
  limit: number
  after?: readonly unknown[] | undefined
}

/** A place between two entries: the entry that has it is neither before nor after it. */
interface Place {
  position: Sql
  n: Sql
}

/**
 * Lists messages, notes and events in one order, by the message that they follow. One entry more than the page has, to
 * know whether there is a next page; none when the viewer may not see the conversation or `around` is not in it.
 */
export function listTimeline(on: Queryable, viewer: Viewer, page: TimelinePage): Promise<TimelineRow[]> {
  const { tenantId } = viewer
  const { conversationId, limit, after, around, direction } = page
  const place = after
    ? { position: sql`${after[0]}::int`, n: sql`${after[1]}::bigint` }
    : around && { position: raw('(select position from anchor)'), n: raw('(select n from anchor)') }
  const source = { tenantId, conversationId, place }
  const isCentred = around !== undefined && direction === undefined && !after
  const order = direction === 'newer' ? raw('asc') : raw('desc')
  const keys = isCentred
    ? sql`(${selectKeys(source, 'newer', Math.floor(limit / 2))}) union all (select * from anchor)
      union all (${selectKeys(source, 'older', limit + 1)})`
    : selectKeys(source, direction ?? 'older', limit + 1)
  return on.rows(sql`
    with anchor as materialized (${around ? selectAnchor(source, around) : raw('select 0 as position, 0::bigint as n, null as type, null as id where false')}
    ), page as (
      select * from (${keys}) k
      where exists (
        select from conversation_states s
        where s.tenant_id = ${tenantId} and s.conversation_id = ${conversationId} and ${visibleTo(viewer)})
      order by position ${order}, n ${order} limit ${inlineLimit(limit + 1)}
    )
    select k.position, k.n,
      case when k.type = 'message' then (select row_to_json(x) from (
        select ${listedMessageColumns} from messages m where m.tenant_id = ${tenantId} and m.id = k.id) x) end as message,
      case when k.type = 'note' then (select row_to_json(x) from (
        select ${noteColumns} from conversation_notes n where n.tenant_id = ${tenantId} and n.id = k.id) x) end as note,
      case when k.type = 'event' then (select row_to_json(x) from (
        select e.id, e.type, e.actor, e.details, e.at from conversation_events e
        where e.tenant_id = ${tenantId} and e.id = k.id) x) end as event
    from page k order by k.position ${order}, k.n ${order}`)
}

interface KeySource {
  tenantId: string
  conversationId: string
  place: Place | undefined | ''
}

/** Selects the keys of the entries next to a place: as many of each kind as the page can have. */
function selectKeys(
  { tenantId, conversationId, place }: KeySource,
  direction: 'older' | 'newer',
  limit: number,
): Sql {
  const isNewer = direction === 'newer'
  const order = isNewer ? raw('asc') : raw('desc')
  const comparison = isNewer ? raw('>') : raw('<')
  // Messages have n = 0: an entry after the message with this position is older than the next message.
  const ofMessages = !place
    ? raw('true')
    : isNewer
      ? sql`m.position > ${place.position}`
      : sql`m.position < ${place.position} + case when ${place.n} > 0 then 1 else 0 end`
  const select = (table: string, type: string) => sql`(
    select e.position, e.n, ${raw(`'${type}'`)} as type, e.id from ${raw(table)} e
    where e.tenant_id = ${tenantId} and e.conversation_id = ${conversationId}
      and ${place ? sql`(e.position, e.n) ${comparison} (${place.position}, ${place.n})` : raw('true')}
    order by e.position ${order}, e.n ${order} limit ${inlineLimit(limit)})`
  const messages = sql`(
    select m.position, 0::bigint as n, 'message' as type, m.id from messages m
    where m.tenant_id = ${tenantId} and m.conversation_id = ${conversationId} and ${ofMessages}
    order by m.position ${order} limit ${inlineLimit(limit)})`
  const kinds = [messages, select('conversation_notes', 'note'), select('conversation_events', 'event')]
  return sql`select * from (${join(kinds, ' union all ')}) k
    order by position ${order}, n ${order} limit ${inlineLimit(limit)}`
}

function selectAnchor({ tenantId, conversationId }: KeySource, id: string): Sql {
  const select = (table: string, type: string, n: string) => sql`
    select e.position, ${raw(n)} as n, ${raw(`'${type}'`)} as type, e.id from ${raw(table)} e
    where e.tenant_id = ${tenantId} and e.id = ${id} and e.conversation_id = ${conversationId}`
  return join(
    [
      select('messages', 'message', '0::bigint'),
      select('conversation_notes', 'note', 'e.n'),
      select('conversation_events', 'event', 'e.n'),
    ],
    ' union all ',
  )
}

/** Returns who made the latest assignment of each conversation to a user: the id of the actor by conversation and user. */
export async function listAssigners(
  on: Queryable,
  tenantId: string,
  conversationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await on.rows<{ conversationId: string; userId: string; actor: string }>(sql`
    select c.id as "conversationId", e.details->'to'->>'id' as "userId", e.actor
    from unnest(${[...new Set(conversationIds)]}::text[]) as c(id)
    cross join lateral (
      select e.details, e.actor from conversation_events e
      where e.tenant_id = ${tenantId} and e.conversation_id = c.id and e.type in ('assigned', 'handed_over')
      order by e.position desc, e.n desc limit 1) e
    where (e.actor like 'user:%' or e.actor like 'service:%') and e.details->'to'->>'type' = 'user'`)
  return new Map(
    rows.map(({ conversationId, userId, actor }) => [
      `${conversationId} ${userId}`,
      actor.slice(actor.indexOf(':') + 1),
    ]),
  )
}
