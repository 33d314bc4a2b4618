/**
 * SQL as tagged templates: `sql\`select … where id = ${id}\``. Values become parameters, nested fragments are
 * spliced in, so a value can never become text. A statement's name is the hash of its text: it is parsed and
 * planned once per connection.
 */
import { createHash } from 'node:crypto'
import { formatArrays } from './array-literal.ts'

export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

export interface Statement {
  text: string
  name: string
  values: unknown[]
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values)
}

/** Text of the program, never of a request: a column name, a sort direction. */
export function raw(text: string): Sql {
  return new Sql([text], [])
}

const counts = new Map<number, Sql>()

/**
 * A limit as text of the statement: for a parameter the planner assumes a tenth of all rows, considers the generic plan
 * too expensive, and plans again on each execution. Pages have few sizes.
 */
export function inlineLimit(count: number): Sql {
  const known = counts.get(count)
  if (known) return known
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} is not a number of rows`)
  const limit = raw(String(count))
  counts.set(count, limit)
  return limit
}

export function join(parts: readonly Sql[], separator = ', '): Sql {
  if (parts.length === 0) return raw('')
  const strings = ['', ...Array<string>(parts.length - 1).fill(separator), '']
  return new Sql(strings, parts)
}

/** Matches a text that contains one of these as a whole word: a phone number does not match within a longer one. */
export function containsAnyWord(column: string, words: readonly string[]): Sql {
  const escaped = words.map(word => word.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&'))
  return sql`(${raw(column)} ~ ${`(?<![0-9A-Za-z_])(?:${escaped.join('|')})(?![0-9A-Za-z_])`})`
}

export function and(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? raw('true') : join(parts, ' and ')
}

/** From inclusive, to exclusive. */
export function inRange(
  column: Sql,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Sql {
  return and([
    ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${column} < ${to}`]),
  ])
}

interface CachedTemplate {
  text: string
  name: string
  /** The fragments it was built with; the same fragments give the same text. */
  fragments: readonly unknown[]
}

const templates = new WeakMap<readonly string[], CachedTemplate>()
const names = new Map<string, string>()

function toStatementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url')
    // Composed statements have a bounded number of shapes; the cap only guards against a mistake.
    if (names.size < 10_000) names.set(text, name)
  }
  return name
}

function flatten(part: Sql, out: { text: string; values: unknown[] }): void {
  for (let i = 0; i < part.strings.length; i++) {
    out.text += part.strings[i]
    if (i >= part.values.length) continue
    const value = part.values[i]
    if (value instanceof Sql) flatten(value, out)
    else out.text += `$${out.values.push(value)}`
  }
}

const isFragment = (value: unknown): value is Sql => value instanceof Sql

/** Templates whose fragments are constants (a list of columns) are built once. */
function findCachedStatement(query: Sql): Statement | undefined {
  const known = templates.get(query.strings)
  if (!known) return undefined
  let values = query.values
  if (known.fragments.length > 0) {
    const fragments = values.filter(isFragment)
    if (fragments.length !== known.fragments.length || fragments.some((one, i) => one !== known.fragments[i]))
      return undefined
    values = values.filter(value => !isFragment(value))
  }
  return { text: known.text, name: known.name, values: formatArrays(values) }
}

export function toStatement(query: Sql): Statement {
  const recalled = findCachedStatement(query)
  if (recalled) return recalled
  const out = { text: '', values: [] as unknown[] }
  flatten(query, out)
  const name = toStatementName(out.text)
  const fragments = query.values.filter(isFragment)
  if (fragments.every(one => one.values.length === 0))
    templates.set(query.strings, { text: out.text, name, fragments })
  return { text: out.text, name, values: formatArrays(out.values) }
}
