import type { Tx } from '../../../platform/db/db.ts'
import { notMoving } from '../../../platform/db/moving.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Run } from '../../engine/run/run.ts'
import { columns } from './run-columns.ts'
import { countEnded } from './runs.ts'

export async function deleteContactRuns(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<void> {
  const runs = await tx.rows<Run>(sql`
    with deleted as (
      delete from workflow_runs r where r.tenant_id = ${tenantId} and r.contact_id = any(${contactIds}) returning ${columns}
    ), members as (
      delete from segment_memberships where tenant_id = ${tenantId} and contact_id = any(${contactIds})
    ), steps as (
      delete from workflow_steps s using deleted where s.tenant_id = ${tenantId} and s.run_id = deleted.id
    )
    select * from deleted where status in ('running', 'waiting')`)
  // Runs that were in progress have left their node.
  await countEnded(
    tx,
    runs.map(run => ({ ...run, status: 'cancelled', updatedAt: tx.now })),
  )
}

/**
 * Deletes the steps of at most `limit` runs that ended before the given time, and the runs themselves unless they prove
 * that a contact has entered with `once`, or that a bot has started in an open session. Returns the number of processed
 * runs.
 */
export async function purgeEndedRuns(tx: Tx, endedBefore: string, limit: number): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with ended as materialized (
      select r.tenant_id, r.id,
        (r.entry_mode = 'once' and exists (
          select from workflows w
          where w.tenant_id = r.tenant_id and w.id = r.workflow_id and w.deleted_at is null))
        or coalesce(r.reenter_at > ${tx.now}, false)
        or exists (
          select from conversation_sessions s
          where s.tenant_id = r.tenant_id and s.id = r.session_id and s.closed_at is null) as must_keep
      from workflow_runs r
      where r.ended_at < ${endedBefore} and r.ended_at is not null and r.details_purged_at is null
        and ${notMoving('r.tenant_id')}
      order by r.ended_at limit ${limit} for update of r skip locked
    ), steps as (
      delete from workflow_steps s using ended where s.tenant_id = ended.tenant_id and s.run_id = ended.id
    ), purged as (
      update workflow_runs r set details_purged_at = ${tx.now} from ended
      where r.tenant_id = ended.tenant_id and r.id = ended.id and ended.must_keep
    ), deleted as (
      delete from workflow_runs r using ended
      where r.tenant_id = ended.tenant_id and r.id = ended.id and not ended.must_keep
    )
    select count(*) as n from ended`)
  return n
}
