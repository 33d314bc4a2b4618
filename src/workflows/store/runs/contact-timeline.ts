import { isAfterPlace, type TimelinePage } from '../../../platform/contributions/timeline-parts.ts'
import type { Queryable } from '../../../platform/db/db.ts'
import { inlineLimit, sql } from '../../../platform/db/sql.ts'
import type { RunStatus } from '../../nodes/node-type.ts'

export interface RunEntry {
  type: 'journey_started' | 'journey_ended'
  id: string
  at: string
  runId: string
  journeyId: string
  journeyName: string | null
  status: RunStatus
  endReason: string | null
}

/** Reads the runs of the contact by their index; `stop` sorts after `start` in the same millisecond. */
export function listRunEntries(
  on: Queryable,
  tenantId: string,
  contactId: string,
  page: TimelinePage,
): Promise<RunEntry[]> {
  return on.rows(sql`
    with page as materialized (
      select e.type, e.id, e.at, r.id as run_id, r.workflow_id, r.status, r.end_reason
      from workflow_runs r cross join lateral (
        values ('journey_started', r.id || ':start', r.started_at), ('journey_ended', r.id || ':stop', r.ended_at)
      ) e (type, id, at)
      where r.tenant_id = ${tenantId} and r.contact_id = ${contactId} and r.kind = 'journey' and e.at is not null
        and ${isAfterPlace(page, 'e.at', 'e.id')}
      order by e.at desc, e.id desc limit ${inlineLimit(page.limit)}
    )
    select p.type, p.id, p.at, p.run_id as "runId", p.workflow_id as "journeyId", (
        select w.name from workflows w where w.tenant_id = ${tenantId} and w.id = p.workflow_id and w.deleted_at is null
      ) as "journeyName", p.status, p.end_reason as "endReason"
    from page p order by p.at desc, p.id desc`)
}
