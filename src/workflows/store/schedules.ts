import type { Tx } from '../../platform/db/db.ts'
import { notMoving } from '../../platform/db/moving.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface ScheduleRow {
  tenantId: string
  workflowId: string
  versionId: string
  nextAt: string
  processedUntil: string
}

/** Inserts missing schedules and restarts those of another version; others do not change. */
export async function upsertSchedules(
  tx: Tx,
  schedules: readonly Omit<ScheduleRow, 'processedUntil'>[],
): Promise<void> {
  const column = (name: keyof Omit<ScheduleRow, 'processedUntil'>) =>
    schedules.map(schedule => schedule[name])
  await tx.run(sql`
    insert into workflow_schedules as c (tenant_id, workflow_id, version_id, next_at, processed_until)
    select tenant_id, workflow_id, version_id, next_at, ${tx.now}::timestamptz
    from unnest(${column('tenantId')}::text[], ${column('workflowId')}::text[], ${column('versionId')}::text[],
      ${column('nextAt')}::timestamptz[]) as n (tenant_id, workflow_id, version_id, next_at)
    order by tenant_id, workflow_id
    on conflict (tenant_id, workflow_id) do update
    set version_id = excluded.version_id, next_at = excluded.next_at, processed_until = excluded.processed_until
    where c.version_id <> excluded.version_id`)
}

/** Deletes the schedules of journeys that are not active. */
export async function deleteInactiveSchedules(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from workflow_schedules c using workflows w
    where w.tenant_id = c.tenant_id and w.id = c.workflow_id and (w.status <> 'active' or w.deleted_at is not null)
      and ${notMoving('c.tenant_id')}`)
}

export function lockDueSchedule(tx: Tx): Promise<ScheduleRow | undefined> {
  return tx.maybe<ScheduleRow>(sql`
    select tenant_id as "tenantId", workflow_id as "workflowId", version_id as "versionId", next_at as "nextAt",
      processed_until as "processedUntil"
    from workflow_schedules s where next_at <= ${tx.now} and ${notMoving('s.tenant_id')}
    order by next_at limit 1 for update skip locked`)
}

export async function updateSchedule(
  tx: Tx,
  { tenantId, workflowId }: Pick<ScheduleRow, 'tenantId' | 'workflowId'>,
  times: { nextAt: string; processedUntil: string },
): Promise<void> {
  await tx.run(sql`
    update workflow_schedules set next_at = ${times.nextAt}, processed_until = ${times.processedUntil}
    where tenant_id = ${tenantId} and workflow_id = ${workflowId}`)
}

export async function deleteSchedule(
  tx: Tx,
  { tenantId, workflowId }: Pick<ScheduleRow, 'tenantId' | 'workflowId'>,
): Promise<void> {
  await tx.run(
    sql`delete from workflow_schedules where tenant_id = ${tenantId} and workflow_id = ${workflowId}`,
  )
}

/** Returns the next contacts of a select of `contact_id`, in the order of their ids. */
export async function listContactPage(tx: Tx, select: Sql, after: string, limit: number): Promise<string[]> {
  const rows = await tx.unprepared<{ id: string }>(sql`
    select s.contact_id as id from (${select}) s where s.contact_id > ${after} order by s.contact_id limit ${limit}`)
  return rows.map(row => row.id)
}

/** Selects the contacts with this date in a field; with `yearly`, of any year. */
export function selectContactsWithDate(tenantId: string, fieldId: string, day: string, yearly: boolean): Sql {
  const values = sql`select distinct v.contact_id from contact_field_values v
    join contacts c on c.tenant_id = v.tenant_id and c.id = v.contact_id and c.archived_at is null
      and c.deleted_at is null
    where v.tenant_id = ${tenantId} and v.field_id = ${fieldId}`
  if (!yearly) return sql`${values} and v.key >= ${day} and v.key < ${`${day}~`}`
  return sql`${values} and v.month_day = any(${monthDays(day)})`
}

/** 29 February counts as 28 February in years that are not leap years. */
function monthDays(day: string): string[] {
  const monthDay = day.slice(5)
  const isLeapYear = new Date(Date.UTC(Number(day.slice(0, 4)), 1, 29)).getUTCMonth() === 1
  return monthDay === '02-28' && !isLeapYear ? [monthDay, '02-29'] : [monthDay]
}
