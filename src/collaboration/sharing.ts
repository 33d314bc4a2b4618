/**
 * With whom a saved reply or a view is shared: nobody, teams, or the whole workspace. Private rows are seen by their owner
 * only, those of teams by the members and by owners and admins.
 */
import Type from 'typebox'
import { lockExistingTeams } from '../identity/users/users.ts'
import type { Tx } from '../platform/db/db.ts'
import { fail, invalid, violation } from '../platform/errors.ts'
import type { ChangeAudience } from '../platform/events/changed.ts'
import type { Caller } from '../platform/http/caller.ts'
import { AnyId, literals } from '../platform/http/schemas.ts'
import { SharingForbidden } from './errors.ts'

export const scopes = ['me', 'team', 'workspace'] as const

export interface Sharing {
  scope: (typeof scopes)[number]
  teamIds: string[]
  /** The user or service account of a private row; empty when it is shared. */
  ownerId: string
}

export const sharingFields = {
  scope: literals(scopes, { description: 'who sees it: only you, teams, or everyone' }),
  teamIds: Type.Array(AnyId, { description: 'for the scope team' }),
}

export const newSharingFields = {
  scope: Type.Optional(
    literals(scopes, { description: 'who sees it: only you (default), teams, or everyone' }),
  ),
  teamIds: Type.Optional(
    Type.Array(AnyId, { maxItems: 50, uniqueItems: true, description: 'required for the scope team' }),
  ),
}

/** `members`: members of all its teams change a row that is shared with teams; `managers`: only owners and admins. */
export type TeamEditors = 'members' | 'managers'

const isManager = ({ role }: Caller): boolean => role !== 'agent'

/** Returns who will see a row. Throws unless the caller may share it so. */
export async function resolveSharing(
  tx: Tx,
  caller: Caller,
  { scope = 'me', teamIds }: { scope?: Sharing['scope'] | undefined; teamIds?: string[] | undefined },
  editors: TeamEditors,
): Promise<Sharing> {
  if (scope !== 'team' && teamIds !== undefined && teamIds.length > 0)
    invalid(violation('teamIds', 'not_allowed', 'must be left out unless the scope is team'))
  if (scope === 'team' && !teamIds?.length)
    invalid(violation('teamIds', 'required', 'must have a team: the scope is team'))
  const sharing = { scope, teamIds: teamIds ?? [], ownerId: scope === 'me' ? caller.id : '' }
  assertCanEdit(caller, sharing, editors)
  if (sharing.teamIds.length > 0) await lockExistingTeams(tx, caller.tenantId, sharing.teamIds)
  return sharing
}

/**
 * Returns who will see a changed row. A scope other than team has no teams, so the stored teams are kept only while the
 * scope stays.
 */
export async function patchSharing(
  tx: Tx,
  caller: Caller,
  before: Sharing,
  patch: { scope?: Sharing['scope']; teamIds?: string[] },
  editors: TeamEditors,
): Promise<Sharing> {
  const { scope: beforeScope, teamIds: beforeTeams, ownerId } = before
  if (!patch.scope && !patch.teamIds) return { scope: beforeScope, teamIds: beforeTeams, ownerId }
  const scope = patch.scope ?? beforeScope
  const teamIds = patch.teamIds ?? (scope === 'team' ? beforeTeams : [])
  return resolveSharing(tx, caller, { scope, teamIds }, editors)
}

/** Throws unless the caller may change a row that they see. */
export function assertCanEdit(caller: Caller, { scope, teamIds }: Sharing, editors: TeamEditors): void {
  if (scope === 'me' || isManager(caller)) return
  if (scope === 'workspace') fail(SharingForbidden, 'only owners and admins change what everyone sees')
  if (editors === 'managers') fail(SharingForbidden, 'only owners and admins change what a team sees')
  if (!teamIds.every(id => caller.teamIds.includes(id)))
    fail(SharingForbidden, 'you must be a member of every team that it is shared with')
}

/** Returns who sees a row before or after a change; undefined: the whole workspace. */
export function toChangeAudience(...states: readonly Sharing[]): ChangeAudience | undefined {
  if (states.some(({ scope }) => scope === 'workspace')) return undefined
  return {
    userIds: states.map(({ ownerId }) => ownerId).filter(id => id !== ''),
    teamIds: states.flatMap(({ teamIds }) => teamIds),
    private: states.every(({ scope }) => scope === 'me'),
  }
}
