/**
 * Moves a workspace to another cell while it works: copies its rows and applies what is written meanwhile, pauses its
 * writes for seconds, and switches. The commit point is one row of the source. A driver that dies before it has changed
 * nothing that counts, and the next one continues; after it every step can be repeated, by any process (`finish.ts`).
 */
import { ensurePartitions } from '../../../webhooks/partitions.ts'
import { abortMove } from './abort.ts'
import { createTriggers } from './capture.ts'
import { assertSameShape, readTables } from './catalog.ts'
import { applyChanges } from './changes.ts'
import { copyTables } from './copy.ts'
import { graceSeconds } from './departures.ts'
import { withDriverLock } from './driver.ts'
import { takeOver } from './finish.ts'
import { copyPartitions } from './partitions.ts'
import { pauseAndSwitch } from './pause.ts'
import { resumeWork } from './queues.ts'
import { MoveRefused } from './session.ts'
import { findMove, insertArrival, insertDeparture } from './store.ts'
import type { MoveObserver, MoveRequest, MoveSessions } from './types.ts'
import { verifyTables } from './verify.ts'

export async function moveWorkspace(request: MoveRequest, observer: MoveObserver): Promise<void> {
  const { tenantId, to } = request
  await withDriverLock(request, async (source, target) => {
    const known = await findMove(source, tenantId)
    if (known && known.cell !== to.name)
      throw new MoveRefused(`the workspace is being moved to ${known.cell}; continue or abort that`)
    if (known?.state === 'aborting') throw new MoveRefused('the move is being aborted; run --abort again')
    const tables = await readTables(source)
    assertSameShape(tables, await readTables(target))
    const move = { tenantId, source, target, tables }
    const isSwitched = known?.state === 'switched' || known?.state === 'active'
    const pausedAt = isSwitched ? undefined : await copyAndSwitch(request, move, observer)
    observer.onStep('switched')
    await takeOver(request, move)
    if (pausedAt !== undefined)
      observer.onPaused({ ms: Math.round(performance.now() - pausedAt), switched: true })
  })
}

/** Undoes a move that has not switched yet. */
export async function abortWorkspaceMove(request: MoveRequest, observer: MoveObserver): Promise<void> {
  await withDriverLock(request, async (source, target) =>
    abortMove({ tenantId: request.tenantId, source, target, tables: await readTables(target) }, observer),
  )
}

async function copyAndSwitch(
  request: MoveRequest,
  move: MoveSessions,
  observer: MoveObserver,
): Promise<number> {
  const { tenantId, source, target, tables } = move
  await assertMovable(request, move)
  await insertArrival(target, tenantId, request.from.name)
  await insertDeparture(source, tenantId, request.to.name)
  // An earlier driver may have died in the pause.
  await resumeWork(source, tenantId)
  observer.onStep('capturing changes')
  await createTriggers(source, tenantId, tables)
  await ensurePartitions(request.to.deps)
  await copyPartitions(source, target)
  observer.onStep('copying')
  await copyTables(move, observer.onCopied)
  await catchUp(move)
  observer.onStep('verifying')
  await verifyTables(move, observer.onVerified)
  return pauseAndSwitch(move, { observer, catchUp: () => catchUp(move) })
}

async function assertMovable({ from, to }: MoveRequest, { tenantId, source, target }: MoveSessions) {
  const [there] = await source.rows('select from tenants where id = $1', [tenantId])
  if (!there) throw new MoveRefused(`the cell ${from.name} has no workspace ${tenantId}`)
  const [arriving] = await target.rows<{ direction: string; cell: string }>(
    'select direction, cell from workspace_moves where tenant_id = $1',
    [tenantId],
  )
  if (arriving && (arriving.direction !== 'in' || arriving.cell !== from.name))
    throw new MoveRefused(
      `the cell ${to.name} still has the rows of an earlier move, which workers delete after ${graceSeconds / 60} minutes`,
    )
  const [existing] = await target.rows('select from tenants where id = $1', [tenantId])
  if (existing) throw new MoveRefused(`the cell ${to.name} has the workspace already`)
}

/** As many as are applied well within the pause. */
const fewChanges = 1_500
const maxRounds = 10_000

async function catchUp(move: MoveSessions): Promise<void> {
  for (let round = 0; round < maxRounds; round++) if ((await applyChanges(move)) < fewChanges) return
}
