import { type Sql, sql } from '../platform/db/sql.ts'
import type { Caller } from '../platform/http/caller.ts'

export type Viewer = Pick<Caller, 'tenantId' | 'id' | 'role' | 'teamIds'>

/** Builds the condition for a table with the columns of `Sharing`. */
export function visibleTo({ id, role, teamIds }: Viewer): Sql {
  const ofTeam =
    role === 'agent' ? sql`(scope = 'team' and team_ids && ${teamIds}::text[])` : sql`scope = 'team'`
  return sql`(owner_id = ${id} or scope = 'workspace' or ${ofTeam})`
}
