import type { Db } from '../../platform/db/db.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { redactEvents } from '../../platform/events/log.ts'

const idOnly = (part: string) =>
  raw(
    `case when data->'${part}' is not null then json_build_object('id', data->'${part}'->'id', 'erased', true) end`,
  )

/** Reduces every logged event that contains one of these words to the ids of the resources it describes. */
export function eraseEvents(db: Db, tenantId: string, words: readonly string[]): Promise<number> {
  const idsOnly = sql`json_strip_nulls(json_build_object('contact', ${idOnly('contact')},
    'conversation', ${idOnly('conversation')}, 'message', ${idOnly('message')}, 'erased', true))`
  return redactEvents(db, tenantId, words, idsOnly)
}
