/** Runs as users list, read, count and cancel them. */
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { join, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { SortKey } from '../../../platform/http/page.ts'
import type { Run, StepRow } from '../../engine/run/run.ts'
import type { RunStatus } from '../../nodes/node-type.ts'
import { columns, stepRowColumns, toSteps } from './run-columns.ts'

/** Finds a run whose contact satisfies the visibility condition on `c`. */
export function findVisibleRun(
  on: Queryable,
  tenantId: string,
  id: string,
  visible: Sql,
): Promise<Run | undefined> {
  return on.maybe<Run>(sql`
    select ${columns} from workflow_runs r join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id
    where r.tenant_id = ${tenantId} and r.id = ${id} and ${visible}`)
}

const inProgress: readonly RunStatus[] = ['running', 'waiting']

export function listRuns(
  on: Queryable,
  tenantId: string,
  filter: RunFilter & { status?: RunStatus },
  page: { limit: number; after: SortKey | undefined },
): Promise<Run[]> {
  // Literals, because partial indexes do not match parameters.
  const statuses = filter.status && (inProgress.includes(filter.status) ? inProgress : [filter.status])
  const partial = statuses
    ? raw(`and r.status in (${statuses.map(name => `'${name}'`).join(', ')})`)
    : raw('')
  const status = filter.status === undefined ? raw('') : sql`${partial} and r.status = ${filter.status}`
  const before = page.after ? sql`and r.id < ${page.after[0]}` : raw('')
  return on.rows<Run>(sql`
    select ${columns} from workflow_runs r
    where r.tenant_id = ${tenantId} and ${buildRunFilter(filter)} ${status} ${before}
    order by r.id desc limit ${page.limit + 1}`)
}

/** Returns how many runs of the journey started in each conversation since the given time. */
export async function countRunsByConversation(
  on: Queryable,
  tenantId: string,
  workflowId: string,
  conversations: readonly { contactId: string; conversationId: string; openedAt: string }[],
): Promise<Map<string, number>> {
  const rows = await on.rows<{ id: string; count: number }>(sql`
    select k.id, count(*)::int as count
    from unnest(${conversations.map(row => row.contactId)}::text[], ${conversations.map(row => row.conversationId)}::text[],
      ${conversations.map(row => row.openedAt)}::timestamptz[]) as k (contact_id, id, opened_at)
    join workflow_runs r on r.tenant_id = ${tenantId} and r.contact_id = k.contact_id collate "C"
      and r.workflow_id = ${workflowId} and r.conversation_id = k.id collate "C" and r.started_at >= k.opened_at
    group by k.id`)
  return new Map(rows.map(row => [row.id, row.count]))
}

export async function listSteps(on: Queryable, tenantId: string, runId: string): Promise<StepRow[]> {
  const rows = await on.rows<Parameters<typeof toSteps>[0][number]>(sql`
    select ${stepRowColumns} from workflow_steps where tenant_id = ${tenantId} and run_id = ${runId} order by n`)
  return toSteps(rows)
}

/** Cancels at most `limit` runs in progress that match the filter, oldest first, and returns them. */
export function cancelRunsInProgress(
  tx: Tx,
  tenantId: string,
  filter: RunFilter,
  { reason, limit }: { reason: string; limit: number },
): Promise<Run[]> {
  return tx.rows<Run>(sql`
    with ending as materialized (
      select r.id from workflow_runs r
      where r.tenant_id = ${tenantId} and r.status in ('running', 'waiting') and ${buildRunFilter(filter)}
      order by r.id limit ${limit} for no key update of r
    )
    update workflow_runs r set status = 'cancelled', end_reason = ${reason}, revision = revision + 1, wait = null,
      waiting_since = null, wake_at = null, waits_for_event = false, buffered_replies = null, buffering_since = null,
      held_resumes = null, updated_at = ${tx.now}, ended_at = ${tx.now}
    from ending where r.tenant_id = ${tenantId} and r.id = ending.id
    returning ${columns}`)
}

export interface RunFilter {
  workflowId?: string
  contactId?: string
  /** The current node, or the last one of an ended run. */
  nodeId?: string
  /** Condition on the contact `c`. */
  visible?: Sql
}

function buildRunFilter({ workflowId, contactId, nodeId, visible }: RunFilter): Sql {
  const conditions = [
    ...(workflowId === undefined ? [] : [sql`r.workflow_id = ${workflowId}`]),
    ...(contactId === undefined ? [] : [sql`r.contact_id = ${contactId}`]),
    ...(nodeId === undefined ? [] : [sql`r.node_id = ${nodeId}`]),
    ...(visible === undefined
      ? []
      : [
          sql`exists (select from contacts c where c.tenant_id = r.tenant_id and c.id = r.contact_id and ${visible})`,
        ]),
  ]
  return conditions.length === 0 ? raw('true') : join(conditions, ' and ')
}

export async function listRunIdsInProgress(
  on: Queryable,
  tenantId: string,
  contactId: string,
): Promise<string[]> {
  const rows = await on.rows<{ id: string }>(sql`
    select id from workflow_runs
    where tenant_id = ${tenantId} and contact_id = ${contactId} and status in ('running', 'waiting') order by id`)
  return rows.map(row => row.id)
}
