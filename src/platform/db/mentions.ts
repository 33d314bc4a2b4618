/** Whether a text mentions one of these, as a whole word: a phone number is not part of a longer one. */
import { raw, type Sql, sql } from './sql.ts'

export function containsAnyWord(column: string, words: readonly string[]): Sql {
  const escaped = words.map(needle => needle.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&'))
  return sql`(${raw(column)} ~ ${`(?<![0-9A-Za-z_])(?:${escaped.join('|')})(?![0-9A-Za-z_])`})`
}
