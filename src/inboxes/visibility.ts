/** Agents see inboxes without a team and those of their teams; others see all. */
import { raw, type Sql, sql } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'

export type InboxViewer = Pick<Caller, 'tenantId' | 'role' | 'teamIds'>

/** Predicate on `campaigns c`, which have an inbox or none yet. */
export function hasVisibleInbox(viewer: InboxViewer): Sql {
  if (viewer.role !== 'agent') return raw('true')
  return sql`coalesce((
    select i.team_id is null or i.team_id = any(${viewer.teamIds})
    from inboxes i where i.tenant_id = c.tenant_id and i.id = c.inbox_id), true)`
}
