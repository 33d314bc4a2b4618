/**
 * What a role holds: the scopes of every operation that lists it. Read from the tables of operations, which a test
 * holds against the routes, so that a scope exists before the first route that asks for it.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fail } from '../platform/errors.ts'
import type { Caller, Role, Scope } from '../platform/http/caller.ts'
import { projectRoot } from '../platform/project-root.ts'
import { GrantExceedsCaller } from './errors.ts'

interface Operation {
  scopes?: Scope[]
  roles?: Role[]
  conditionalScopes?: { scope: Scope }[]
}

const specDirectory = path.join(projectRoot, 'test/contract/spec')
const operations = ['operations.json', 'extensions.json'].flatMap(
  file => JSON.parse(readFileSync(path.join(specDirectory, file), 'utf8')) as Operation[],
)

function collectScopes(role: Role): ReadonlySet<Scope> {
  const scopes = operations
    .filter(operation => operation.roles?.includes(role))
    .flatMap(operation => [
      ...(operation.scopes ?? []),
      ...(operation.conditionalScopes ?? []).map(one => one.scope),
    ])
    .filter(scope => scope !== 'user:assign_role_owner' || role === 'owner')
  return new Set(scopes)
}

export const roleScopes: Record<Role, ReadonlySet<Scope>> = {
  owner: collectScopes('owner'),
  admin: collectScopes('admin'),
  agent: collectScopes('agent'),
}

/** A service account with `scopes` holds only those; nobody holds more than their role. */
export function getEffectiveScopes(role: Role, narrowedTo: readonly Scope[] | null): ReadonlySet<Scope> {
  if (narrowedTo === null) return roleScopes[role]
  return new Set(narrowedTo.filter(scope => roleScopes[role].has(scope)))
}

const rank: Record<Role, number> = { agent: 0, admin: 1, owner: 2 }

/** Nobody makes an account, a key or an invitation that can do more than they can. */
export function assertCanGrant(caller: Caller, role: Role, scopes: ReadonlySet<Scope>): void {
  if (rank[role] > rank[caller.role])
    fail(GrantExceedsCaller, `your role is ${caller.role}; you cannot grant ${role}`)
  const missing = [...scopes].filter(scope => !caller.scopes.has(scope))
  if (missing.length > 0) fail(GrantExceedsCaller, `you do not hold ${missing.slice(0, 5).join(', ')}`)
}
