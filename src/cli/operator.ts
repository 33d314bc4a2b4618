/** Runs commands in a workspace with the rights of an owner. */
import { recordAudit } from '../identity/audit.ts'
import { findTenant } from '../identity/workspace/tenants.ts'
import type { Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import type { Caller } from '../platform/http/caller.ts'
import { CliError } from './errors.ts'

export const tenantFlag = {
  tenant: { type: 'string', description: 'Id of the workspace (tn_…)', required: true },
} as const

const operatorId = 'cli'

/** Runs in one transaction and records the command in the workspace's audit log. */
export async function asOperator<T>(
  deps: Deps,
  tenantId: string,
  command: string,
  work: (tx: Tx, caller: Caller) => Promise<T>,
): Promise<T> {
  return transact(deps.db, async tx => {
    if (!(await findTenant(tx, tenantId))) throw new CliError(`workspace ${tenantId} not found`)
    await recordAudit(
      tx,
      { kind: 'system', tenantId },
      'cli.used',
      { type: 'workspace', id: tenantId },
      { command },
    )
    return work(tx, {
      tenantId,
      id: operatorId,
      kind: 'service',
      role: 'owner',
      scopes: deps.roleScopes.owner,
      teamIds: [],
    })
  })
}
