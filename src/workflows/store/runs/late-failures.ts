/** Finds the runs that sent messages, and corrects those whose message failed later. */
import type { Tx } from '../../../platform/db/db.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Run, StepRow } from '../../engine/run/run.ts'
import { buildDeltas, insertDeltas } from '../statistics/node-counts.ts'
import { columns, insertSteps } from './run-columns.ts'

export interface FailedSend {
  messageId: string
  workflowId: string
  contactId: string
  /** When the message was accepted. */
  at: string
  code: string | null
}

interface SendingRun {
  run: Run
  nodeId: string
  type: string
  code: string | null
}

/**
 * Locks the runs that sent these messages and are in progress, or ended as if the message had been delivered. Only the
 * runs of the recipient from that time are searched.
 */
export async function lockSendingRuns(
  tx: Tx,
  tenantId: string,
  failed: readonly FailedSend[],
): Promise<SendingRun[]> {
  const rows = await tx.rows<Run & { sentBy: string; sentType: string; code: string | null }>(sql`
    select ${columns}, s.node_id as "sentBy", s.type as "sentType", k.code
    from unnest(${failed.map(item => item.messageId)}::text[], ${failed.map(item => item.workflowId)}::text[],
      ${failed.map(item => item.contactId)}::text[], ${failed.map(item => item.code)}::text[],
      ${failed.map(item => item.at)}::timestamptz[]) as k (message_id, workflow_id, contact_id, code, at)
    join workflow_runs r on r.tenant_id = ${tenantId} and r.contact_id = k.contact_id collate "C"
      and r.workflow_id = k.workflow_id collate "C" and r.started_at <= k.at + interval '1 hour'
      and (r.ended_at is null or r.ended_at >= k.at - interval '1 hour')
    join workflow_steps s on s.tenant_id = r.tenant_id and s.run_id = r.id and s.detail->>'messageId' = k.message_id
    where r.status in ('running', 'waiting') or r.status = 'completed' and r.end_reason in ('end_of_path', 'end')
    order by r.id, s.n for update of r`)
  return rows.map(({ sentBy, sentType, code, ...run }) => ({ run, nodeId: sentBy, type: sentType, code }))
}

/** Adds a step to an ended run and stores its end reason. */
export async function appendLateStep(tx: Tx, run: Run, step: StepRow): Promise<void> {
  // The run has left its node before: only the step is counted.
  const counted = { ...run, status: 'running' as const, updatedAt: step.at }
  await tx.run(sql`
    with updated as (
      update workflow_runs set end_reason = ${run.endReason}, steps = ${run.steps}, updated_at = ${step.at}
      where tenant_id = ${run.tenantId} and id = ${run.id}
    ), counted as (${insertDeltas(buildDeltas([counted], [step]))})
    ${insertSteps([step])}`)
}
