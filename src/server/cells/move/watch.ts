/**
 * Looks in each process which workspaces have left a cell: their sockets end and continue in the other cell. Completes
 * the moves of drivers that died: work that was stopped for the pause resumes, and a switch is finished.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { workspaceMoved } from '../../../platform/db/moving.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import type { Cell } from '../cell.ts'
import { assertSameShape, readTables } from './catalog.ts'
import { findDepartures, graceSeconds } from './departures.ts'
import { tryDriverLock } from './driver.ts'
import { cleanUp, takeOver } from './finish.ts'
import { onMoved } from './notify.ts'
import { resumeWork } from './queues.ts'
import { lockKey, openSession, type Session } from './session.ts'
import { findMove, type MoveRow } from './store.ts'

const intervalMs = 1_000
/** The driver may be about to take its lock again. */
const minAgeSeconds = 2

export interface WatchOptions {
  cells: readonly Cell[]
  /** Whether the process completes moves. */
  completes: boolean
}

/** Returns a function that stops watching. */
export function watchMoves(cell: Cell, { cells, completes }: WatchOptions): () => void {
  const { deps } = cell
  let stopped = false
  const relocate = (tenantId: string, name: string) => {
    deps.cells.relocate(tenantId, name)
    deps.db.signals.emit(workspaceMoved, tenantId)
  }
  const stopListening = onMoved(deps.bus, moved => {
    if (moved.cell !== cell.name) relocate(moved.tenantId, moved.cell)
  })

  async function look(): Promise<void> {
    for (const row of await findDepartures(deps.db)) {
      if (row.state === 'active') relocate(row.tenantId, row.cell)
      if (completes && isAbandoned(row) && (await isDriverGone(cell, row.tenantId)))
        await complete(cell, cells, row)
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      await sleep(intervalMs, undefined, { ref: false })
      if (stopped || !cell.isUsable) continue
      await look().catch(error => {
        if (!stopped) deps.log.warn({ err: error }, 'watching the moves of workspaces failed; retrying')
      })
    }
  }

  void loop()
  return () => {
    stopped = true
    stopListening()
  }
}

const isAbandoned = ({ state, isHeld, age }: MoveRow): boolean =>
  state === 'active' ? age > graceSeconds : age > minAgeSeconds && (state === 'switched' || isHeld)

async function isDriverGone({ deps }: Cell, tenantId: string): Promise<boolean> {
  return (
    (await deps.db.value<boolean>(
      sql`select pg_try_advisory_xact_lock(${raw(lockKey('driver', tenantId))})`,
    )) ?? false
  )
}

async function complete(from: Cell, cells: readonly Cell[], { tenantId, cell }: MoveRow): Promise<void> {
  const source = await openSession(from.database.direct)
  try {
    if (!(await tryDriverLock(source, tenantId))) return
    const row = await findMove(source, tenantId)
    if (row?.state === 'copying' || row?.state === 'aborting') await resumeWork(source, tenantId)
    if (row?.state === 'switched') await completeSwitch(from, cells, { source, tenantId, cell })
    if (row?.state === 'active') {
      await cleanUp({ source, tenantId, tables: await readTables(source) })
      from.deps.log.info({ tenantId, cell }, 'deleted the rows of a workspace that has moved')
    }
  } finally {
    await source.end()
  }
}

async function completeSwitch(
  from: Cell,
  cells: readonly Cell[],
  { source, tenantId, cell }: { source: Session; tenantId: string; cell: string },
): Promise<void> {
  const to = cells.find(each => each.name === cell)
  if (!to?.isUsable) return
  const target = await openSession(to.database.direct)
  try {
    const tables = await readTables(target)
    assertSameShape(tables, await readTables(source))
    await takeOver({ tenantId, from, to, home: from.deps.cells.home }, { tenantId, source, target, tables })
    from.deps.log.warn({ tenantId, cell }, 'completed the move of a workspace after its driver had ended')
  } finally {
    await target.end()
  }
}
