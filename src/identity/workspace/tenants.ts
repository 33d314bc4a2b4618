/** Workspaces. A new workspace has an owner and the team `Support` with the owner as its member. */
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../platform/config.ts'
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { recordAudit } from '../audit.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { TeamId, TenantId, UserId } from '../schemas.ts'
import { insertTeam, insertTeamMember } from '../store/teams.ts'
import { findTenant, insertTenant, type TenantRow, updateLogo, updateTenant } from '../store/tenants.ts'
import { insertUser, lockTenant } from '../store/users.ts'
import { checkRetention } from './retention.ts'
import { checkWorkspaceChange, type WorkspaceChange } from './workspace-settings.ts'

export { findTenant, hasTenants } from '../store/tenants.ts'

export async function getWorkspace(db: Queryable, tenantId: string): Promise<TenantRow> {
  return (await findTenant(db, tenantId))!
}

export async function updateWorkspace(
  tx: Tx,
  caller: Caller,
  input: WorkspaceChange,
  config: Config,
): Promise<TenantRow> {
  const { tenantId } = caller
  const change = checkWorkspaceChange(input)
  checkRetention(change, config)
  await lockTenant(tx, tenantId)
  const before = await getWorkspace(tx, tenantId)
  await updateTenant(tx, tenantId, change)
  const after = await getWorkspace(tx, tenantId)
  const changes = Object.fromEntries(
    (['name', 'secondFactorRequired', 'timezone', 'locale', 'businessHours', 'retention'] as const)
      .filter(member => !isDeepStrictEqual(before[member], after[member]))
      .map(member => [member, { from: before[member], to: after[member] }]),
  )
  if (Object.keys(changes).length > 0) {
    await recordAudit(tx, caller, 'workspace.updated', tenantId, changes)
    await emitChanged(tx, tenantId, { kind: 'workspace', id: tenantId })
  }
  tx.signal(callersChanged, tenantId)
  return after
}

/** Stores the URL of the logo; null: none. The file belongs to the domain that encodes it. */
export async function setWorkspaceLogo(tx: Tx, caller: Caller, url: string | null): Promise<void> {
  const { tenantId } = caller
  await lockTenant(tx, tenantId)
  const { logoUrl } = await getWorkspace(tx, tenantId)
  await updateLogo(tx, tenantId, url)
  await recordAudit(tx, caller, 'workspace.updated', tenantId, { logoUrl: { from: logoUrl, to: url } })
  await emitChanged(tx, tenantId, { kind: 'workspace', id: tenantId })
}

export interface WorkspaceInput {
  name: string
  owner: { name: string; email: string; passwordHash: string | null }
}

export async function createWorkspace(
  tx: Tx,
  input: WorkspaceInput,
): Promise<{ tenantId: string; ownerId: string; teamId: string }> {
  const tenantId = TenantId.create()
  const ownerId = UserId.create()
  const teamId = TeamId.create()
  await insertTenant(tx, { id: tenantId, name: input.name })
  const { name, email, passwordHash } = input.owner
  await insertUser(tx, tenantId, {
    id: ownerId,
    name,
    email,
    role: 'owner',
    provider: 'password',
    passwordHash,
    invited: false,
  })
  await insertTeam(tx, tenantId, { id: teamId, name: 'Support' })
  await insertTeamMember(tx, tenantId, teamId, ownerId)
  await recordAudit(tx, { kind: 'user', id: ownerId, tenantId }, 'workspace.created', tenantId)
  return { tenantId, ownerId, teamId }
}
