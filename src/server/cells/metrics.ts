/** Counts and gauges of the cells of a process. With one cell they have no label `cell`. */
import { onCounted } from '../../platform/counters.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { addGauges } from '../gauges.ts'
import type { CellWork } from './work.ts'

export function observeCells(
  works: readonly CellWork[],
  metrics: Metrics,
  { isWorker }: { isWorker: boolean },
): void {
  for (const { cell } of works) onCounted(cell.deps.db, count => metrics.count(cell.name, count))
  if (isWorker)
    addGauges(
      works.map(({ cell }) => cell),
      metrics,
    )
  metrics.addCellGauge(
    'parley_installation_adopted',
    '0: a copy that sends nothing, see `parley adopt`',
    [],
    async () =>
      works.map(work => ({ cell: work.cell.name, value: work.getObstacle() === undefined ? 1 : 0 })),
  )
  const replicated = works.filter(({ cell }) => cell.deps.db.isReplicaUsable !== undefined)
  if (replicated.length > 0)
    metrics.addCellGauge('parley_replica_usable', '0: the primary serves all reads', [], async () =>
      replicated.map(({ cell }) => ({ cell: cell.name, value: cell.deps.db.isReplicaUsable ? 1 : 0 })),
    )
  if (works.length > 1)
    metrics.addCellGauge('parley_cell_usable', '0: the workspaces of the cell are not served', [], async () =>
      works.map(({ cell }) => ({ cell: cell.name, value: cell.isUsable ? 1 : 0 })),
    )
}
