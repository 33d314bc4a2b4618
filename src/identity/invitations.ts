/** Invitations: a token, shown once, with which a person joins the workspace as a user with the invited role. */
import type { Static } from 'typebox'
import { isUniqueViolation, type Tx } from '../platform/db/db.ts'
import { transact } from '../platform/db/transact.ts'
import type { Deps } from '../platform/deps.ts'
import { fail } from '../platform/errors.ts'
import type { Caller } from '../platform/http/caller.ts'
import { recordAudit } from './audit.ts'
import { callersChanged } from './auth/authenticate.ts'
import { hashPassword } from './auth/passwords.ts'
import { createAuthSession, type LoginResult } from './auth/sessions.ts'
import { generateSecretToken, hashSecret } from './auth/tokens.ts'
import { EmailTaken, InvitationInvalid } from './errors.ts'
import { lockAndReload, type RoleDeps } from './reauthorize.ts'
import { assertCanGrant } from './roles.ts'
import { InvitationId, type InvitationRequest, UserId } from './schemas.ts'
import {
  acceptOpenInvitation,
  hasOpenInvitation,
  type InvitationRow,
  insertInvitation,
} from './store/invitations.ts'
import { lockTeams, replaceTeamsOfUser } from './store/teams.ts'
import { findUserByEmail, insertUser } from './store/users.ts'
import { lockExistingTeams } from './users.ts'

const invitationTtlDays = 7

export async function createInvitation(
  deps: RoleDeps,
  tx: Tx,
  caller: Caller,
  input: Static<typeof InvitationRequest>,
): Promise<{ invitation: InvitationRow; token: string }> {
  assertCanGrant(await lockAndReload(deps, tx, caller), input.role, deps.roleScopes[input.role])
  if (await findUserByEmail(tx, caller.tenantId, input.email)) fail(EmailTaken)
  const teamIds = input.teamIds ?? []
  await lockExistingTeams(tx, caller.tenantId, teamIds)
  const { token, hash } = generateSecretToken('inv')
  const expiresAt = new Date(Date.parse(tx.now) + invitationTtlDays * 86_400_000).toISOString()
  const invitation: InvitationRow = {
    id: InvitationId.create(),
    email: input.email,
    role: input.role,
    expiresAt,
  }
  await insertInvitation(tx, caller.tenantId, {
    ...invitation,
    teamIds,
    tokenHash: hash,
    createdBy: caller.id,
  })
  await recordAudit(
    tx,
    caller,
    'user.invited',
    { type: 'invitation', id: invitation.id },
    { email: input.email, role: input.role },
  )
  return { invitation, token }
}

export async function acceptInvitation(
  deps: Deps,
  input: { token: string; name: string; password: string; address: string },
): Promise<LoginResult> {
  const tokenHash = hashSecret(input.token)
  // Checked before the expensive hash, so that guessed tokens cost little.
  if (!(await hasOpenInvitation(deps.db, tokenHash))) fail(InvitationInvalid, 'ask for a new invitation')
  const passwordHash = await hashPassword(input.password)
  return transact(deps.db, async tx => {
    const invitation =
      (await acceptOpenInvitation(tx, tokenHash)) ?? fail(InvitationInvalid, 'ask for a new invitation')
    const { tenantId, email, role } = invitation
    const id = UserId.create()
    try {
      await insertUser(tx, tenantId, {
        id,
        name: input.name,
        email,
        role,
        provider: 'password',
        passwordHash,
        invited: true,
      })
    } catch (error) {
      if (isUniqueViolation(error, 'users_email')) fail(EmailTaken, 'log in instead')
      throw error
    }
    // Teams that were deleted since are skipped.
    await replaceTeamsOfUser(tx, tenantId, id, [...(await lockTeams(tx, tenantId, invitation.teamIds))])
    await recordAudit(tx, { kind: 'user', id, tenantId }, 'user.joined', id, {
      role,
      invitationId: invitation.id,
    })
    tx.signal(callersChanged, tenantId)
    return createAuthSession(deps, tx, { tenantId, userId: id, address: input.address })
  })
}
