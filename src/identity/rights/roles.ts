/** Roles and their scopes. A role holds the scopes of every operation that lists the role. */
import { fail } from '../../platform/errors.ts'
import type { Caller, Role, Scope } from '../../platform/http/caller.ts'
import type { Route } from '../../platform/http/route.ts'
import { GrantExceedsCaller } from '../errors.ts'

export const roles = ['owner', 'admin', 'agent'] as const
/** The roles that an operation lists. */
export const everyone = [...roles] as const
export const managers = ['owner', 'admin'] as const

declare module '../../platform/http/caller.ts' {
  interface RoleNames extends Record<(typeof roles)[number], true> {}
}

export type RoleScopes = Readonly<Record<Role, ReadonlySet<Scope>>>

declare module '../../platform/deps.ts' {
  interface Deps {
    roleScopes: RoleScopes
  }
}

export function buildRoleScopes(routes: readonly Route[]): RoleScopes {
  return {
    owner: collectScopes(routes, 'owner'),
    admin: collectScopes(routes, 'admin'),
    agent: collectScopes(routes, 'agent'),
  }
}

function collectScopes(routes: readonly Route[], role: Role): ReadonlySet<Scope> {
  const scopes = routes.flatMap(({ access }) =>
    typeof access !== 'string' && access.roles.includes(role)
      ? [...access.scopes, ...(access.conditionalScopes ?? []).map(({ scope }) => scope)]
      : [],
  )
  return new Set(scopes.filter(scope => scope !== 'user:assign_role_owner' || role === 'owner'))
}

/** Returns the scopes of the role, or those of `narrowedTo` that the role holds. */
export function getEffectiveScopes(
  { roleScopes }: { roleScopes: RoleScopes },
  role: Role,
  narrowedTo: readonly Scope[] | null,
): ReadonlySet<Scope> {
  if (narrowedTo === null) return roleScopes[role]
  return new Set(narrowedTo.filter(scope => roleScopes[role].has(scope)))
}

const rank: Record<Role, number> = { agent: 0, admin: 1, owner: 2 }

/** Throws unless the caller's own role and scopes cover the role and scopes that they grant. */
export function assertCanGrant(caller: Caller, role: Role, scopes: ReadonlySet<Scope>): void {
  if (rank[role] > rank[caller.role])
    fail(GrantExceedsCaller, `your role is ${caller.role}; you cannot grant ${role}`)
  const missing = [...scopes].filter(scope => !caller.scopes.has(scope))
  if (missing.length > 0) fail(GrantExceedsCaller, `you do not hold ${missing.slice(0, 5).join(', ')}`)
}
