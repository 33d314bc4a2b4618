/** Who sees which campaigns: owners and admins all, agents those without an inbox, or whose inbox is no other team's. */
import { raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'

export type Viewer = Pick<Caller, 'tenantId' | 'role' | 'teamIds'>

/** For statements in which `c` is campaigns. */
export function visibleTo(viewer: Viewer): Sql {
  if (viewer.role !== 'agent') return raw('true')
  return sql`coalesce((
    select i.team_id is null or i.team_id = any(${viewer.teamIds})
    from inboxes i where i.tenant_id = c.tenant_id and i.id = c.inbox_id), true)`
}
