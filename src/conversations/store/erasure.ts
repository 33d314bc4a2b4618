import type { Db, Tx } from '../../platform/db/db.ts'
import { containsAnyWord, raw, sql } from '../../platform/db/sql.ts'
import { redactEvents } from '../../platform/events/log.ts'
import { deleteDraftsOf } from './drafts.ts'
import { deleteNoteWords } from './messages/message-search.ts'
import { eraseSurveys } from './surveys.ts'

export interface ContactConversation {
  id: string
  addresses: string[]
  /** Another contact, who had the address before or has it now, has messages in it too. */
  isShared: boolean
}

export function listContactConversations(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<ContactConversation[]> {
  return tx.rows<ContactConversation>(sql`
    select c.id, array(
      select address from conversation_addresses a where a.tenant_id = c.tenant_id and a.conversation_id = c.id) as addresses,
      exists (select from conversation_sessions o where o.tenant_id = c.tenant_id and o.conversation_id = c.id
        and o.contact_id <> all(${contactIds})) as "isShared"
    from conversations c where tenant_id = ${tenantId} and (contact_id = any(${contactIds}) or id in (
      select conversation_id from conversation_sessions where tenant_id = ${tenantId} and contact_id = any(${contactIds})))`)
}

/** Deletes the messages of these contacts. Returns how many were deleted, up to the limit. */
export function eraseMessages(
  tx: Tx,
  tenantId: string,
  conversationId: string,
  { contactIds, limit }: { contactIds: readonly string[]; limit: number },
): Promise<number> {
  return tx.run(sql`
    with old as (
      select id from messages where tenant_id = ${tenantId} and conversation_id = ${conversationId}
        and session_id not in (
          select id from conversation_sessions where tenant_id = ${tenantId} and conversation_id = ${conversationId}
            and contact_id <> all(${contactIds}))
      order by position limit ${limit}
    ), timeline as (
      delete from message_timeline t using old where t.tenant_id = ${tenantId} and t.message_id = old.id
    ), reactions as (
      delete from reactions r using old where r.tenant_id = ${tenantId} and r.message_id = old.id
    )
    delete from messages m using old where m.tenant_id = ${tenantId} and m.id = old.id`)
}

const notesTable = raw('conversation_notes')
const entryTables = [notesTable, raw('conversation_events'), raw('scheduled_messages')]

/** Deletes the notes, events, surveys and scheduled messages of these contacts, and all drafts. */
export async function eraseEntries(
  tx: Tx,
  tenantId: string,
  conversationId: string,
  contactIds: readonly string[],
): Promise<void> {
  await deleteDraftsOf(tx, tenantId, conversationId)
  await eraseSurveys(tx, tenantId, conversationId, contactIds)
  for (const table of entryTables) {
    const ids = await tx.values<string>(sql`
      delete from ${table} where tenant_id = ${tenantId} and conversation_id = ${conversationId}
        and session_id not in (
          select id from conversation_sessions where tenant_id = ${tenantId} and conversation_id = ${conversationId}
            and contact_id <> all(${contactIds}))
      returning id`)
    if (table === notesTable) await deleteNoteWords(tx, tenantId, ids)
  }
}

/** Lists files that no other conversation, no saved reply and no remaining message or note uses. */
export function listExclusiveMedia(tx: Tx, tenantId: string, conversationId: string): Promise<string[]> {
  return tx.values<string>(sql`
    select media_id from media_uses u where tenant_id = ${tenantId} and conversation_id = ${conversationId}
      and not exists (select from media_uses o where o.tenant_id = u.tenant_id and o.media_id = u.media_id
        and o.conversation_id <> u.conversation_id)
      and not exists (select from media_shares h where h.tenant_id = u.tenant_id and h.media_id = u.media_id)
      and not exists (select from messages m where m.tenant_id = u.tenant_id and m.conversation_id = u.conversation_id
        and position(u.media_id in m.content::text) > 0)
      and not exists (select from conversation_notes n where n.tenant_id = u.tenant_id
        and n.conversation_id = u.conversation_id and u.media_id = any(n.media_ids))
      and not exists (select from scheduled_messages m where m.tenant_id = u.tenant_id
        and m.conversation_id = u.conversation_id and position(u.media_id in m.content::text) > 0)`)
}

/** Deletes a conversation whose messages are deleted; one with messages of other contacts stays. */
export async function eraseConversation(
  tx: Tx,
  tenantId: string,
  id: string,
  { contactIds, mediaIds }: { contactIds: readonly string[]; mediaIds: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    delete from media_uses where tenant_id = ${tenantId} and conversation_id = ${id} and media_id = any(${mediaIds})`)
  await tx.run(sql`delete from media where tenant_id = ${tenantId} and id = any(${mediaIds})`)
  await tx.run(sql`
    update conversation_states s set last_message_preview = null where tenant_id = ${tenantId} and conversation_id = ${id}
      and not exists (select from messages m where m.tenant_id = s.tenant_id and m.conversation_id = s.conversation_id
        and m.position = s.message_count)`)
  const others = await tx.rows(sql`
    select from conversation_sessions where tenant_id = ${tenantId} and conversation_id = ${id}
      and contact_id <> all(${contactIds}) limit 1`)
  if (others.length > 0) return
  await tx.run(sql`delete from media_uses where tenant_id = ${tenantId} and conversation_id = ${id}`)
  await tx.run(sql`delete from read_cursors where tenant_id = ${tenantId} and conversation_id = ${id}`)
  await tx.run(sql`delete from conversation_labels where tenant_id = ${tenantId} and conversation_id = ${id}`)
  await tx.run(
    sql`delete from open_conversation_teams where tenant_id = ${tenantId} and conversation_id = ${id}`,
  )
  await tx.run(
    sql`delete from conversation_sessions where tenant_id = ${tenantId} and conversation_id = ${id}`,
  )
  await tx.run(sql`delete from conversation_states where tenant_id = ${tenantId} and conversation_id = ${id}`)
  await tx.run(
    sql`delete from conversation_addresses where tenant_id = ${tenantId} and conversation_id = ${id}`,
  )
  await tx.run(sql`delete from conversations where tenant_id = ${tenantId} and id = ${id}`)
}

/** Clears the payloads. The deduplication keys stay, so that a repeated event is still recognized. */
export function scrubProviderEvents(db: Db, tenantId: string, words: readonly string[]): Promise<number> {
  return db.run(sql`
    update provider_events set payload = '{}' where tenant_id = ${tenantId}
      and ${containsAnyWord('payload::text', words)}`)
}

const idOnly = (part: string) =>
  raw(
    `case when data->'${part}' is not null then json_build_object('id', data->'${part}'->'id', 'erased', true) end`,
  )

/** Reduces every logged event that contains one of these words to the ids of the resources it describes. */
export function eraseEvents(db: Db, tenantId: string, words: readonly string[]): Promise<number> {
  const idsOnly = sql`json_strip_nulls(json_build_object('contact', ${idOnly('contact')},
    'conversation', ${idOnly('conversation')}, 'message', ${idOnly('message')},
    'note', ${idOnly('note')}, 'erased', true))`
  return redactEvents(db, tenantId, words, idsOnly)
}
