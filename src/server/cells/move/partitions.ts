/** Creates the partitions of days that the source has and the target does not. */
import { queryable } from '../../../platform/db/db.ts'
import { toStatement } from '../../../platform/db/sql.ts'
import { logPartitions } from '../../../platform/events/partitions.ts'
import type { Session } from './session.ts'

export async function copyPartitions(source: Session, target: Session): Promise<void> {
  const [from, to] = [source, target].map(session =>
    queryable(async query => {
      const { text, values } = toStatement(query)
      const rows = await session.rows<never>(text, values)
      return { rows, rowCount: rows.length } as never
    }),
  )
  const days = await logPartitions.list(from!)
  await logPartitions.createMissing(to!, days)
}
