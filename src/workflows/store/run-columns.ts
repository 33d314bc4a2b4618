/** Maps members of runs to columns, and rows to JSON parameters. */
import { raw } from '../../platform/db/sql.ts'
import type { Run } from '../engine/run/run.ts'

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
export const stepColumns = raw('tenant_id, run_id, n, node_id, type, at, input, outcome, output, detail')

const columnCache = new Map<string, string>(Object.entries(columnNames))

function toColumnName(member: string): string {
  const column = columnCache.get(member) ?? member.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  columnCache.set(member, column)
  return column
}

/** Omits nulls, which most members of a run are: `json_populate_recordset` reads missing members as null. */
function toRow(row: object): object {
  const named: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(row)) if (value !== null) named[toColumnName(member)] = value
  return named
}

export function toJsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows.map(toRow))
}
