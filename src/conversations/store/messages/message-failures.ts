import type { Db, Queryable, Tx } from '../../../platform/db/db.ts'
import { notMoving } from '../../../platform/db/moving.ts'
import { sql } from '../../../platform/db/sql.ts'

export interface MessageFailure {
  tenantId: string
  inboxId: string
  messageId: string
  code: string
  message: string
}

export async function insertFailures(tx: Tx, rows: readonly MessageFailure[]): Promise<void> {
  if (rows.length === 0) return
  const column = (name: keyof MessageFailure) => rows.map(row => row[name])
  await tx.run(sql`
    insert into message_failures (tenant_id, inbox_id, at, message_id, code, message)
    select tenant_id, inbox_id, ${tx.now}, message_id, code, message
    from unnest(${column('tenantId')}::text[], ${column('inboxId')}::text[], ${column('messageId')}::text[],
      ${column('code')}::text[], ${column('message')}::text[]) as i(tenant_id, inbox_id, message_id, code, message)
    on conflict do nothing`)
}

export interface FailureSummary {
  count: number
  latest: { at: string; messageId: string; code: string; message: string }[]
}

/** Counts up to `maxCount` failures since then, and returns the ten newest. */
export async function summarizeFailures(
  on: Queryable,
  tenantId: string,
  inboxId: string,
  { since, maxCount }: { since: string; maxCount: number },
): Promise<FailureSummary> {
  const recent = sql`from message_failures
    where tenant_id = ${tenantId} and inbox_id = ${inboxId} and at >= ${since}`
  // One statement, so that count and list agree.
  const rows = await on.rows<FailureSummary['latest'][number] & { count: number }>(sql`
    select at, message_id as "messageId", code, message,
      (select count(*)::int from (select ${recent} limit ${maxCount}) as counted) as count
    ${recent} order by at desc, message_id desc limit 10`)
  return { count: rows[0]?.count ?? 0, latest: rows.map(({ count, ...failure }) => failure) }
}

export function deleteOldFailures(db: Db, before: string): Promise<number> {
  return db.run(
    sql`delete from message_failures where at < ${before} and ${notMoving('message_failures.tenant_id')}`,
  )
}
