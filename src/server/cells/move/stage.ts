/** Puts the rows of the small tables into the target during the pause. They take effect when the workspace becomes active. */
import type { MovedTable } from './catalog.ts'
import { quote } from './session.ts'
import { orderingSequences } from './tables.ts'
import type { MoveSessions } from './types.ts'

/** Facts about the source for the activation, as of the pause. */
export interface StagedFacts {
  /** The clock of the source's server. */
  at: string
  /** The last values of sequences. */
  sequences: Record<string, number>
  counts: Record<string, number>
}

export const factsTable = ''

export const isStaged = ({ treatment }: MovedTable): boolean => treatment.kind === 'staged'

/** Rows of larger workspaces do not fit into the pause. */
const maxRows = 100_000

export class PauseTooLong extends Error {}

export async function stageTables(
  { source, target, tenantId, tables }: MoveSessions,
  lanes: readonly string[],
): Promise<StagedFacts> {
  const counts: Record<string, number> = {}
  const facts = await source.one<{ at: string }>('select clock_timestamp()::text as at')
  const sequences = await readSequences(source)
  await target.transact(async () => {
    await target.run('delete from workspace_move_rows where tenant_id = $1', [tenantId])
    for (const table of tables.filter(isStaged)) {
      const contents = table.name === 'job_lanes' ? lanes : await readContents(source, table, tenantId)
      counts[table.name] = contents.length
      if (contents.length > maxRows)
        throw new PauseTooLong(`${table.name} has ${contents.length} rows of the workspace`)
      await insertContents(target, tenantId, table.name, contents)
    }
    await insertContents(target, tenantId, factsTable, [JSON.stringify({ ...facts, sequences, counts })])
  })
  return { ...facts, sequences, counts }
}

async function readContents(
  source: MoveSessions['source'],
  { name }: MovedTable,
  tenantId: string,
): Promise<string[]> {
  const t = quote(name)
  const from =
    name === 'jobs'
      ? 'jobs t join job_lanes l on l.id = t.lane_id where l.tenant_id = $1 order by t.id'
      : name === 'tenants'
        ? 'tenants t where t.id = $1'
        : `${t} t where t.tenant_id = $1`
  const rows = await source.rows<{ content: string }>(`select t::text as content from ${from}`, [tenantId])
  return rows.map(row => row.content)
}

async function insertContents(
  target: MoveSessions['target'],
  tenantId: string,
  table: string,
  contents: readonly string[],
): Promise<void> {
  if (contents.length === 0) return
  await target.run(
    `insert into workspace_move_rows (tenant_id, table_name, content)
     select $1, $2, content from unnest($3::text[]) with ordinality as c (content, n) order by n`,
    [tenantId, table, contents],
  )
}

async function readSequences(source: MoveSessions['source']): Promise<Record<string, number>> {
  const selects = orderingSequences.map(
    name => `select '${name}' as name, last_value as value from ${quote(name)}`,
  )
  const rows = await source.rows<{ name: string; value: number }>(selects.join(' union all '))
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
