/** Records changes of roles, keys, inboxes, webhooks, campaigns, segments and blocks of visitors, in the transaction of the change. */
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { AuditAction } from './audit-actions.ts'
import { AuditEntryId } from './schemas.ts'
import { insertAudit } from './store/audit.ts'

export { listAudit } from './store/audit.ts'

export type Actor = Pick<Caller, 'tenantId' | 'kind' | 'id'> | { tenantId: string; kind: 'system' }

/** The target is the id of the resource that the action names, or another resource with its type. */
export async function recordAudit(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  target: string | { type: string; id: string },
  details: Record<string, unknown> = {},
): Promise<void> {
  const { type, id } = typeof target === 'string' ? { type: action.split('.')[0]!, id: target } : target
  await insertAudit(tx, actor.tenantId, {
    id: AuditEntryId.createAt(tx.now),
    at: tx.now,
    actorType: actor.kind,
    actorId: 'id' in actor ? actor.id : null,
    action,
    targetType: type,
    targetId: id,
    details,
  })
}
