import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { Label } from '../labels/schemas.ts'

const columns = raw('id, name, color, created_at as "createdAt", created_by as "createdBy"')

export function listLabels(on: Queryable, tenantId: string): Promise<Label[]> {
  return on.rows(sql`
    select ${columns} from labels where tenant_id = ${tenantId} and deleted_at is null order by name_key`)
}

/** Inserts a label unless its name is taken, or the workspace has `max` labels; returns the reason. */
export async function insertLabel(
  tx: Tx,
  tenantId: string,
  label: Label & { nameKey: string },
  max: number,
): Promise<'name_taken' | 'too_many' | undefined> {
  const { id, name, nameKey, color, createdBy } = label
  const count = await tx.value<number>(
    sql`select count(*) from labels where tenant_id = ${tenantId} and deleted_at is null`,
  )
  if (count! >= max) return 'too_many'
  const inserted = await tx.run(sql`
    insert into labels (tenant_id, id, name, name_key, color, created_by, created_at)
    values (${tenantId}, ${id}, ${name}, ${nameKey}, ${color}, ${createdBy}, ${tx.now})
    on conflict (tenant_id, name_key) where deleted_at is null do nothing`)
  return inserted === 1 ? undefined : 'name_taken'
}

/** Returns the label as it is then; undefined when it does not exist. */
export function updateLabel(
  tx: Tx,
  tenantId: string,
  id: string,
  { name, nameKey, color }: { name?: string; nameKey?: string; color?: string },
): Promise<Label | undefined> {
  return tx.maybe(sql`
    update labels set name = coalesce(${name ?? null}, name), name_key = coalesce(${nameKey ?? null}, name_key),
      color = coalesce(${color ?? null}, color)
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is null returning ${columns}`)
}

/** Returns false when the label does not exist. */
export async function markLabelDeleted(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update labels set deleted_at = ${tx.now} where tenant_id = ${tenantId} and id = ${id} and deleted_at is null`)
  return changed === 1
}

/** Locks a label against deletion; returns whether it exists. To be called before conversations are locked. */
export async function lockLabel(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    select from labels where tenant_id = ${tenantId} and id = ${id} and deleted_at is null for share`)
  return rows.length > 0
}

/** Adds a label to locked conversations. */
export async function insertConversationLabels(
  tx: Tx,
  tenantId: string,
  labelId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with added as (
      insert into conversation_labels (tenant_id, label_id, conversation_id)
      select ${tenantId}, ${labelId}, id from unnest(${conversationIds}::text[]) as id
      on conflict do nothing returning conversation_id
    )
    update conversation_states s set revision = s.revision + 1, updated_at = ${tx.now},
      label_ids = array(select distinct id from unnest(s.label_ids || ${labelId}::text) as id order by id)
    from added where s.tenant_id = ${tenantId} and s.conversation_id = added.conversation_id`)
}

/** Removes a label from locked conversations. */
export async function deleteConversationLabels(
  tx: Tx,
  tenantId: string,
  labelId: string,
  conversationIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with removed as (
      delete from conversation_labels
      where tenant_id = ${tenantId} and label_id = ${labelId} and conversation_id = any(${conversationIds})
      returning conversation_id
    )
    update conversation_states s set label_ids = array_remove(s.label_ids, ${labelId}::text), revision = s.revision + 1,
      updated_at = ${tx.now}
    from removed where s.tenant_id = ${tenantId} and s.conversation_id = removed.conversation_id`)
}

export function listLabeledConversations(
  tx: Tx,
  tenantId: string,
  labelId: string,
  limit: number,
): Promise<string[]> {
  return tx.values(sql`
    select conversation_id from conversation_labels where tenant_id = ${tenantId} and label_id = ${labelId}
    order by status, last_message_at, conversation_id limit ${limit}`)
}
