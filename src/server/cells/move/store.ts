/** SQL of the rows that record a move, one in each cell. */
import type { Session } from './session.ts'

export type MoveState = 'copying' | 'aborting' | 'switched' | 'active'

export interface MoveRow {
  tenantId: string
  direction: 'in' | 'out'
  /** The other cell. */
  cell: string
  state: MoveState
  isHeld: boolean
  /** Seconds since the last change. */
  age: number
}

export const moveColumns = `tenant_id as "tenantId", direction, cell, state, is_held as "isHeld",
  extract(epoch from now() - changed_at)::float8 as age`

export async function findMove(on: Session, tenantId: string): Promise<MoveRow | undefined> {
  const [row] = await on.rows<MoveRow>(`select ${moveColumns} from workspace_moves where tenant_id = $1`, [
    tenantId,
  ])
  return row
}

/** Records that the workspace leaves; keeps the record of an earlier run. */
export async function insertDeparture(source: Session, tenantId: string, to: string): Promise<void> {
  await source.run(
    `insert into workspace_moves (tenant_id, direction, cell, state, is_held) values ($1, 'out', $2, 'copying', false)
     on conflict (tenant_id) do nothing`,
    [tenantId, to],
  )
}

/** Records that the workspace arrives: until it is active, work for several workspaces leaves its rows out. */
export async function insertArrival(target: Session, tenantId: string, from: string): Promise<void> {
  await target.run(
    `insert into workspace_moves (tenant_id, direction, cell, state, is_held) values ($1, 'in', $2, 'copying', true)
     on conflict (tenant_id) do nothing`,
    [tenantId, from],
  )
}

export async function setHeld(source: Session, tenantId: string): Promise<void> {
  await source.run(`update workspace_moves set is_held = true, changed_at = now() where tenant_id = $1`, [
    tenantId,
  ])
}

/** Returns false if the move is not in the state before. */
export async function changeState(
  source: Session,
  tenantId: string,
  from: MoveState,
  to: MoveState,
): Promise<boolean> {
  const changed = await source.run(
    `update workspace_moves set state = $3, changed_at = now()
     where tenant_id = $1 and direction = 'out' and state = $2`,
    [tenantId, from, to],
  )
  return changed === 1
}

export async function deleteMove(on: Session, tenantId: string): Promise<void> {
  await on.run('delete from workspace_move_changes where tenant_id = $1', [tenantId])
  await on.run('delete from workspace_move_progress where tenant_id = $1', [tenantId])
  await on.run('delete from workspace_move_rows where tenant_id = $1', [tenantId])
  await on.run('delete from workspace_moves where tenant_id = $1', [tenantId])
}
