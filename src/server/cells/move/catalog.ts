/** Reads from the catalog how the rows of each table are addressed and written. */
import { MoveRefused, quote, type Session } from './session.ts'
import { findTreatment, otherKeys, type Treatment } from './tables.ts'

export interface Column {
  name: string
  type: string
}

export interface MovedTable {
  name: string
  treatment: Treatment
  /** Columns that are written; generated ones are not. */
  columns: readonly Column[]
  /** Columns of the key, without the workspace if there are others; empty for tables without a key. */
  key: readonly Column[]
  /** The definition of all columns, which must be the same in both cells. */
  shape: string
}

interface CatalogRow {
  name: string
  columns: { name: string; type: string; generated: boolean }[]
  primaryKey: string[]
}

const catalogQuery = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'generated', a.attgenerated <> '') order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select array_agg(a.attname::text order by array_position(i.indkey::int[], a.attnum::int))
      from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary), '{}') as "primaryKey"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

export async function listTableNames(on: Pick<Session, 'rows'>): Promise<string[]> {
  return (await on.rows<CatalogRow>(catalogQuery)).map(row => row.name)
}

/** Lists the tables of which a workspace's rows are moved. Throws if the schema has one that is not in the list. */
export async function readTables(on: Pick<Session, 'rows'>): Promise<MovedTable[]> {
  const rows = await on.rows<CatalogRow>(catalogQuery)
  return rows.flatMap(row => {
    const treatment = findTreatment(row.name)
    if (!treatment) throw new MoveRefused(`the table ${row.name} is unknown to this version`)
    return treatment.kind === 'stays' ? [] : [toTable(row, treatment)]
  })
}

function toTable({ name, columns, primaryKey }: CatalogRow, treatment: Treatment): MovedTable {
  const wholeKey = otherKeys[name] ?? primaryKey
  // A table with one row for each workspace has no other column.
  const key = wholeKey.length > 1 ? wholeKey.filter(column => column !== 'tenant_id') : wholeKey
  return {
    name,
    treatment,
    columns: columns.filter(column => !column.generated),
    key: key.map(column => columns.find(each => each.name === column)!),
    shape: columns.map(column => `${column.name} ${column.type}`).join(', '),
  }
}

/** Both cells must have run the same migrations: rows are transferred as text, in the order of their columns. */
export function assertSameShape(source: readonly MovedTable[], target: readonly MovedTable[]): void {
  const shapes = new Map(target.map(table => [table.name, table.shape]))
  const different = source.find(table => shapes.get(table.name) !== table.shape)
  if (different || source.length !== target.length)
    throw new MoveRefused(
      `the schemas of the cells differ${different ? ` in ${different.name}` : ''}; migrate both to this version`,
    )
}

export const columnList = (columns: readonly Column[], prefix = ''): string =>
  columns.map(({ name }) => prefix + quote(name)).join(', ')

/** The key of a row as an array of text. */
export const keyText = ({ key }: MovedTable, alias: string): string =>
  `array[${key.map(({ name }) => `${alias}.${quote(name)}::text`).join(', ')}]`

/** The rows with these keys: `$2` is an array for each column of the key, or one array of json arrays. */
export const joinKeys = ({ key }: MovedTable, alias: string): string =>
  key.map(({ name, type }, n) => `${alias}.${quote(name)} = (k.key->>${n})::${type}`).join(' and ')

export const hashOf = (row: string): string => `hashtextextended(${row}, 0)`
