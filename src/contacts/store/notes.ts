import type { Queryable, Tx } from '../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { ContactNote } from '../notes/schemas.ts'

const columns =
  raw(`id, contact_id as "contactId", author_type as "authorType", author_id as "authorId", text,
  created_at as "createdAt", updated_at as "updatedAt"`)

/** Newest first: up to `limit` notes before a time and id. */
export function listNotes(
  on: Queryable,
  tenantId: string,
  contactId: string,
  { limit, after }: { limit: number; after: SortKey | undefined },
): Promise<ContactNote[]> {
  const before = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]})` : raw('')
  return on.rows(sql`
    select ${columns} from contact_notes where tenant_id = ${tenantId} and contact_id = ${contactId} ${before}
    order by created_at desc, id desc limit ${inlineLimit(limit)}`)
}

export function findNote(
  on: Queryable,
  tenantId: string,
  contactId: string,
  id: string,
): Promise<ContactNote | undefined> {
  return on.maybe(sql`
    select ${columns} from contact_notes where tenant_id = ${tenantId} and id = ${id} and contact_id = ${contactId}`)
}

export async function insertNote(
  tx: Tx,
  tenantId: string,
  note: Pick<ContactNote, 'id' | 'contactId' | 'authorType' | 'authorId' | 'text'>,
): Promise<void> {
  await tx.run(sql`
    insert into contact_notes (tenant_id, id, contact_id, author_type, author_id, text, created_at, updated_at)
    values (${tenantId}, ${note.id}, ${note.contactId}, ${note.authorType}, ${note.authorId}, ${note.text}, ${tx.now},
      ${tx.now})`)
}

export async function updateNoteText(tx: Tx, tenantId: string, id: string, text: string): Promise<void> {
  await tx.run(sql`
    update contact_notes set text = ${text}, updated_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id}`)
}

export async function deleteNoteRow(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.run(sql`delete from contact_notes where tenant_id = ${tenantId} and id = ${id}`)
}

export async function moveNotes(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  await tx.run(sql`
    update contact_notes set contact_id = ${into} where tenant_id = ${tenantId} and contact_id = ${from}`)
}

export async function deleteNotesOf(tx: Tx, tenantId: string, contactIds: readonly string[]): Promise<void> {
  await tx.run(
    sql`delete from contact_notes where tenant_id = ${tenantId} and contact_id = any(${contactIds})`,
  )
}
