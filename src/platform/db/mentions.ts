/** Whether a text mentions one of these, as a whole word: a phone number is not part of a longer one. */
import { raw, type Sql, sql } from './sql.ts'

export function mentions(column: string, needles: readonly string[]): Sql {
  const words = needles.map(needle => needle.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&'))
  return sql`(${raw(column)} ~ ${`(?<![0-9A-Za-z_])(?:${words.join('|')})(?![0-9A-Za-z_])`})`
}
