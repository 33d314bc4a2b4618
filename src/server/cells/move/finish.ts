/** The steps after the switch. Each can be repeated; a process of the service finishes the move of a driver that died. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../platform/db/sql.ts'
import { activate } from './activate.ts'
import { dropTriggers } from './capture.ts'
import { publishMoved } from './notify.ts'
import { removeRows } from './remove.ts'
import { limitStalls } from './session.ts'
import { changeState, deleteMove, findMove } from './store.ts'
import type { MoveObserver, MoveRequest, MoveSessions } from './types.ts'

/**
 * Until the rows in the source are deleted, a process that has not noticed the move reads them. Each process looks every
 * second.
 */
const graceMs = 15_000

type FinishObserver = Pick<MoveObserver, 'onRemoved' | 'onStep'>

export async function finishMove(
  request: MoveRequest,
  move: MoveSessions,
  observer: FinishObserver,
): Promise<void> {
  await takeOver(request, move)
  observer.onStep('moved')
  await cleanUp(move, observer)
}

/** Makes the workspace active in the target and tells everybody. */
async function takeOver({ home, from, to }: MoveRequest, move: MoveSessions): Promise<void> {
  const { source, target, tenantId, tables } = move
  await activate(target, tenantId, tables)
  await changeState(source, tenantId, 'switched', 'active')
  await home.db.run(sql`
    insert into directory_workspaces (tenant_id, cell) values (${tenantId}, ${to.name})
    on conflict (tenant_id) do update set cell = excluded.cell`)
  publishMoved([from.deps, home], { tenantId, cell: to.name })
  await limitStalls(source, 0)
}

/** Deletes what is left in the source. */
async function cleanUp({ source, tenantId, tables }: MoveSessions, observer: FinishObserver): Promise<void> {
  observer.onStep('waiting for the processes of the service')
  for (let row = await findMove(source, tenantId); row && row.age * 1_000 < graceMs; ) {
    await sleep(500)
    row = await findMove(source, tenantId)
  }
  observer.onStep('deleting the rows in the source')
  await removeRows(source, tenantId, tables, observer.onRemoved)
  await dropTriggers(source, tenantId)
  await deleteMove(source, tenantId)
}
