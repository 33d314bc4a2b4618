/** Runs and their steps. Many rows are written as one JSON parameter. */

import { lockContacts } from '../../../contacts/contacts.ts'
import type { Queryable, Tx } from '../../../platform/db/db.ts'
import { notMoving } from '../../../platform/db/moving.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Run, StepRow } from '../../engine/run/run.ts'
import { buildDeltas, insertDeltas } from '../statistics/node-counts.ts'
import {
  columnList,
  columns,
  columnUpdates,
  insertSteps,
  qualifiedColumnList,
  toJsonRows,
} from './run-columns.ts'

/**
 * Inserts the runs of existing contacts that their entry mode allows, of archived ones only those started by archiving.
 * Returns the ids of the inserted runs.
 */
export async function admitRuns(tx: Tx, runs: readonly Run[]): Promise<Set<string>> {
  if (runs.length === 0) return new Set()
  const distinct = await prepareCooldowns(tx, runs)
  const rows = await tx.rows<{ id: string }>(sql`
    insert into workflow_runs (${columnList})
    select ${qualifiedColumnList} from json_populate_recordset(null::workflow_runs, ${toJsonRows(distinct)}::json) r
    join contacts c on c.tenant_id = r.tenant_id and c.id = r.contact_id and c.deleted_at is null
      and (c.archived_at is null or r.event->>'name' = 'contact.archived')
    where r.entry_mode not in ('once', 'cooldown') or not exists (
      select from workflow_runs o
      where o.tenant_id = r.tenant_id and o.contact_id = r.contact_id and o.workflow_id = r.workflow_id
        and o.entry_key = r.entry_key and (r.entry_mode = 'once' or o.reenter_at > r.started_at))
    on conflict do nothing returning id`)
  return new Set(rows.map(row => row.id))
}

/**
 * Locks the contacts of runs with a cooldown, because no index excludes concurrent runs, and keeps the first of several
 * such runs of one contact and key.
 */
async function prepareCooldowns(tx: Tx, runs: readonly Run[]): Promise<Run[]> {
  const cooling = runs.filter(run => run.entryMode === 'cooldown')
  if (cooling.length > 0)
    await lockContacts(tx, cooling[0]!.tenantId, [...new Set(cooling.map(run => run.contactId))])
  const seen = new Set<string>()
  return runs.filter(run => {
    const entry = `${run.workflowId} ${run.contactId} ${run.entryKey}`
    if (run.entryMode !== 'cooldown' || !seen.has(entry)) return seen.add(entry)
    return false
  })
}

/** Returns the ids of new runs that their entry mode does not allow. */
export async function listNotAdmitted(tx: Tx, runs: readonly Run[]): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(sql`
    select r.id from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json) r
    where r.entry_mode <> 'every_time' and exists (
      select from workflow_runs o
      where o.tenant_id = r.tenant_id and o.contact_id = r.contact_id and o.workflow_id = r.workflow_id
        and o.entry_key = r.entry_key and case r.entry_mode when 'once' then true when 'cooldown' then o.reenter_at > r.started_at
          else o.status in ('running', 'waiting') end)`)
  return new Set(rows.map(row => row.id))
}

/** Counts runs that ended without a step. */
export async function countEnded(tx: Tx, runs: readonly Run[]): Promise<void> {
  if (runs.length > 0) await tx.run(insertDeltas(buildDeltas(runs, [])))
}

/** Updates locked runs and inserts their steps. */
export async function saveRuns(tx: Tx, runs: readonly Run[], stepRows: readonly StepRow[]): Promise<void> {
  await tx.run(sql`
    with updated as (
      update workflow_runs r set ${columnUpdates}
      from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json) n
      where r.tenant_id = n.tenant_id and r.id = n.id
    ), counted as (${insertDeltas(buildDeltas(runs, stepRows))})
    ${insertSteps(stepRows)}`)
}

/** Inserts runs that have advanced already, with their steps. Throws if one conflicts with a concurrent run. */
export async function insertRuns(tx: Tx, runs: readonly Run[], stepRows: readonly StepRow[]): Promise<void> {
  await tx.run(sql`
    with steps as (${insertSteps(stepRows)}), counted as (${insertDeltas(buildDeltas(runs, stepRows))})
    insert into workflow_runs (${columnList})
    select ${columnList} from json_populate_recordset(null::workflow_runs, ${toJsonRows(runs)}::json)`)
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

/** Lists the runs of these contacts that events may resume. */
export function listWaitingRuns(
  on: Queryable,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Run[]> {
  return on.rows<Run>(sql`
    select ${columns} from workflow_runs r
    where r.tenant_id = ${tenantId} and r.contact_id = any(${contactIds}) and r.waits_for_event order by r.id`)
}

/** Returns which of the runs sent the message. */
export async function findRunOfMessage(
  on: Queryable,
  tenantId: string,
  runIds: readonly string[],
  messageId: string,
): Promise<string | undefined> {
  const row = await on.maybe<{ runId: string }>(sql`
    select run_id as "runId" from workflow_steps
    where tenant_id = ${tenantId} and run_id = any(${runIds}) and detail->>'messageId' = ${messageId} limit 1`)
  return row?.runId
}

/** Lists the messages that the run sent, in saved steps or since, and that were not handed to the provider yet. */
export async function listPendingMessages(
  on: Queryable,
  tenantId: string,
  runId: string,
  sentIds: readonly string[],
): Promise<string[]> {
  const rows = await on.rows<{ id: string }>(sql`
    select m.id from messages m where m.tenant_id = ${tenantId} and m.status = 'pending'
      and m.id in (
        select unnest(${sentIds}::text[]) union
        select detail->>'messageId' from workflow_steps where tenant_id = ${tenantId} and run_id = ${runId})`)
  return rows.map(row => row.id)
}

/** Lists the chatbot runs in progress in these conversations, oldest first. */
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

/** Locks due runs, earliest first; runs locked by other processes are skipped. */
export function lockDueRuns(tx: Tx, limit: number): Promise<Run[]> {
  return tx.rows<Run>(sql`
    select ${columns} from workflow_runs r where r.wake_at <= ${tx.now} and ${notMoving('r.tenant_id')}
    order by r.wake_at limit ${limit} for update skip locked`)
}

export async function clearTimers(tx: Tx, runs: readonly Pick<Run, 'tenantId' | 'id'>[]): Promise<void> {
  if (runs.length === 0) return
  await tx.run(sql`
    update workflow_runs r set wake_at = null
    from unnest(${runs.map(run => run.tenantId)}::text[], ${runs.map(run => run.id)}::text[]) as due (tenant_id, id)
    where r.tenant_id = due.tenant_id and r.id = due.id`)
}

/** Returns the next deadlines of runs and schedules: the only query of an idle timer loop. */
export function getNextTimes(on: Queryable): Promise<{ wakeAt: string | null; scheduleAt: string | null }> {
  return on.one(sql`
    select (select wake_at from workflow_runs r where wake_at is not null and ${notMoving('r.tenant_id')}
      order by wake_at limit 1) as "wakeAt",
      (select next_at from workflow_schedules s where ${notMoving('s.tenant_id')} order by next_at limit 1) as "scheduleAt"`)
}

/**
 * Appends a reply to the buffer of a waiting run and moves its timer, at most to the maximum age of the buffer. Returns
 * false if the run has another revision.
 */
export async function appendBufferedReply(
  tx: Tx,
  run: Pick<Run, 'tenantId' | 'id' | 'revision'>,
  message: string,
  deadlines: { debounceUntil: string; latest: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update workflow_runs set
      buffered_replies = (coalesce(buffered_replies::jsonb, '[]') || jsonb_build_array(${message}::jsonb))::json,
      buffering_since = coalesce(buffering_since, ${tx.now}),
      wake_at = least(${deadlines.debounceUntil}::timestamptz, coalesce(buffering_since, ${tx.now}::timestamptz)
        + (${deadlines.latest}::timestamptz - ${tx.now}::timestamptz))
    where tenant_id = ${run.tenantId} and id = ${run.id} and revision = ${run.revision} and status = 'waiting'`)
  return changed > 0
}

/** Locks the newest run in progress of the contact and key. */
export function lockRunInProgress(
  tx: Tx,
  run: Pick<Run, 'tenantId' | 'workflowId' | 'contactId' | 'entryKey'>,
): Promise<Run | undefined> {
  return tx.maybe<Run>(sql`
    select ${columns} from workflow_runs r
    where r.tenant_id = ${run.tenantId} and r.contact_id = ${run.contactId} and r.workflow_id = ${run.workflowId}
      and r.entry_key = ${run.entryKey} and r.status in ('running', 'waiting')
    order by r.id desc limit 1 for update`)
}

/** Replaces the event of a locked run that has not started, and its deadline. */
export async function postponeStart(
  tx: Tx,
  run: Pick<Run, 'tenantId' | 'id' | 'event' | 'wait' | 'wakeAt'>,
): Promise<void> {
  await tx.run(sql`
    update workflow_runs set event = ${JSON.stringify(run.event)}::json, wait = ${JSON.stringify(run.wait)}::json,
      wake_at = ${run.wakeAt}, updated_at = ${tx.now}
    where tenant_id = ${run.tenantId} and id = ${run.id}`)
}

/** Moves runs to another contact, except those that conflict with the other contact's own runs. */
export async function reassignRuns(tx: Tx, tenantId: string, from: string, to: string): Promise<void> {
  await tx.run(sql`
    update workflow_runs r set contact_id = ${to}
    where r.tenant_id = ${tenantId} and r.contact_id = ${from} and not exists (
      select from workflow_runs o
      where o.tenant_id = r.tenant_id and o.contact_id = ${to} and o.workflow_id = r.workflow_id
        and o.entry_key = r.entry_key and r.entry_mode <> 'every_time')`)
}

/**
 * Locks the existing contacts that no other transaction has locked, in the order of their ids. Skips contacts with jobs in
 * the queue: a later input must not overtake them.
 */
export async function lockIdleContacts(
  tx: Tx,
  tenantId: string,
  contactIds: readonly string[],
): Promise<Map<string, { isArchived: boolean }>> {
  const rows = await tx.rows<{ id: string; isArchived: boolean }>(sql`
    select id, archived_at is not null as "isArchived" from contacts c where tenant_id = ${tenantId} and id = any(${contactIds}) and deleted_at is null
      and not exists (
        select from job_lanes l
        where l.name = 'workflows.advance_run' and l.tenant_id = ${tenantId} and l.ordering_key = c.id and l.ordered)
    order by id for no key update skip locked`)
  return new Map(rows.map(row => [row.id, row]))
}
