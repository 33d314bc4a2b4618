import type { Queryable, Tx } from '../../platform/db/db.ts'
import { inlineLimit, raw, sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'
import type { DraftChange, DraftKind, DraftNotice, StoredDraft } from '../drafts/schemas.ts'

interface DraftOwner {
  tenantId: string
  id: string
}

const columns = raw('conversation_id as "conversationId", kind, content, revision, updated_at as "updatedAt"')

export function findDraft(
  on: Queryable,
  { tenantId, id }: DraftOwner,
  conversationId: string,
  kind: DraftKind,
): Promise<StoredDraft | undefined> {
  return on.maybe(sql`
    select ${columns} from conversation_drafts
    where tenant_id = ${tenantId} and user_id = ${id} and conversation_id = ${conversationId} and kind = ${kind}`)
}

/** Lists the drafts in conversations that the user can see, the latest first. */
export function listDrafts(on: Queryable, viewer: Viewer, limit: number): Promise<StoredDraft[]> {
  return on.rows(sql`
    select d.conversation_id as "conversationId", d.kind, d.content, d.revision, d.updated_at as "updatedAt"
    from conversation_drafts d
    join conversation_states s on s.tenant_id = d.tenant_id and s.conversation_id = d.conversation_id
    where d.tenant_id = ${viewer.tenantId} and d.user_id = ${viewer.id} and ${visibleTo(viewer)}
    order by d.revision desc limit ${inlineLimit(limit)}`)
}

/** Undefined if there is a draft. */
export function insertDraft(
  tx: Tx,
  { tenantId, id }: DraftOwner,
  conversationId: string,
  { kind, content }: DraftChange,
): Promise<StoredDraft | undefined> {
  return tx.maybe(sql`
    insert into conversation_drafts (tenant_id, user_id, conversation_id, kind, content, revision, updated_at)
    values (${tenantId}, ${id}, ${conversationId}, ${kind}, ${JSON.stringify(content)}::json,
      nextval('conversation_draft_revisions'), ${tx.now})
    on conflict do nothing returning ${columns}`)
}

/** Undefined if the draft does not have the revision of the change. */
export function updateDraftRow(
  tx: Tx,
  { tenantId, id }: DraftOwner,
  conversationId: string,
  { kind, content, revision }: DraftChange,
): Promise<StoredDraft | undefined> {
  return tx.maybe(sql`
    update conversation_drafts set content = ${JSON.stringify(content)}::json,
      revision = nextval('conversation_draft_revisions'), updated_at = ${tx.now}
    where tenant_id = ${tenantId} and user_id = ${id} and conversation_id = ${conversationId} and kind = ${kind}
      and revision = ${revision}
    returning ${columns}`)
}

/** Returns false if there is no draft, or it has another revision or one above the maximum. */
export async function deleteDraftRow(
  tx: Tx,
  { tenantId, id }: DraftOwner,
  conversationId: string,
  {
    kind,
    revision,
    maxRevision,
  }: { kind: DraftKind; revision?: number | undefined; maxRevision?: number | undefined },
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from conversation_drafts
    where tenant_id = ${tenantId} and user_id = ${id} and conversation_id = ${conversationId} and kind = ${kind}
      and (${revision ?? null}::bigint is null or revision = ${revision ?? null})
      and (${maxRevision ?? null}::bigint is null or revision <= ${maxRevision ?? null})`)
  return deleted > 0
}

export interface CompletedDraft {
  tenantId: string
  userId: string
  conversationId: string
  messageId: string
  /** Drafts above it stay; null: any. */
  maxRevision: number | null
}

/** Deletes the drafts of messages that this transaction has inserted, and returns them. */
export function deleteSentDrafts(
  tx: Tx,
  sent: readonly CompletedDraft[],
): Promise<Omit<DraftNotice, 'revision'>[]> {
  const column = <K extends keyof CompletedDraft>(name: K) => sent.map(draft => draft[name])
  return tx.rows(sql`
    select * from delete_sent_drafts(${column('tenantId')}::text[], ${column('userId')}::text[],
      ${column('conversationId')}::text[], ${column('messageId')}::text[], ${column('maxRevision')}::bigint[])`)
}

/** Moves the drafts of a conversation to the one that it is merged into, unless the user has a draft there. */
export async function moveDrafts(tx: Tx, tenantId: string, from: string, into: string): Promise<void> {
  await tx.run(sql`
    update conversation_drafts d set conversation_id = ${into}
    where d.tenant_id = ${tenantId} and d.conversation_id = ${from} and not exists (
      select from conversation_drafts o where o.tenant_id = d.tenant_id and o.user_id = d.user_id
        and o.conversation_id = ${into} and o.kind = d.kind)`)
  await deleteDraftsOf(tx, tenantId, from)
}

export async function deleteDraftsOf(tx: Tx, tenantId: string, conversationId: string): Promise<void> {
  await tx.run(sql`
    delete from conversation_drafts where tenant_id = ${tenantId} and conversation_id = ${conversationId}`)
}
