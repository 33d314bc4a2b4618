/** Maps runs and steps to columns, and to JSON parameters. */
import { raw, type Sql, sql } from '../../../platform/db/sql.ts'
import type { Run, StepRow } from '../../engine/run/run.ts'

const columnNames = {
  tenantId: 'tenant_id',
  id: 'id',
  kind: 'kind',
  workflowId: 'workflow_id',
  versionId: 'version_id',
  contactId: 'contact_id',
  conversationId: 'conversation_id',
  sessionId: 'session_id',
  parentRunId: 'parent_run_id',
  entryMode: 'entry_mode',
  entryKey: 'entry_key',
  reenterAt: 'reenter_at',
  causationDepth: 'causation_depth',
  status: 'status',
  nodeId: 'node_id',
  state: 'state',
  variables: 'variables',
  visits: 'visits',
  event: 'event',
  message: 'message',
  steps: 'steps',
  revision: 'revision',
  wait: 'wait',
  waitingSince: 'waiting_since',
  wakeAt: 'wake_at',
  waitsForEvent: 'waits_for_event',
  bufferedReplies: 'buffered_replies',
  bufferingSince: 'buffering_since',
  heldResumes: 'held_resumes',
  endReason: 'end_reason',
  error: 'error',
  startedAt: 'started_at',
  updatedAt: 'updated_at',
  endedAt: 'ended_at',
} as const satisfies Record<keyof Run, string>

/** Columns that never change after insertion. */
const immutableColumns: readonly string[] = [
  'tenant_id',
  'id',
  'kind',
  'workflow_id',
  'version_id',
  'session_id',
  'parent_run_id',
  'entry_mode',
  'entry_key',
  'reenter_at',
  'event',
  'started_at',
]

const names = Object.values(columnNames)
export const columnList = raw(names.join(', '))
export const qualifiedColumnList = raw(names.map(name => `r.${name}`).join(', '))
export const columns = raw(
  Object.entries(columnNames)
    .map(([member, column]) => `r.${column} as "${member}"`)
    .join(', '),
)
export const columnUpdates = raw(
  names
    .filter(name => !immutableColumns.includes(name))
    .map(name => `${name} = n.${name}`)
    .join(', '),
)

const stepColumns = raw('tenant_id, run_id, n, node_id, type, at, input, outcome, output, detail, following')

const runMembers = Object.entries(columnNames) as [keyof Run, string][]

/** Omits nulls, which most members of a run are: `json_populate_recordset` reads missing members as null. */
function toRow(run: Run): object {
  const row: Record<string, unknown> = {}
  for (const [member, column] of runMembers) {
    const value = run[member]
    if (value !== null) row[column] = value
  }
  return row
}

export function toJsonRows(runs: readonly Run[]): string {
  return JSON.stringify(runs.map(toRow))
}

/** A step in `following`: the same run and time as the step before it, and the next number. Omits usual values. */
type FollowingStep = Pick<StepRow, 'nodeId' | 'type' | 'outcome'> &
  Partial<Pick<StepRow, 'input' | 'output' | 'detail'>>

const arrived = { type: 'arrived' }

/**
 * Inserts steps, those that a run took in one transaction as one row: the first in the columns, the others in
 * `following`. Steps that sent a message are in the columns, because runs are searched by message.
 */
export function insertSteps(steps: readonly StepRow[]): Sql {
  return sql`
    insert into workflow_steps (${stepColumns})
    select ${stepColumns} from json_populate_recordset(null::workflow_steps, ${JSON.stringify(toStepRows(steps))}::json)`
}

function toStepRows(steps: readonly StepRow[]): object[] {
  const rows: { run_id: string; at: string; following?: FollowingStep[] }[] = []
  for (const step of steps) {
    const last = rows.at(-1)
    const isFollowing = last?.run_id === step.runId && last.at === step.at
    if (!isFollowing || step.detail?.messageId !== undefined) rows.push(toStepRow(step))
    else if (last.following) last.following.push(toFollowing(step))
    else last.following = [toFollowing(step)]
  }
  return rows
}

function toStepRow({ tenantId, runId, nodeId, staySeconds: _, ...same }: StepRow) {
  return { tenant_id: tenantId, run_id: runId, node_id: nodeId, ...same }
}

function toFollowing({ nodeId, type, input, outcome, output, detail }: StepRow): FollowingStep {
  const hasArrived = (input as { type?: string }).type === 'arrived'
  return {
    nodeId,
    type,
    outcome,
    ...(hasArrived ? {} : { input }),
    ...(output === null ? {} : { output }),
    ...(detail === null ? {} : { detail }),
  }
}

/** Selects rows of steps for `toSteps`. */
export const stepRowColumns = raw(
  `tenant_id as "tenantId", run_id as "runId", n, node_id as "nodeId", type, at, input, outcome, output, detail, following`,
)

export function toSteps(rows: readonly (StepRow & { following: FollowingStep[] | null })[]): StepRow[] {
  return rows.flatMap(({ following, ...first }) => [
    first,
    ...(following ?? []).map((step, i) => ({
      ...first,
      input: arrived,
      output: null,
      detail: null,
      ...step,
      n: first.n + 1 + i,
    })),
  ])
}
