/**
 * However much is waiting, the statements of delivery read a few pages. They are planned while everything is empty, as
 * happens to a process that starts on a quiet day, and run when it is not.
 */
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { type Queryable, queryable } from '../../platform/db/db.ts'
import { raw, type Sql, sql, toStatement } from '../../platform/db/sql.ts'
import { type Completion, completeDeliveries } from './completions.ts'
import { type ClaimRequest, claimDue } from './deliveries.ts'
import { claimEndpoints, releaseLeases, renewLeases } from './endpoint-state.ts'

const { db } = await testDatabase()
const now = new Date().toISOString()
const rows = 40_000

const lane = (tenantId: string, places: number): ClaimRequest & { parked: boolean } => ({
  tenantId,
  token: 1,
  limit: places,
  scanFrom: '1970-01-01T00:00:00.000Z',
  parked: false,
})
const settled = (tenantId: string, isBacklog: boolean, nextAt: string | null): Completion[] =>
  Array.from({ length: 16 }, (_, n) => ({
    tenantId,
    token: 1,
    id: `whd_${tenantId}_${rows - n}`,
    isBacklog,
    outcome: nextAt ? 'failed' : 'arrived',
    nextAt,
    attempt: null,
  }))

const statements: Record<string, (on: Queryable) => Promise<unknown>> = {
  claiming: on => claimEndpoints(on, { now, limit: 200, leaseMs: 6_000 }),
  renewing: on => renewLeases(on, [lane('live', 16)], 6_000),
  'taking from a live lane': on => claimDue(on, [lane('live', 16)], now),
  'taking one from a dead lane': on => claimDue(on, [lane('dead', 1)], now),
  'settling what has arrived': on => completeDeliveries(on, settled('live', false, null)),
  'settling what has failed': on => completeDeliveries(on, settled('live', false, now)),
  'settling what has failed again': on => completeDeliveries(on, settled('dead', true, now)),
  'releasing a live lane': on => releaseLeases(on, [lane('live', 16)], now),
  'releasing a dead lane': on => releaseLeases(on, [lane('dead', 1)], now),
}

async function fill(): Promise<void> {
  for (const [tenantId, table] of [
    ['live', 'webhook_deliveries'],
    ['dead', 'webhook_backlog'],
  ] as const) {
    await db.run(sql`insert into tenants (id, name, created_at) values (${tenantId}, 'T', now())`)
    await db.run(
      sql`insert into webhook_endpoint_state (tenant_id, due_at, token, news) values (${tenantId}, now(), 1, false)`,
    )
    await db.run(sql`
      insert into ${raw(table)} (tenant_id, id, seq, event_id, event_type, due_at, taken_by, taken_at)
      select ${tenantId}::text, 'whd_' || ${tenantId}::text || '_' || n, n, 'evt_' || n, 'message.created',
        now() + (n % 100 - 50) * interval '1 minute', case when n > ${rows - 16}::int then 1 end, now()
      from generate_series(1, ${rows}::int) n`)
  }
}

/** With the settings that the deliverer has: what each of them reads, in pages. Nothing they do is kept. */
async function pagesRead(): Promise<Record<string, number>> {
  const pages: Record<string, number> = {}
  await db.withClient(async client => {
    const run = (text: string, values: unknown[] = []) => client.query(text, values)
    for (const name of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan'])
      await run(`set enable_${name} = off`)
    await run('set plan_cache_mode = force_generic_plan')
    const each = async (work: (name: string, index: number, query: Sql) => Promise<void>) => {
      for (const [index, [name, statement]] of Object.entries(statements).entries()) {
        const sent = queryable(async (query: Sql) => {
          await work(name, index, query)
          return { rows: [], rowCount: 0 } as never
        })
        await run('begin')
        await statement(sent)
        await run('rollback')
      }
    }
    const literal = (value: unknown): string =>
      value === null ? 'null' : Array.isArray(value) ? `'{${value.map(member).join()}}'` : `'${value}'`
    const member = (value: unknown) => (value === null ? 'null' : JSON.stringify(value))
    const executing = (index: number, query: Sql) =>
      `execute s${index} (${toStatement(query).values.map(literal).join()})`
    await each(async (_name, index, query) => {
      await run('savepoint planned')
      await run(`prepare s${index} as ${toStatement(query).text}`)
      await run(executing(index, query))
    })
    await fill()
    await each(async (name, index, query) => {
      const { rows: found } = await run(`explain (analyze, buffers, format json) ${executing(index, query)}`)
      const plan = found[0]['QUERY PLAN'][0].Plan
      pages[name] = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    })
  })
  return pages
}

test('each statement reads a few pages', async () => {
  const pages = await pagesRead()
  expect(Object.keys(pages)).toEqual(Object.keys(statements))
  for (const read of Object.values(pages)) expect(read, JSON.stringify(pages)).toBeLessThan(400)
})
