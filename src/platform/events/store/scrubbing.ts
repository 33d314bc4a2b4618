import type { Db } from '../../db/db.ts'
import { mentions } from '../../db/mentions.ts'
import { raw, sql } from '../../db/sql.ts'

const onlyId = (part: string) =>
  raw(
    `case when data->'${part}' is not null then json_build_object('id', data->'${part}'->'id', 'erased', true) end`,
  )

/** Whether an event that mentions one of these is still on its way into the log. */
export async function isUnderWay(db: Db, tenantId: string, needles: readonly string[]): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select from outbox where tenant_id = ${tenantId} and ${mentions('data::text', needles)}) as found`,
  )
  return found
}

/** Leaves of every event that mentions one of these only the ids of what it spoke of; its place in the order stays. */
export function scrubEvents(db: Db, tenantId: string, needles: readonly string[]): Promise<number> {
  return db.run(sql`
    update event_log set data = json_strip_nulls(json_build_object('contact', ${onlyId('contact')},
      'conversation', ${onlyId('conversation')}, 'message', ${onlyId('message')}, 'erased', true))
    where tenant_id = ${tenantId} and ${mentions('data::text', needles)}`)
}
