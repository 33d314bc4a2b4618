/**
 * Transfers rows as text between the databases of a move. Each written row is read back and compared by its hash, so that
 * what arrived is what was read.
 */
import { columnList, hashOf, joinKeys, keyText, type MovedTable } from './catalog.ts'
import { quote, type Session } from './session.ts'

export type Key = readonly string[]

export interface Row {
  key: Key
  content: string
  hash: string
}

const toRow = (table: MovedTable) =>
  `${table.key.length > 0 ? keyText(table, 't') : "'{}'::text[]"} as key, t::text as content, ${hashOf('t::text')}::text as hash`

/** Reads the next rows in the order of their key. */
export function readNext(
  on: Session,
  table: MovedTable,
  tenantId: string,
  { after, limit }: { after: Key | undefined; limit: number },
): Promise<Row[]> {
  return on.rows<Row>(
    `select ${toRow(table)} from ${quote(table.name)} t
     where t.tenant_id = $1 ${after ? `and ${isAfter(table, 2)}` : ''}
     order by ${orderOf(table)} limit ${limit}`,
    [tenantId, ...(after ?? [])],
  )
}

export const orderOf = ({ key }: MovedTable): string => key.map(({ name }) => `t.${quote(name)}`).join(', ')

/** The key of the row is above the parameters from this number on. */
export function isAfter({ key }: MovedTable, first: number, comparison = '>'): string {
  const columns = key.map(({ name }) => `t.${quote(name)}`)
  const bounds = key.map(({ type }, n) => `$${first + n}::${type}`)
  return `(${columns.join(', ')}) ${comparison} (${bounds.join(', ')})`
}

export function readByKey(
  on: Session,
  table: MovedTable,
  tenantId: string,
  keys: readonly Key[],
): Promise<Row[]> {
  return on.rows<Row>(
    `select ${toRow(table)} from unnest($2::json[]) as k (key)
     join ${quote(table.name)} t on t.tenant_id = $1 and ${joinKeys(table, 't')}`,
    [tenantId, keys.map(key => JSON.stringify(key))],
  )
}

export async function deleteByKey(
  on: Session,
  table: MovedTable,
  tenantId: string,
  keys: readonly Key[],
): Promise<void> {
  await on.run(
    `delete from ${quote(table.name)} t using unnest($2::json[]) as k (key)
     where t.tenant_id = $1 and ${joinKeys(table, 't')}`,
    [tenantId, keys.map(key => JSON.stringify(key))],
  )
}

/** Returns the keys that were not written, because another row has one of their unique values. */
export async function insertRows(
  on: Session,
  table: MovedTable,
  rows: readonly Row[],
): Promise<readonly Key[]> {
  if (rows.length === 0) return []
  const name = quote(table.name)
  const written = await on.rows<Pick<Row, 'key' | 'hash'>>(
    `insert into ${name} as t (${columnList(table.columns)}) overriding system value
     select ${columnList(table.columns, 'r.')} from unnest($1::${name}[]) r
     on conflict do nothing returning ${keyText(table, 't')} as key, ${hashOf('t::text')}::text as hash`,
    [rows.map(row => row.content)],
  )
  const hashes = new Map(written.map(row => [toText(row.key), row.hash]))
  const different = rows.find(row => (hashes.get(toText(row.key)) ?? row.hash) !== row.hash)
  if (different)
    throw new Error(`a row of ${table.name} arrived changed: ${different.key.join(', ').slice(0, 200)}`)
  return rows.filter(row => !hashes.has(toText(row.key))).map(row => row.key)
}

export const toText = (key: Key): string => JSON.stringify(key)
