import type { Db } from '../../platform/db/db.ts'
import { containsAnyWord } from '../../platform/db/mentions.ts'
import { raw, sql } from '../../platform/db/sql.ts'

const idOnly = (part: string) =>
  raw(
    `case when data->'${part}' is not null then json_build_object('id', data->'${part}'->'id', 'erased', true) end`,
  )

/** Whether an event that mentions one of these is still on its way into the log. */
export async function hasPendingEvent(
  db: Db,
  tenantId: string,
  needles: readonly string[],
): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select from outbox where tenant_id = ${tenantId} and ${containsAnyWord('data::text', needles)}) as found`,
  )
  return found
}

/** Leaves of every event that mentions one of these only the ids of what it spoke of; its place in the order stays. */
export function eraseEvents(db: Db, tenantId: string, needles: readonly string[]): Promise<number> {
  return db.run(sql`
    update event_log set data = json_strip_nulls(json_build_object('contact', ${idOnly('contact')},
      'conversation', ${idOnly('conversation')}, 'message', ${idOnly('message')}, 'erased', true))
    where tenant_id = ${tenantId} and ${containsAnyWord('data::text', needles)}`)
}
