/** The steps after the switch. Each can be repeated; workers of the service finish the move of a driver that died. */
import { sql } from '../../../platform/db/sql.ts'
import { publishForgotten } from '../directory.ts'
import { activate } from './activate.ts'
import { dropTriggers } from './capture.ts'
import { publishMoved } from './notify.ts'
import { removeRows } from './remove.ts'
import { limitStalls, lockKey } from './session.ts'
import { changeState, deleteMove } from './store.ts'
import type { MoveRequest, MoveSessions } from './types.ts'

/** Makes the workspace active in the target and announces it. */
export async function takeOver({ home, from, to }: MoveRequest, move: MoveSessions): Promise<void> {
  const { source, target, tenantId, tables } = move
  await activate(target, tenantId, tables)
  await changeState(source, tenantId, 'switched', 'active')
  await home.db.run(sql`
    insert into directory_workspaces (tenant_id, cell) values (${tenantId}, ${to.name})
    on conflict (tenant_id) do update set cell = excluded.cell`)
  publishForgotten(home, tenantId)
  publishMoved(from.deps, { tenantId, cell: to.name })
  await limitStalls(source, 0)
  // Writes of processes that have not noticed learn the cell.
  await source.rows(`select pg_advisory_unlock(${lockKey('fence', tenantId)})`)
}

/** Deletes what is left in the source. */
export async function cleanUp({ source, tenantId, tables }: Omit<MoveSessions, 'target'>): Promise<void> {
  await removeRows(source, tenantId, tables)
  await dropTriggers(source, tenantId)
  await deleteMove(source, tenantId)
}
