/** Invitations: a token, shown once, with which a person joins the workspace as a user with the invited role. */
import type { Static } from 'typebox'
import type { Tx } from '../../platform/db/db.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/deps.ts'
import { fail } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { recordAudit } from '../audit.ts'
import type { AuditAction } from '../audit-actions.ts'
import { assertStrongPassword } from '../auth/password-strength.ts'
import { hashPassword } from '../auth/passwords.ts'
import { createAuthSession, type LoginResult } from '../auth/sessions.ts'
import { generateSecretToken, hashSecret } from '../auth/tokens.ts'
import { EmailTaken, InvitationInvalid, InvitationNotFound, OwnerChangeForbidden } from '../errors.ts'
import { lockAndReload, type RoleDeps } from '../rights/reauthorize.ts'
import { assertCanGrant } from '../rights/roles.ts'
import { InvitationId, type InvitationRequest } from '../schemas.ts'
import {
  acceptOpenInvitation,
  deleteInvitation,
  findOpenInvitation,
  findPendingInvitation,
  type InvitationRow,
  insertInvitation,
  renewInvitationRow,
} from '../store/invitations.ts'
import { findUserByEmail } from '../store/users.ts'
import { joinWorkspace } from './join-workspace.ts'
import { lockExistingTeams } from './users.ts'

const invitationTtlMs = 7 * 86_400_000
const getExpiry = (tx: Tx) => new Date(Date.parse(tx.now) + invitationTtlMs).toISOString()

export interface IssuedInvitation {
  invitation: InvitationRow
  token: string
}

/** Locks the workspace and throws unless the caller may invite this address with this role. */
async function assertCanInvite(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  { email, role }: Pick<InvitationRow, 'email' | 'role'>,
): Promise<void> {
  const current = await lockAndReload(deps, tx, caller)
  assertCanGrant(current, role, deps.roleScopes[role])
  const user = await findUserByEmail(tx, caller.tenantId, email)
  if (user && !user.disabled) fail(EmailTaken)
  if (user?.role === 'owner' && current.role !== 'owner') fail(OwnerChangeForbidden)
}

export async function createInvitation(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  input: Static<typeof InvitationRequest>,
): Promise<IssuedInvitation> {
  const { email, role, teamIds = [] } = input
  await assertCanInvite(deps, tx, caller, input)
  await lockExistingTeams(tx, caller.tenantId, teamIds)
  const { token, hash } = generateSecretToken('inv', caller.tenantId)
  const invitation: InvitationRow = {
    id: InvitationId.create(),
    email,
    role,
    teamIds,
    createdBy: caller.id,
    createdAt: tx.now,
    expiresAt: getExpiry(tx),
  }
  await insertInvitation(tx, caller.tenantId, invitation, hash)
  await recordInvitation(tx, caller, 'user.invited', invitation)
  return { invitation, token }
}

/** Replaces the token, also of an expired invitation. The caller becomes its creator. */
export async function renewInvitation(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<IssuedInvitation> {
  const pending = (await findPendingInvitation(tx, caller.tenantId, id)) ?? fail(InvitationNotFound)
  await assertCanInvite(deps, tx, caller, pending)
  const { token, hash } = generateSecretToken('inv', caller.tenantId)
  const renewal = { tokenHash: hash, createdBy: caller.id, expiresAt: getExpiry(tx) }
  const invitation = (await renewInvitationRow(tx, caller.tenantId, id, renewal)) ?? fail(InvitationNotFound)
  await recordInvitation(tx, caller, 'user.invitation_renewed', invitation)
  return { invitation, token }
}

export async function revokeInvitation(tx: Tx, caller: Caller, id: string): Promise<void> {
  const revoked = (await deleteInvitation(tx, caller.tenantId, id)) ?? fail(InvitationNotFound)
  await recordInvitation(tx, caller, 'user.invitation_revoked', revoked)
}

function recordInvitation(
  tx: Tx,
  caller: Caller,
  action: AuditAction,
  { id, email, role }: Pick<InvitationRow, 'id' | 'email' | 'role'>,
): Promise<void> {
  return recordAudit(tx, caller, action, { type: 'invitation', id }, { email, role })
}

export async function acceptInvitation(
  deps: Deps,
  { token, name, password, address }: { token: string; name: string; password: string; address: string },
): Promise<LoginResult> {
  const tokenHash = hashSecret(token)
  // Checked before the expensive hash, so that guessed tokens cost little.
  const open = await findOpenInvitation(deps.db, tokenHash)
  if (!open) fail(InvitationInvalid, 'ask for a new invitation')
  assertStrongPassword('password', password, open)
  const passwordHash = await hashPassword(password)
  return transact(deps.db, async tx => {
    const invitation =
      (await acceptOpenInvitation(tx, tokenHash)) ?? fail(InvitationInvalid, 'ask for a new invitation')
    const userId = await joinWorkspace(tx, invitation, { name, provider: 'password', passwordHash })
    return createAuthSession(deps, tx, { tenantId: invitation.tenantId, userId, address })
  })
}
