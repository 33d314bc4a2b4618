/**
 * Looks in each process which workspaces have left a cell: their sockets end and continue in the other cell. Completes
 * the moves of drivers that died: work that was stopped for the pause resumes, and a switch is finished.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { workspaceMoved } from '../../../platform/db/moving.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import type { Cell } from '../cell.ts'
import { assertSameShape, readTables } from './catalog.ts'
import { findDepartures } from './departures.ts'
import { tryDriverLock } from './driver.ts'
import { finishMove } from './finish.ts'
import { onMoved } from './notify.ts'
import { resumeWork } from './queues.ts'
import { lockKey, openSession } from './session.ts'
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
  age > minAgeSeconds && (state === 'switched' || state === 'active' || isHeld)

async function isDriverGone({ deps }: Cell, tenantId: string): Promise<boolean> {
  return (
    (await deps.db.value<boolean>(
      sql`select pg_try_advisory_xact_lock(${raw(lockKey('driver', tenantId))})`,
    )) ?? false
  )
}

async function complete(from: Cell, cells: readonly Cell[], { tenantId, cell }: MoveRow): Promise<void> {
  const { log } = from.deps
  const to = cells.find(each => each.name === cell)
  const source = await openSession(from.database.direct)
  try {
    if (!(await tryDriverLock(source, tenantId))) return
    const row = await findMove(source, tenantId)
    if (!row) return
    log.warn({ tenantId, state: row.state }, 'the process that moved a workspace has ended; completing')
    if (row.state === 'copying' || row.state === 'aborting') return await resumeWork(source, tenantId)
    if (!to?.isUsable) return
    const target = await openSession(to.database.direct)
    try {
      const tables = await readTables(source)
      assertSameShape(tables, await readTables(target))
      const request = { tenantId, from, to, home: from.deps.cells.home }
      await finishMove(
        request,
        { tenantId, source, target, tables },
        { onStep: () => {}, onRemoved: () => {} },
      )
      log.info({ tenantId, cell: to.name }, 'a workspace has moved')
    } finally {
      await target.end()
    }
  } finally {
    await source.end()
  }
}
