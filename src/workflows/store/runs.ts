/** Runs and their logs. */
import type { Queryable, Tx } from '../../platform/db/db.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { SortKey } from '../../platform/http/page.ts'
import type { Run, StepRow } from '../engine/run/run.ts'
import {
  columnList,
  columns,
  columnUpdates,
  qualifiedColumnList,
  stepColumns,
  toJsonRows,
} from './run-columns.ts'

/**
 * Inserts those that may begin: of contacts that are there, and by their entry mode. Gives the ids of those that did.
 */
export async function admitRuns(tx: Tx, runs: readonly Run[]): Promise<Set<string>> {
  if (runs.length === 0) return new Set()
  const rows = await tx.rows<{ id: string }>(sql`
    insert into workflow_runs (${columnList})
    select ${qualifiedColumnList} from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json) r
    join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id and c.deleted_at is null
    where r.entry_mode <> 'once' or not exists (
      select from workflow_runs o
      where o.tenant_id = r.tenant_id and o.contact_id = r.contact_id and o.workflow_id = r.workflow_id
        and o.entry_key = r.entry_key)
    on conflict do nothing returning id`)
  return new Set(rows.map(row => row.id))
}

/** Of runs that have not begun, those that may not: their contact has been in the workflow, or is in it now. */
export async function listNotAdmitted(tx: Tx, runs: readonly Run[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(sql`
    select r.id from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json) r
    where r.entry_mode <> 'every_time' and exists (
      select from workflow_runs o
      where o.tenant_id = r.tenant_id and o.contact_id = r.contact_id and o.workflow_id = r.workflow_id
        and o.entry_key = r.entry_key and (r.entry_mode = 'once' or o.status in ('running', 'waiting')))`)
  return new Set(rows.map(row => row.id))
}

/** Writes how runs that are locked went on, with the lines of their logs. */
export async function saveRuns(tx: Tx, runs: readonly Run[], lines: readonly StepRow[]): Promise<void> {
  await tx.run(sql`
    with moved as (
      update workflow_runs r set ${columnUpdates}
      from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json) n
      where r.tenant_id = n.tenant_id and r.id = n.id
    )
    insert into workflow_steps (${stepColumns})
    select ${stepColumns} from json_populate_recordset(null::workflow_steps, ${toJsonRows(lines)}::json)`)
}

/** Writes runs that have begun as they stand now, with the lines of their logs. */
export async function insertRuns(tx: Tx, runs: readonly Run[], lines: readonly StepRow[]): Promise<void> {
  const { count } = await tx.one<{ count: number }>(sql`
    with begun as (
      insert into workflow_runs (${columnList})
      select ${columnList} from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json)
      on conflict do nothing returning id
    ), logged as (
      insert into workflow_steps (${stepColumns})
      select ${stepColumns} from json_populate_recordset(null::workflow_steps, ${toJsonRows(lines)}::json)
    )
    select count(*) as count from begun`)
  if (count < runs.length) throw new Error('somebody else let one of them enter at the same moment')
}

export function lockRun(tx: Tx, tenantId: string, id: string): Promise<Run | undefined> {
  return tx.maybe<Run>(
    sql`select ${columns} from workflow_runs r where r.tenant_id = ${tenantId} and r.id = ${id} for update`,
  )
}

export function findRun(on: Queryable, tenantId: string, id: string): Promise<Run | undefined> {
  return on.maybe<Run>(
    sql`select ${columns} from workflow_runs r where r.tenant_id = ${tenantId} and r.id = ${id}`,
  )
}

/** If its contact is one that the condition on `c` lets be seen. */
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

/** Runs of these contacts that events may wake. */
export function listWaitingRuns(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Run[]> {
  return on.rows<Run>(sql`
    select ${columns} from workflow_runs r
    where r.tenant_id = ${tenantId} and r.contact_id = any(${contactIds}) and r.listens order by r.id`)
}

/** The runs of bots in these conversations, the newest of each session last. */
export function listBotRuns(
  on: Queryable,
  tenantId: string,
  conversationIds: readonly string[],
): Promise<Run[]> {
  return on.rows<Run>(sql`
    select ${columns} from workflow_runs r
    where r.tenant_id = ${tenantId} and r.conversation_id = any(${conversationIds}) and r.kind = 'chatbot'
      and r.status in ('running', 'waiting')
    order by r.id`)
}

export async function hasBotRun(
  on: Queryable,
  tenantId: string,
  conversationId: string,
  sessionId: string,
): Promise<boolean> {
  const row = await on.maybe(sql`
    select 1 from workflow_runs where tenant_id = ${tenantId} and conversation_id = ${conversationId}
      and kind = 'chatbot' and session_id = ${sessionId} limit 1`)
  return row !== undefined
}

/** Those whose time has come, the earliest first, locked. Those that somebody else has in hand are passed over. */
export function lockDueRuns(tx: Tx, limit: number): Promise<Run[]> {
  return tx.rows<Run>(sql`
    select ${columns} from workflow_runs r where r.wake_at <= ${tx.now}
    order by r.wake_at limit ${limit} for update skip locked`)
}

/** Their time has been seen to. */
export async function clearTimers(tx: Tx, runs: readonly Pick<Run, 'tenantId' | 'id'>[]): Promise<void> {
  if (runs.length === 0) return
  await tx.run(sql`
    update workflow_runs r set wake_at = null
    from unnest(${runs.map(run => run.tenantId)}::text[], ${runs.map(run => run.id)}::text[]) as one (tenant_id, id)
    where r.tenant_id = one.tenant_id and r.id = one.id`)
}

/** When the next run wakes, and when the clock next starts a journey: all that is asked while nothing happens. */
export function getNextTimes(on: Queryable): Promise<{ wakeAt: string | null; clockAt: string | null }> {
  return on.one(sql`
    select (select wake_at from workflow_runs where wake_at is not null order by wake_at limit 1) as "wakeAt",
      (select next_at from workflow_schedules order by next_at limit 1) as "clockAt"`)
}

/** More of a burst: its end moves on, but not for ever, and never behind the time of the wait itself. */
export async function appendBufferedReply(
  tx: Tx,
  run: Pick<Run, 'tenantId' | 'id' | 'turn'>,
  message: string,
  ends: { quietUntil: string; latest: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update workflow_runs set
      heard = (coalesce(heard::jsonb, '[]') || jsonb_build_array(${message}::jsonb))::json,
      heard_since = coalesce(heard_since, ${tx.now}),
      wake_at = least(${ends.quietUntil}::timestamptz,
        coalesce(heard_since, ${tx.now}::timestamptz) + (${ends.latest}::timestamptz - ${tx.now}::timestamptz))
    where tenant_id = ${run.tenantId} and id = ${run.id} and turn = ${run.turn} and status = 'waiting'`)
  return changed > 0
}

export function listRuns(
  on: Queryable,
  tenantId: string,
  workflowId: string,
  filter: { status?: string; contactId?: string; visible: Sql },
  page: { limit: number; after: SortKey | undefined },
): Promise<Run[]> {
  const status = filter.status === undefined ? raw('') : sql`and r.status = ${filter.status}`
  const contact = filter.contactId === undefined ? raw('') : sql`and r.contact_id = ${filter.contactId}`
  const before = page.after ? sql`and r.id < ${page.after[0]}` : raw('')
  return on.rows<Run>(sql`
    select ${columns} from workflow_runs r join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id
    where r.tenant_id = ${tenantId} and r.workflow_id = ${workflowId} ${status} ${contact} ${before}
      and ${filter.visible}
    order by r.id desc limit ${page.limit + 1}`)
}

export function listSteps(on: Queryable, tenantId: string, runId: string): Promise<StepRow[]> {
  return on.rows<StepRow>(sql`
    select tenant_id as "tenantId", run_id as "runId", n, node_id as "nodeId", type, at, input, outcome, output, detail
    from workflow_steps where tenant_id = ${tenantId} and run_id = ${runId} order by n`)
}

/** The latest run of a contact in a workflow, and whether one of its entries is still under way. */
export function findLatestRun(
  on: Queryable,
  tenantId: string,
  workflowId: string,
  contactId: string,
): Promise<Run | undefined> {
  return on.maybe<Run>(sql`
    select ${columns} from workflow_runs r
    where r.tenant_id = ${tenantId} and r.workflow_id = ${workflowId} and r.contact_id = ${contactId}
    order by r.id desc limit 1`)
}

/** Of these contacts, those that are there no more, with the one that answers for them. */
export function listDeletedContacts(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
): Promise<{ id: string; mergedInto: string | null }[]> {
  return on.rows(sql`
    select id, merged_into as "mergedInto" from contacts
    where tenant_id = ${tenantId} and id = any(${contactIds}) and deleted_at is not null order by id`)
}

/** To another contact, but for those that its own runs leave no room for. */
export async function reassignRuns(tx: Tx, tenantId: string, from: string, to: string): Promise<void> {
  await tx.run(sql`
    update workflow_runs r set contact_id = ${to}
    where r.tenant_id = ${tenantId} and r.contact_id = ${from} and not exists (
      select from workflow_runs o
      where o.tenant_id = r.tenant_id and o.contact_id = ${to} and o.workflow_id = r.workflow_id
        and o.entry_key = r.entry_key and r.entry_mode <> 'every_time')`)
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
