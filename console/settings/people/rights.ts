/** The rules of roles, as the service has them: why a control is disabled. */
import { getSignedIn } from '../../api/session.ts'
import type { User } from './people.ts'
import { texts } from './texts.ts'

export type Role = User['role']

export const roles: readonly Role[] = ['owner', 'admin', 'agent']

/** Returns the roles that the user may assign. */
export function listAssignable(): Role[] {
  const { me } = getSignedIn()
  return roles.filter(
    role => (role !== 'owner' || me.role === 'owner') && me.scopes.includes(`user:assign_role_${role}`),
  )
}

/** Returns why the role of the member cannot be changed and the member cannot be disabled. */
export function explainLocked(user: User, users: readonly User[]): string | undefined {
  const { me } = getSignedIn()
  const owners = users.filter(({ role, disabled }) => role === 'owner' && !disabled)
  if (user.role === 'owner' && !user.disabled && owners.length === 1) return texts().why.lastOwner
  if (user.id === me.id) return texts().why.self
  if (user.role === 'owner' && me.role !== 'owner') return texts().why.owner
  return undefined
}
