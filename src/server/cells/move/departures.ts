/** Reads which workspaces leave a cell or have left it. The table is empty unless one moves. */
import type { Queryable } from '../../../platform/db/db.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { type MoveRow, moveColumns } from './store.ts'

/**
 * For so long after a move the rows in the source are kept: an export or another long read that began before continues. A
 * process that has not noticed the move reads them, too, but each looks every second.
 */
export const graceSeconds = 600

export function findDepartures(on: Queryable): Promise<MoveRow[]> {
  return on.rows<MoveRow>(
    sql`select ${raw(moveColumns)} from workspace_moves where direction = 'out' order by tenant_id`,
  )
}
