/** Records changes of access and settings, in the transaction of the change, and exports of data. */
import type { Tx } from '../platform/db/db.ts'
import type { Caller } from '../platform/http/caller.ts'
import { AuditEntryId } from './schemas.ts'
import { insertAudit } from './store/audit.ts'

export type Actor = Pick<Caller, 'kind' | 'id'> | { kind: 'system' }

export interface AuditEntry {
  /** `<resource>.<past tense>`, such as `user.role_changed`. */
  action: string
  targetType: string
  targetId: string
  details?: Record<string, unknown>
}

export async function recordAudit(tx: Tx, tenantId: string, actor: Actor, entry: AuditEntry): Promise<void> {
  await insertAudit(tx, {
    tenantId,
    id: AuditEntryId.create(),
    at: tx.now,
    actorType: actor.kind,
    actorId: 'id' in actor ? actor.id : null,
    details: {},
    ...entry,
  })
}
