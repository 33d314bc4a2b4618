/**
 * Decides which contacts a caller may see. Owners and admins see all contacts. An agent sees contacts without a
 * conversation, and contacts with at least one conversation that has no team, a team of the agent, or the agent as owner.
 */
import { raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'

export type Viewer = Pick<Caller, 'id' | 'role' | 'teamIds' | 'tenantId'>

export function canSeeAll(viewer: Viewer): boolean {
  return viewer.role !== 'agent'
}

/** Builds a condition on the conversation `v`: it is visible to the agent. */
export function isAssignedTo({ teamIds, id }: Viewer): Sql {
  return sql`v.team_id is null or v.team_id = any(${teamIds}) or v.owner_id is not distinct from ${id}`
}

/** Builds a condition on the contact `c`: it is visible to the viewer. */
export function visibleTo(viewer: Viewer): Sql {
  if (canSeeAll(viewer)) return raw('true')
  return sql`coalesce((
    select bool_or(${isAssignedTo(viewer)})
    from contact_conversations v where v.tenant_id = c.tenant_id and v.contact_id = c.id), true)`
}

/** Selects the contacts that an agent sees because of a conversation. */
export function selectAssignedContactIds({ tenantId, teamIds, id }: Viewer): Sql {
  const conversations = sql`select contact_id from contact_conversations where tenant_id = ${tenantId}`
  return sql`${conversations} and team_id = any(${teamIds})
    union all ${conversations} and owner_id = ${id}
    union all ${conversations} and team_id is null`
}

/** Selects all contacts that an agent sees: the assigned ones and those without a conversation. */
export function selectVisibleContactIds(viewer: Viewer): Sql {
  return sql`${selectAssignedContactIds(viewer)}
    union all select contact_id from contact_activity
    where tenant_id = ${viewer.tenantId} and conversation_count = 0`
}
