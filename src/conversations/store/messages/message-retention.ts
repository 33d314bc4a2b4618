/** Deletes messages and notes by their age, with what belongs to them, and closed conversations that have none left. */
import type { Db, Tx } from '../../../platform/db/db.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { NoteId } from '../../notes/schemas.ts'
import { MediaId, MessageId } from '../../schemas.ts'
import { deleteNoteWords } from './message-search.ts'

export interface DeletedEntry {
  conversationId: string
  mediaIds: string[]
}

const hourMs = 3_600_000
/** Ids sort by creation time: nothing older has a later id, and the rest of the table is not read. */
const toIdBound = (before: string) => new Date(Date.parse(before) + hourMs)

/** Deletes the oldest messages. Those that are being sent stay. Returns at most `limit` of them. */
export function deleteOldMessages(
  tx: Tx,
  tenantId: string,
  before: string,
  limit: number,
): Promise<DeletedEntry[]> {
  return tx.rows<DeletedEntry>(sql`
    with old as (
      select id from messages where tenant_id = ${tenantId} and id < ${MessageId.firstAt(toIdBound(before))}
        and created_at < ${before} and status <> 'pending'
      order by id limit ${limit}
    ), timeline as (
      delete from message_timeline t using old where t.tenant_id = ${tenantId} and t.message_id = old.id
    ), reactions as (
      delete from reactions r using old where r.tenant_id = ${tenantId} and r.message_id = old.id
    )
    delete from messages m using old where m.tenant_id = ${tenantId} and m.id = old.id
    returning m.conversation_id as "conversationId", ${selectMediaIds(sql`m.content::text`)} as "mediaIds"`)
}

const selectMediaIds = (text: Sql) => sql`array(
  select distinct found[1] from regexp_matches(${text}, ${MediaId.pattern.source.replace(/[$^]/g, '')}, 'g') as found)`

export async function deleteOldNotes(
  tx: Tx,
  tenantId: string,
  before: string,
  limit: number,
): Promise<DeletedEntry[]> {
  const rows = await tx.rows<DeletedEntry & { id: string }>(sql`
    with old as (
      select id from conversation_notes where tenant_id = ${tenantId} and id < ${NoteId.firstAt(toIdBound(before))}
        and created_at < ${before}
      order by id limit ${limit}
    )
    delete from conversation_notes n using old where n.tenant_id = ${tenantId} and n.id = old.id
    returning n.id, n.conversation_id as "conversationId", n.media_ids as "mediaIds"`)
  await deleteNoteWords(
    tx,
    tenantId,
    rows.map(({ id }) => id),
  )
  return rows
}

/** Deletes the old history and surveys of these conversations, and the preview of a message that was deleted. */
export async function deleteOldHistory(
  tx: Tx,
  tenantId: string,
  conversationIds: readonly string[],
  before: string,
): Promise<void> {
  await tx.run(sql`
    delete from conversation_events where tenant_id = ${tenantId} and conversation_id = any(${conversationIds})
      and at < ${before}`)
  await tx.run(sql`
    delete from conversation_surveys where tenant_id = ${tenantId} and conversation_id = any(${conversationIds})
      and coalesce(rated_at, sent_at, send_at) < ${before}`)
  await tx.run(sql`
    update conversation_states set last_message_preview = null
    where tenant_id = ${tenantId} and conversation_id = any(${conversationIds}) and last_message_at < ${before}
      and last_message_preview is not null`)
}

/** Ends the use of files that no message or note of the conversation has, and marks those without any use for deletion. */
export async function releaseMedia(
  tx: Tx,
  tenantId: string,
  { conversationId, mediaIds }: DeletedEntry,
): Promise<void> {
  await tx.run(sql`
    with released as (
      delete from media_uses u where tenant_id = ${tenantId} and conversation_id = ${conversationId}
        and media_id = any(${mediaIds})
        and not exists (select from messages m where m.tenant_id = u.tenant_id and m.conversation_id = u.conversation_id
          and position(u.media_id in m.content::text) > 0)
        and not exists (select from conversation_notes n where n.tenant_id = u.tenant_id
          and n.conversation_id = u.conversation_id and u.media_id = any(n.media_ids))
        and not exists (select from scheduled_messages s where s.tenant_id = u.tenant_id
          and s.conversation_id = u.conversation_id and position(u.media_id in s.content::text) > 0)
      returning media_id
    )
    update media m set status = 'deleting' from released r
    where m.tenant_id = ${tenantId} and m.id = r.media_id
      and not exists (select from media_uses o where o.tenant_id = m.tenant_id and o.media_id = m.id
        and o.conversation_id <> ${conversationId})
      and not exists (select from media_shares h where h.tenant_id = m.tenant_id and h.media_id = m.id)`)
}

/** Lists closed conversations without recent activity, oldest first, after one of them. */
export function listOldConversations(
  db: Db,
  tenantId: string,
  before: string,
  after: OldConversation | undefined,
  limit: number,
): Promise<OldConversation[]> {
  return db.rows<OldConversation>(sql`
    select conversation_id as id, last_message_at as "lastMessageAt" from conversation_states
    where tenant_id = ${tenantId} and (status || '') = 'closed' and last_message_at < ${before} and closed_at < ${before}
      and (last_message_at, conversation_id) > (${after?.lastMessageAt ?? '-infinity'}::timestamptz, ${after?.id ?? ''}::text)
    order by last_message_at, conversation_id limit ${limit}`)
}

export interface OldConversation {
  id: string
  lastMessageAt: string
}

/** Reports whether the conversation has a message, a note or a scheduled message. */
export async function hasEntries(tx: Tx, tenantId: string, conversationId: string): Promise<boolean> {
  const found = await tx.value<boolean>(sql`
    select exists (select from messages where tenant_id = ${tenantId} and conversation_id = ${conversationId})
      or exists (select from conversation_notes where tenant_id = ${tenantId} and conversation_id = ${conversationId})
      or exists (select from scheduled_messages where tenant_id = ${tenantId} and conversation_id = ${conversationId})`)
  return found!
}

/** Lists the contacts who had a session of the conversation. */
export function listSessionContacts(tx: Tx, tenantId: string, conversationId: string): Promise<string[]> {
  return tx.values<string>(sql`
    select distinct contact_id from conversation_sessions
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} and contact_id is not null`)
}
