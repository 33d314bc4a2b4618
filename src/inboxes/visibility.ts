/** Agents see inboxes without a team and those of their teams; others see all. */
import type { Queryable } from '../platform/db/db.ts'
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

/** Returns the teams whose agents see one of the inboxes; undefined if all agents do. Null is a campaign without inbox. */
export async function findInboxTeams(
  on: Queryable,
  tenantId: string,
  inboxIds: readonly (string | null)[],
): Promise<{ teamIds: string[] } | undefined> {
  const ids = [...new Set(inboxIds)]
  if (ids.includes(null)) return undefined
  const teamIds = await on.values<string | null>(sql`
    select team_id from inboxes where tenant_id = ${tenantId} and id = any(${ids})`)
  if (teamIds.length < ids.length || teamIds.includes(null)) return undefined
  return { teamIds: teamIds as string[] }
}
