/** Makes the person of an accepted invitation a user of the workspace, or enables the disabled user with the address. */
import { isUniqueViolation, type Tx } from '../../platform/db/db.ts'
import { fail } from '../../platform/errors.ts'
import { emitChanged } from '../../platform/events/changed.ts'
import { recordAudit } from '../audit.ts'
import { EmailTaken } from '../errors.ts'
import { callersChanged } from '../rights/reauthorize.ts'
import { UserId } from '../schemas.ts'
import { deleteOpenInvitationsFor, type OpenInvitation } from '../store/invitations.ts'
import { deleteSecondFactor } from '../store/second-factors.ts'
import { lockTeams, replaceTeamsOfUser } from '../store/teams.ts'
import { insertUser, type NewUser, reviveUser } from '../store/users.ts'

type Login = Pick<NewUser, 'name' | 'provider' | 'subject' | 'passwordHash'>

export async function joinWorkspace(tx: Tx, invitation: OpenInvitation, login: Login): Promise<string> {
  const { tenantId, email, role } = invitation
  const user = { ...login, email, role, invited: true }
  const revived = await reviveUser(tx, tenantId, user)
  const id = revived?.id ?? (await createUser(tx, tenantId, user))
  if (revived) await deleteSecondFactor(tx, tenantId, id)
  await deleteOpenInvitationsFor(tx, tenantId, email)
  // Teams that were deleted since are skipped.
  await replaceTeamsOfUser(tx, tenantId, id, [...(await lockTeams(tx, tenantId, invitation.teamIds))])
  await recordAudit(tx, { kind: 'user', id, tenantId }, 'user.joined', id, {
    role,
    invitationId: invitation.id,
    ...(revived ? { enabled: true } : {}),
  })
  await emitChanged(tx, tenantId, { kind: 'user', id })
  tx.signal(callersChanged, tenantId)
  return id
}

async function createUser(tx: Tx, tenantId: string, user: Omit<NewUser, 'id'>): Promise<string> {
  const id = UserId.create()
  try {
    await insertUser(tx, tenantId, { id, ...user })
  } catch (error) {
    if (isUniqueViolation(error, 'users_email')) fail(EmailTaken, 'log in instead')
    throw error
  }
  return id
}
