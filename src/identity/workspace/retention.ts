/** How long workspaces keep messages and notes: their own settings within the limit of the installation. */
import type { Config } from '../../platform/config.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import { listMessageRetentions } from '../store/tenants.ts'
import type { WorkspaceChange } from './workspace-settings.ts'

export interface TenantRetention {
  tenantId: string
  days: number
}

type Limit = Pick<Config, 'maxRetentionDays'>

/** Lists the workspaces that do not keep messages forever. */
export async function listRetentions(db: Queryable, { maxRetentionDays }: Limit): Promise<TenantRetention[]> {
  const rows = await listMessageRetentions(db, maxRetentionDays !== undefined)
  return rows.map(({ tenantId, days }) => ({
    tenantId,
    days: Math.min(days ?? Number.POSITIVE_INFINITY, maxRetentionDays ?? Number.POSITIVE_INFINITY),
  }))
}

/** Throws if messages would be kept for longer than the installation allows. */
export function checkRetention({ retention }: WorkspaceChange, { maxRetentionDays: max }: Limit): void {
  if (!retention || max === undefined) return
  if ((retention.messageDays ?? 0) > max)
    invalid(
      violation('retention.messageDays', 'too_large', `must be at most ${max}, as the operator has set it`),
    )
}
