import type { Queryable } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LogEvent } from '../../platform/events/event.ts'

/** How far back in the log of a workspace it looks. */
const maxEventsScanned = 2_000

/** The newest first. */
export function listLatestEvents(
  on: Queryable,
  tenantId: string,
  types: readonly string[],
): Promise<LogEvent[]> {
  return on.rows<LogEvent>(sql`
    select event_id as id, tenant_id as "tenantId", seq, type, at as timestamp, data, audience,
      causation_depth as "causationDepth"
    from event_log
    where tenant_id = ${tenantId} and type = any(${types})
      and seq > (select seq from event_heads where tenant_id = ${tenantId}) - ${maxEventsScanned}
    order by seq desc`)
}
