import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { Note } from '../notes/schemas.ts'
import { deleteNoteWords } from './messages/message-search.ts'

export const noteColumns = raw(`n.id, n.conversation_id as "conversationId",
  (select p.contact_id from conversation_sessions p where p.tenant_id = n.tenant_id and p.id = n.session_id) as "contactId",
  n.author_type as "authorType", n.author_id as "authorId", n.text, n.mentions, n.media_ids as "mediaIds",
  n.created_at as "createdAt", n.updated_at as "updatedAt"`)

export interface NewNoteRow {
  id: string
  conversationId: string
  sessionId: string
  position: number
  authorType: 'user' | 'service'
  authorId: string
  text: string
  mentions: readonly string[]
  mediaIds: readonly string[]
}

export async function insertNote(tx: Tx, tenantId: string, row: NewNoteRow): Promise<void> {
  await tx.run(sql`
    insert into conversation_notes (tenant_id, id, conversation_id, session_id, position, author_type, author_id, text,
      mentions, media_ids, created_at, updated_at)
    values (${tenantId}, ${row.id}, ${row.conversationId}, ${row.sessionId}, ${row.position}, ${row.authorType},
      ${row.authorId}, ${row.text}, ${row.mentions}, ${row.mediaIds}, ${tx.now}, ${tx.now})`)
}

export function findNote(on: Queryable, tenantId: string, id: string): Promise<Note | undefined> {
  return on.maybe(
    sql`select ${noteColumns} from conversation_notes n where n.tenant_id = ${tenantId} and n.id = ${id}`,
  )
}

export async function updateNoteRow(
  tx: Tx,
  tenantId: string,
  { id, text, mentions, mediaIds }: Pick<Note, 'id' | 'text' | 'mentions' | 'mediaIds'>,
): Promise<void> {
  await tx.run(sql`
    update conversation_notes set text = ${text}, mentions = ${mentions}, media_ids = ${mediaIds}, updated_at = ${tx.now}
    where tenant_id = ${tenantId} and id = ${id}`)
}

export async function deleteNoteRow(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const deleted = await tx.run(
    sql`delete from conversation_notes where tenant_id = ${tenantId} and id = ${id}`,
  )
  await deleteNoteWords(tx, tenantId, [id])
  return deleted === 1
}

/** Removes files from the conversation that none of its messages and notes uses, and deletes those without another use. */
export async function releaseNoteMedia(
  tx: Tx,
  tenantId: string,
  conversationId: string,
  mediaIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with unused as (
      select u.media_id from media_uses u
      where u.tenant_id = ${tenantId} and u.conversation_id = ${conversationId} and u.media_id = any(${mediaIds})
        and not exists (select from conversation_notes n where n.tenant_id = u.tenant_id
          and n.conversation_id = u.conversation_id and u.media_id = any(n.media_ids))
        and not exists (select from messages m where m.tenant_id = u.tenant_id
          and m.conversation_id = u.conversation_id and position(u.media_id in m.content::text) > 0)
    ), removed as (
      delete from media_uses u using unused
      where u.tenant_id = ${tenantId} and u.conversation_id = ${conversationId} and u.media_id = unused.media_id
    )
    update media m set status = 'deleting', used = false from unused
    where m.tenant_id = ${tenantId} and m.id = unused.media_id
      and not exists (select from media_uses o where o.tenant_id = m.tenant_id and o.media_id = m.id
        and o.conversation_id <> ${conversationId})
      and not exists (select from media_shares h where h.tenant_id = m.tenant_id and h.media_id = m.id)`)
}
