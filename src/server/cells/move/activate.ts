/**
 * Makes a workspace that has arrived active: in one transaction its staged rows take effect and the target no longer
 * holds it back. Runs after the source has given it up, by the driver or by a process that finishes its work.
 */
import { columnList, type MovedTable } from './catalog.ts'
import { dueAt } from './queues.ts'
import { quote, type Session } from './session.ts'
import { factsTable, isStaged, type StagedFacts } from './stage.ts'

/** Between the values of the source and the next one in the target: some are drawn while the sequence is raised. */
const sequenceGap = 1_000_000
const maxLease = `interval '10 minutes'`

class Rehearsed extends Error {}

/** Does everything and undoes it: after the switch nothing may fail that could have been noticed before. */
export async function rehearseActivation(
  target: Session,
  tenantId: string,
  tables: readonly MovedTable[],
): Promise<void> {
  const rehearsal = target.transact(async () => {
    await insertAll(target, tenantId, tables)
    throw new Rehearsed()
  })
  await rehearsal.catch(error => {
    if (!(error instanceof Rehearsed)) throw error
  })
}

/** Does nothing if the workspace is active already. */
export async function activate(
  target: Session,
  tenantId: string,
  tables: readonly MovedTable[],
): Promise<void> {
  await target.transact(async () => {
    const [arriving] = await target.rows(
      `select from workspace_moves where tenant_id = $1 and direction = 'in' for update`,
      [tenantId],
    )
    if (!arriving) return
    await insertAll(target, tenantId, tables)
    for (const table of ['workspace_move_rows', 'workspace_move_progress', 'workspace_moves'])
      await target.run(`delete from ${table} where tenant_id = $1`, [tenantId])
  })
}

async function insertAll(target: Session, tenantId: string, tables: readonly MovedTable[]): Promise<void> {
  const { content } = await target.one<{ content: string }>(
    'select content from workspace_move_rows where tenant_id = $1 and table_name = $2',
    [tenantId, factsTable],
  )
  const facts: StagedFacts = JSON.parse(content)
  for (const [sequence, value] of Object.entries(facts.sequences))
    await raiseSequence(target, sequence, value)
  const expressions = toExpressions(facts, await reserveJobIds(target, tenantId))
  for (const table of tables.filter(isStaged)) {
    const inserted = await insertStaged(target, tenantId, table, expressions[table.name] ?? {})
    if (inserted !== facts.counts[table.name])
      throw new Error(`${table.name}: ${inserted} of ${facts.counts[table.name]} staged rows were inserted`)
  }
}

async function raiseSequence(target: Session, sequence: string, value: number): Promise<void> {
  await target.rows(
    `select setval('${sequence}', $1::bigint + ${sequenceGap}) from ${quote(sequence)} where last_value <= $1::bigint`,
    [value],
  )
}

/** Numbers of jobs are unique in a cell. Returns by how much those of the workspace are raised. */
async function reserveJobIds(target: Session, tenantId: string): Promise<number> {
  const first = `least((select min((content::job_lanes).id) from workspace_move_rows where tenant_id = $1 and table_name = 'job_lanes'),
    (select min((content::dead_jobs).id) from workspace_move_rows where tenant_id = $1 and table_name = 'dead_jobs'))`
  const last = `greatest(
    (select max((content::job_lanes).id) from workspace_move_rows where tenant_id = $1 and table_name = 'job_lanes'),
    (select max((content::jobs).id) from workspace_move_rows where tenant_id = $1 and table_name = 'jobs'),
    (select max((content::dead_jobs).id) from workspace_move_rows where tenant_id = $1 and table_name = 'dead_jobs'))`
  const { next, lowest, highest } = await target.one<{
    next: number
    lowest: number | null
    highest: number | null
  }>(`select nextval('job_ids') as next, ${first} as lowest, ${last} as highest`, [tenantId])
  if (lowest === null || highest === null) return 0
  const shift = next + sequenceGap - lowest
  await target.rows(`select setval('job_ids', $1::bigint)`, [highest + shift + sequenceGap])
  return shift
}

/** Columns that differ from those in the source, as expressions over the source's row `r`. */
function toExpressions(facts: StagedFacts, shift: number): Record<string, Record<string, string>> {
  const at = dueAt('r.at')
  // A worker of the source may hold the lease until its end, and call a provider until then.
  const leaseEnd = `least(r.at + (clock_timestamp() - '${facts.at}'::timestamptz), clock_timestamp() + ${maxLease})`
  return {
    job_lanes: {
      id: `r.id + ${shift}`,
      done_id: `case when r.done_id > 0 then r.done_id + ${shift} else 0 end`,
      state: `case when r.state <> 'leased' and ${at} <= now() then 'ready' else 'scheduled' end`,
      at: `case when r.state = 'leased' then ${leaseEnd} when ${at} <= now() then now() else ${at} end`,
      suspect_token: 'null',
    },
    jobs: { lane_id: `r.lane_id + ${shift}`, id: `r.id + ${shift}` },
    dead_jobs: { id: `r.id + ${shift}` },
    event_consumer_queue: { due_at: 'case when r.latest_seq > r.processed_seq then now() end' },
    // As after the death of a deliverer: the next one finds the calls that were interrupted.
    webhook_endpoint_state: { due_at: 'null', leased_until: 'now()' },
  }
}

function insertStaged(
  target: Session,
  tenantId: string,
  { name, columns }: MovedTable,
  expressions: Record<string, string>,
): Promise<number> {
  const values = columns.map(column => expressions[column.name] ?? `r.${quote(column.name)}`)
  return target.run(
    `insert into ${quote(name)} (${columnList(columns)}) overriding system value
     select ${values.join(', ')} from (
       select (staged.content).* from (
         select content::${quote(name)} as content from workspace_move_rows
         where tenant_id = $1 and table_name = '${name}' order by n offset 0) staged offset 0) r`,
    [tenantId],
  )
}
