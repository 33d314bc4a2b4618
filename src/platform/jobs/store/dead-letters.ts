import type { Db, Queryable, Tx } from '../../db/db.ts'
import { and, containsAnyWord, type Sql, sql } from '../../db/sql.ts'

export interface DeadJob {
  id: number
  name: string
  tenantId: string
  orderingKey: string | null
  payload: unknown
  attempts: number
  error: string
  diedAt: string
}

export interface DeadFilter {
  ids?: readonly number[]
  name?: string
  tenantId?: string
}

function toCondition({ ids, name, tenantId }: DeadFilter): Sql {
  const parts = [
    ids && sql`id = any(${ids}::int8[])`,
    name !== undefined && sql`name = ${name}`,
    tenantId !== undefined && sql`tenant_id = ${tenantId}`,
  ]
  return and(parts.filter(part => part instanceof Object))
}

export async function insertDeadJob(tx: Tx, job: Omit<DeadJob, 'diedAt'>): Promise<void> {
  await tx.run(sql`
    insert into dead_jobs (id, name, tenant_id, ordering_key, payload, attempts, error, died_at)
    values (${job.id}, ${job.name}, ${job.tenantId}, ${job.orderingKey}, ${JSON.stringify(job.payload)}::json,
      ${job.attempts}, ${job.error}, clock_timestamp() + ${tx.clock.offsetMs()}::float8 * interval '1 ms')`)
}

export function selectDeadJobs(
  on: Queryable,
  filter: DeadFilter,
  after: number,
  limit: number,
): Promise<DeadJob[]> {
  return on.rows(sql`
    select id, name, tenant_id as "tenantId", ordering_key as "orderingKey", payload, attempts, error, died_at as "diedAt"
    from dead_jobs where ${toCondition(filter)} and id > ${after} order by id limit ${limit}`)
}

export function deleteDeadJobs(tx: Tx, filter: DeadFilter): Promise<number> {
  return tx.run(sql`delete from dead_jobs where ${toCondition(filter)}`)
}

export function deleteDeadJobsContaining(
  db: Db,
  tenantId: string,
  words: readonly string[],
): Promise<number> {
  return db.run(sql`
    delete from dead_jobs where tenant_id = ${tenantId}
      and ${containsAnyWord("concat_ws(' ', ordering_key, payload::text, error)", words)}`)
}

/** Deletes and returns the oldest matching jobs, to be enqueued again. */
export function removeDeadJobs(tx: Tx, filter: DeadFilter, limit: number): Promise<DeadJob[]> {
  return tx.rows(sql`
    with taken as (
      delete from dead_jobs where id in (
        select id from dead_jobs where ${toCondition(filter)} order by id limit ${limit} for update skip locked)
      returning id, name, tenant_id as "tenantId", ordering_key as "orderingKey", payload
    )
    select * from taken order by id`)
}
