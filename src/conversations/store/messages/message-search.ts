import type { Content } from '../../../inboxes/content.ts'
import type { Db, Queryable, Tx } from '../../../platform/db/db.ts'
import { notMoving } from '../../../platform/db/moving.ts'
import { inlineLimit, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../../access.ts'
import type { SenderType } from '../../schemas.ts'
import type { SearchedType } from '../../search/schemas.ts'

/** A place in the results, newest first: time and id. */
export interface Place {
  at: string
  id: string
}

export interface SearchScope {
  viewer: Viewer
  type: SearchedType
  inboxId?: string | undefined
  senderType?: string | undefined
  after?: string | undefined
  /** Where the results begin; exclusive. */
  from: Place
}

interface Source {
  index: Sql
  /** The searched table as `m`, with `inbox_id`, `sender_type` and `sender_id`. */
  rows: Sql
}

const sources: Record<SearchedType, Source> = {
  message: {
    index: raw('message_search'),
    rows: raw(`(select tenant_id, id, conversation_id, inbox_id, sender_type, sender_id, content, null::text as text, created_at
      from messages) m`),
  },
  note: {
    index: raw('note_search'),
    rows: raw(`(select n.tenant_id, n.id, n.conversation_id, p.inbox_id, n.author_type as sender_type,
      n.author_id as sender_id, null::json as content, n.text, n.created_at
      from conversation_notes n join conversation_sessions p on p.tenant_id = n.tenant_id and p.id = n.session_id) m`),
  },
}

export async function findOldest(db: Queryable, { viewer, type }: SearchScope): Promise<string | undefined> {
  return db.value(sql`
    select at from ${sources[type].index} where tenant_id = ${viewer.tenantId} order by at, id limit 1`)
}

/** Returns the place of the last of the next `size` rows; undefined when there are fewer. */
export function findPlaceAfter(
  db: Queryable,
  { viewer, type, after, from }: SearchScope,
  size: number,
): Promise<Place | undefined> {
  return db.maybe(sql`
    select at, id from ${sources[type].index}
    where tenant_id = ${viewer.tenantId} and (at, id) < (${from.at}::timestamptz, ${from.id})
      and at >= ${after ?? '-infinity'}::timestamptz
    order by at desc, id desc offset ${inlineLimit(size - 1)} limit 1`)
}

/**
 * Reads the next `size` rows of the workspace and returns those that match, at most `limit`. The queries are those of the
 * months from `firstMonth` on: the words of a row match the query of its month.
 */
export function scanNewest(
  db: Db,
  scope: SearchScope,
  { queries, firstMonth }: { queries: readonly string[]; firstMonth: number },
  { size, limit }: { size: number; limit: number },
): Promise<Place[]> {
  const { viewer, type, after, from } = scope
  const query = sql`(${queries}::tsquery[])[
    (extract(year from at) * 12 + extract(month from at))::int - 1 - ${firstMonth}::int + 1]`
  return db.search(
    viewer.tenantId,
    selectVisible(
      scope,
      sql`
        select at, id from (
          select at, id, words from ${sources[type].index}
          where tenant_id = ${viewer.tenantId} and (at, id) < (${from.at}::timestamptz, ${from.id})
            and at >= ${after ?? '-infinity'}::timestamptz
          order by at desc, id desc limit ${inlineLimit(size)}) newest
        where words @@ ${query} order by at desc, id desc`,
      limit,
    ),
  )
}

/** Finds matches by the index of words, at most `limit`. It reads all matches of the months of the query. */
export function findByWords(db: Db, scope: SearchScope, query: string, limit: number): Promise<Place[]> {
  const { viewer, type, after, from } = scope
  // Without the fence the planner may read the whole workspace instead of the index of words.
  return db.search(
    viewer.tenantId,
    selectVisible(
      scope,
      sql`
        select at, id from (
          select tenant_id, at, id from ${sources[type].index} where words @@ ${query}::tsquery offset 0) found
        where tenant_id = ${viewer.tenantId} and (at, id) < (${from.at}::timestamptz, ${from.id})
          and at >= ${after ?? '-infinity'}::timestamptz
        order by at desc, id desc`,
      limit,
    ),
  )
}

/** Checks filters and visibility row by row in the order of the matches, and stops when the page is full. */
function selectVisible({ viewer, type, inboxId, senderType }: SearchScope, matches: Sql, limit: number): Sql {
  const ofInbox = inboxId === undefined ? raw('') : sql`and m.inbox_id = ${inboxId}`
  const ofSender = senderType === undefined ? raw('') : sql`and m.sender_type = ${senderType}`
  return sql`
    select h.at, h.id from (${matches} offset 0) h
    where (
      select true from ${sources[type].rows}
      join conversation_states s on s.tenant_id = m.tenant_id and s.conversation_id = m.conversation_id
      where m.tenant_id = ${viewer.tenantId} and m.id = h.id ${ofInbox} ${ofSender} and ${visibleTo(viewer)})
    order by h.at desc, h.id desc limit ${inlineLimit(limit)}`
}

export interface FoundRow {
  id: string
  conversationId: string
  conversationName: string
  inboxId: string
  senderType: SenderType
  senderId: string
  content: Content | null
  text: string | null
  createdAt: string
}

/**
 * Loads found messages or notes in the order of the ids. The limits make the planner look up each row by its key: without
 * statistics it would read all conversations of the workspace for the names of a page.
 */
export function loadFound(
  on: Queryable,
  { viewer, type }: SearchScope,
  ids: readonly string[],
): Promise<FoundRow[]> {
  return on.rows(sql`
    select m.id, m.conversation_id as "conversationId", c.name as "conversationName", m.inbox_id as "inboxId",
      m.sender_type as "senderType", m.sender_id as "senderId", m.content, m.text, m.created_at as "createdAt"
    from unnest(${ids}::text[]) with ordinality as found(id, place)
    cross join lateral (
      select * from ${sources[type].rows} where m.tenant_id = ${viewer.tenantId} and m.id = found.id limit 1) m
    cross join lateral (
      select name from conversations where tenant_id = ${viewer.tenantId} and id = m.conversation_id limit 1) c
    order by found.place`)
}

export interface IndexedText {
  id: string
  at: string
  words: string | undefined
}

const searchedTables: Record<SearchedType, Sql> = {
  message: raw('messages'),
  note: raw('conversation_notes'),
}

/**
 * Writes the words of messages or notes; `known` says what happens to those that have words. The lock keeps a row from
 * being deleted before the commit, and one that was deleted meanwhile is left out.
 */
export async function saveWords(
  tx: Tx,
  type: SearchedType,
  tenantId: string,
  texts: readonly IndexedText[],
  known: 'replace' | 'keep' = 'replace',
): Promise<void> {
  if (texts.length === 0) return
  await tx.run(sql`
    with input as (
      select id collate "C" as id, at, words from unnest(${texts.map(text => text.id)}::text[],
        ${texts.map(text => text.at)}::timestamptz[], ${texts.map(text => text.words ?? '')}::tsvector[]) as i(id, at, words)
    ), existing as (
      select id from ${searchedTables[type]} where tenant_id = ${tenantId} and id in (select id from input)
      order by id for key share
    )
    insert into ${sources[type].index} (tenant_id, id, at, words)
    select ${tenantId}, i.id, i.at, i.words from input i join existing using (id)
    on conflict (tenant_id, id) do ${known === 'replace' ? raw('update set words = excluded.words') : raw('nothing')}`)
}

/** To be called after the notes were deleted: a statement that writes their words has ended then. */
export async function deleteNoteWords(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from note_search where tenant_id = ${tenantId} and id = any(${ids})`)
}

export interface Backfill {
  tenantId: string
  messageId: string
  noteId: string
}

/** Locks a workspace whose earlier messages are not indexed yet; undefined when there is none. */
export function lockBackfill(tx: Tx): Promise<Backfill | undefined> {
  return tx.maybe(sql`
    select tenant_id as "tenantId", message_id as "messageId", note_id as "noteId" from search_backfills
    where ${notMoving('search_backfills.tenant_id')} order by tenant_id limit 1 for update skip locked`)
}

export async function saveBackfill(tx: Tx, { tenantId, messageId, noteId }: Backfill): Promise<void> {
  await tx.run(sql`
    update search_backfills set message_id = ${messageId}, note_id = ${noteId} where tenant_id = ${tenantId}`)
}

export async function deleteBackfill(tx: Tx, tenantId: string): Promise<void> {
  await tx.run(sql`delete from search_backfills where tenant_id = ${tenantId}`)
}

/** Lists the next messages or notes by id that have no words yet, and the content to index. */
export function listUnindexed(
  tx: Tx,
  type: SearchedType,
  tenantId: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; createdAt: string; content: Content | null; text: string | null }[]> {
  const columns = type === 'message' ? raw('content, null::text as text') : raw('null::json as content, text')
  return tx.rows(sql`
    select id, created_at as "createdAt", ${columns} from ${searchedTables[type]}
    where tenant_id = ${tenantId} and id > ${after} order by id limit ${inlineLimit(limit)}`)
}
