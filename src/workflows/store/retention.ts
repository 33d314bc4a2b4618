import type { Tx } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export async function deleteContactRuns(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx.run(sql`
    with runs as (
      delete from workflow_runs where tenant_id = ${tenantId} and contact_id = any(${contactIds}) returning id
    ), members as (
      delete from segment_memberships where tenant_id = ${tenantId} and contact_id = any(${contactIds})
    )
    delete from workflow_steps s using runs where s.tenant_id = ${tenantId} and s.run_id = runs.id`)
}

/**
 * Of runs that ended before this, at most so many: their logs go, and they with them, but for those that say that a
 * contact has entered once, or that a bot has begun in a session that is still open. Gives how many were gone through.
 */
export async function purgeEndedRuns(tx: Tx, endedBefore: string, limit: number): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    with old as materialized (
      select r.tenant_id, r.id,
        (r.entry_mode = 'once' and exists (
          select from workflows w
          where w.tenant_id = r.tenant_id and w.id = r.workflow_id and w.deleted_at is null))
        or exists (
          select from conversation_sessions s
          where s.tenant_id = r.tenant_id and s.id = r.session_id and s.closed_at is null) as needed
      from workflow_runs r
      where r.ended_at < ${endedBefore} and r.ended_at is not null and r.forgotten_at is null
      order by r.ended_at limit ${limit} for update of r skip locked
    ), steps as (
      delete from workflow_steps s using old where s.tenant_id = old.tenant_id and s.run_id = old.id
    ), kept as (
      update workflow_runs r set forgotten_at = ${tx.now} from old
      where r.tenant_id = old.tenant_id and r.id = old.id and old.needed
    ), gone as (
      delete from workflow_runs r using old
      where r.tenant_id = old.tenant_id and r.id = old.id and not old.needed
    )
    select count(*) as n from old`)
  return n
}
