import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Viewer, visibleTo } from '../access.ts'

export interface UnreadCounter {
  count: number
  conversations: number
  version: number
}

export function lockUnreadCounter(tx: Tx, tenantId: string, userId: string): Promise<UnreadCounter> {
  return tx.one(sql`
    insert into unread_counters as u (tenant_id, user_id, count, conversations, version) values (${tenantId}, ${userId}, 0, 0, 0)
    on conflict (tenant_id, user_id) do update set version = u.version
    returning count, conversations, version`)
}

/** Counts customer messages after the read cursor, in open conversations of the viewer, of their teams or unassigned. */
export function countUnread(tx: Tx, viewer: Viewer): Promise<Pick<UnreadCounter, 'count' | 'conversations'>> {
  return tx.one(sql`
    select coalesce(sum(s.customer_count - coalesce(r.customer_position, 0)), 0)::int as count, count(*)::int as conversations
    from conversation_states s
    left join read_cursors r on r.tenant_id = s.tenant_id and r.conversation_id = s.conversation_id and r.user_id = ${viewer.id}
    where s.tenant_id = ${viewer.tenantId} and s.status = 'open' and s.customer_count > 0
      and s.customer_count > coalesce(r.customer_position, 0)
      and ${visibleTo(viewer)}
      and (s.owner_type is null or (s.owner_type = 'user' and s.owner_id = ${viewer.id})
        or (s.owner_type = 'team' and s.owner_id = any(${viewer.teamIds})))`)
}

export function updateUnreadCounter(
  tx: Tx,
  tenantId: string,
  userId: string,
  now: Pick<UnreadCounter, 'count' | 'conversations'>,
): Promise<UnreadCounter | undefined> {
  return tx.maybe(sql`
    update unread_counters set count = ${now.count}, conversations = ${now.conversations}, version = version + 1
    where tenant_id = ${tenantId} and user_id = ${userId} returning count, conversations, version`)
}

/** Returns false when the cursor is already there or beyond. */
export async function advanceReadCursor(
  tx: Tx,
  tenantId: string,
  userId: string,
  conversationId: string,
  position: number,
): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into read_cursors as r (tenant_id, user_id, conversation_id, position, customer_position)
    values (${tenantId}, ${userId}, ${conversationId}, ${position}, coalesce((
      select customer_position from messages
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} and position <= ${position}
        and customer_position is not null
      order by position desc limit 1), 0))
    on conflict (tenant_id, user_id, conversation_id) do update
      set position = excluded.position, customer_position = greatest(r.customer_position, excluded.customer_position)
      where r.position < excluded.position`)
  return changed > 0
}
