/** Deletes the rows of a workspace in the cell that does not have it, in batches. Repeating it is harmless. */
import type { MovedTable } from './catalog.ts'
import { quote, type Session } from './session.ts'

const batchSize = 2_000

export async function removeRows(
  on: Session,
  tenantId: string,
  tables: readonly MovedTable[],
  onProgress: (progress: { table: string; rows: number }) => void = () => {},
): Promise<void> {
  // Jobs are found through their lanes.
  for (const table of [...tables].sort((a, b) => Number(b.name === 'jobs') - Number(a.name === 'jobs'))) {
    let rows = 0
    for (let deleted = batchSize; deleted === batchSize; ) {
      deleted = await on.run(toDelete(table), [tenantId])
      rows += deleted
    }
    if (rows > 0) onProgress({ table: table.name, rows })
  }
}

function toDelete({ name, key }: MovedTable): string {
  if (name === 'tenants') return 'delete from tenants where id = $1'
  if (name === 'jobs')
    return `delete from jobs where (lane_id, id) in (
      select j.lane_id, j.id from job_lanes l join jobs j on j.lane_id = l.id where l.tenant_id = $1 limit ${batchSize})`
  // A partitioned table has the same row addresses in each partition.
  const address = key.length > 0 ? key.map(column => quote(column.name)).join(', ') : 'tableoid, ctid'
  return `delete from ${quote(name)} where tenant_id = $1 and (${address}) in (
    select ${address} from ${quote(name)} where tenant_id = $1 limit ${batchSize})`
}
