/** Agents see campaigns without an inbox, on an inbox without a team, or on an inbox of their teams; others see all. */
import { raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'

export type Viewer = Pick<Caller, 'tenantId' | 'role' | 'teamIds'>

/** Predicate on `campaigns c`. */
export function visibleTo(viewer: Viewer): Sql {
  if (viewer.role !== 'agent') return raw('true')
  return sql`coalesce((
    select i.team_id is null or i.team_id = any(${viewer.teamIds})
    from inboxes i where i.tenant_id = c.tenant_id and i.id = c.inbox_id), true)`
}
