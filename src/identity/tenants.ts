/** Workspaces. A new workspace has an owner and the team `Support` with the owner as its member. */
import type { Tx } from '../platform/db/db.ts'
import { recordAudit } from './audit.ts'
import { TeamId, TenantId, UserId } from './schemas.ts'
import { insertTeam, insertTeamMember } from './store/teams.ts'
import { insertTenant } from './store/tenants.ts'
import { insertUser } from './store/users.ts'

export { findTenant, hasTenants } from './store/tenants.ts'

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
