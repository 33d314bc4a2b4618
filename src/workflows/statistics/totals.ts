/** Facts about the workflows of a list besides their drafts: the published version, and the runs that entered and wait. */
import type { Queryable } from '../../platform/db/db.ts'
import { groupBy } from '../../platform/group-by.ts'
import { getStart } from '../definition/definition.ts'
import { listWorkflowCounts } from '../store/statistics/node-counts.ts'
import { countVersionsByWorkflow } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'

interface Totals {
  version: number | null
  counts: { entered: number; waiting: number }
}

/** Reads the totals of all rows in two statements, whatever their number. */
export async function getTotals(
  on: Queryable,
  tenantId: string,
  rows: readonly WorkflowRow[],
): Promise<(row: WorkflowRow) => Totals> {
  const ids = rows.map(row => row.id)
  const [counts, versions] = await Promise.all([
    listWorkflowCounts(on, tenantId, ids),
    countVersionsByWorkflow(on, tenantId, ids),
  ])
  const byWorkflow = groupBy(counts, ({ workflowId }) => workflowId)
  return ({ id, definition }) => {
    const own = byWorkflow.get(id) ?? []
    const sum = (items: typeof own) => items.reduce((total, { count }) => total + count, 0)
    const entered = own.filter(({ metric }) => metric === 'entered')
    const startId = getStart(definition).node?.id
    const left = sum(own.filter(({ metric }) => metric === 'left'))
    return {
      version: versions.get(id) ?? null,
      counts: {
        entered: sum(entered.filter(({ nodeId }) => nodeId === startId)),
        waiting: Math.max(0, sum(entered) - left),
      },
    }
  }
}
