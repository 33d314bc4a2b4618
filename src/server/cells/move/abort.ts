/** Undoes a move before the switch: the source works on as if nothing had happened, and the target's rows are deleted. */
import { dropTriggers } from './capture.ts'
import { resumeWork } from './queues.ts'
import { removeRows } from './remove.ts'
import { MoveRefused } from './session.ts'
import { changeState, deleteMove, findMove } from './store.ts'
import type { MoveObserver, MoveSessions } from './types.ts'

export async function abortMove(
  { source, target, tenantId, tables }: MoveSessions,
  observer: Pick<MoveObserver, 'onRemoved' | 'onStep'>,
): Promise<void> {
  const known = await findMove(source, tenantId)
  if (known?.direction !== 'out') throw new MoveRefused('the workspace is not being moved')
  if (known.state === 'switched' || known.state === 'active')
    throw new MoveRefused('the workspace has moved already; run the move again to finish it')
  await changeState(source, tenantId, 'copying', 'aborting')
  await resumeWork(source, tenantId)
  await dropTriggers(source, tenantId)
  observer.onStep('deleting the rows in the target')
  await removeRows(target, tenantId, tables, observer.onRemoved)
  await deleteMove(target, tenantId)
  await deleteMove(source, tenantId)
}
