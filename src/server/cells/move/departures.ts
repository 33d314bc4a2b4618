/** Reads which workspaces leave a cell or have left it. The table is empty unless one moves. */
import type { Queryable } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { type MoveRow, moveColumns } from './store.ts'

export function findDepartures(on: Queryable): Promise<MoveRow[]> {
  return on.rows<MoveRow>(
    sql`select ${raw(moveColumns)} from workspace_moves where direction = 'out' order by tenant_id`,
  )
}
