/** Owners and admins see all conversations; agents see those without a team, of their teams, or assigned to them. */
import { raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { ConversationAudience } from './events.ts'

export type Viewer = Pick<Caller, 'tenantId' | 'id' | 'role' | 'teamIds'>

/** Builds the condition for statements in which `s` is conversation_states. */
export function visibleTo(viewer: Viewer): Sql {
  if (viewer.role !== 'agent') return raw('true')
  return sql`(s.team_id is null or s.team_id = any(${viewer.teamIds}) or (s.owner_type = 'user' and s.owner_id = ${viewer.id}))`
}

/** Evaluates the same condition for a row. */
export function canSee({ role, id, teamIds }: Viewer, { teamId, ownerType, ownerId }: Assignment): boolean {
  if (role !== 'agent' || teamId === null || teamIds.includes(teamId)) return true
  return ownerType === 'user' && ownerId === id
}

/** A new session belongs to the team of its inbox: who opens it must be able to see it. */
export function canOpen(viewer: Viewer, { teamId }: { teamId: string | null }): boolean {
  return canSee(viewer, { teamId, ownerType: null, ownerId: null })
}

export interface Assignment {
  teamId: string | null
  ownerType: string | null
  ownerId: string | null
}

/** Undefined when all users of the workspace may receive the event. */
export function toAudience({ teamId, ownerType, ownerId }: Assignment): ConversationAudience | undefined {
  if (teamId === null) return undefined
  return { teamIds: [teamId], userIds: ownerType === 'user' && ownerId ? [ownerId] : [] }
}
