/**
 * Delivery statements read few pages however many deliveries wait, also if they were planned while the tables were empty.
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

const lease = (tenantId: string, limit: number): ClaimRequest & { disabled: boolean } => ({
  tenantId,
  endpointId: 'whs_1',
  token: 1,
  limit,
  scanFrom: '1970-01-01T00:00:00.000Z',
  disabled: false,
})
const completions = (tenantId: string, isBacklog: boolean, nextAt: string | null): Completion[] =>
  Array.from({ length: 16 }, (_, n) => ({
    tenantId,
    token: 1,
    id: `whd_${tenantId}_${rows - n}`,
    isBacklog,
    outcome: nextAt ? 'failed' : 'succeeded',
    nextAt,
    attempt: null,
  }))

const statements: Record<string, (on: Queryable) => Promise<unknown>> = {
  claiming: on => claimEndpoints(on, { now, limit: 200, leaseMs: 6_000 }),
  renewing: on => renewLeases(on, [lease('live', 16)], 6_000),
  'claiming for a live endpoint': on => claimDue(on, [lease('live', 16)], now),
  'claiming for a dead endpoint': on => claimDue(on, [lease('dead', 1)], now),
  'completing successes': on => completeDeliveries(on, completions('live', false, null)),
  'completing failures': on => completeDeliveries(on, completions('live', false, now)),
  'completing repeated failures': on => completeDeliveries(on, completions('dead', true, now)),
  'releasing a live endpoint': on => releaseLeases(on, [lease('live', 16)], now),
  'releasing a dead endpoint': on => releaseLeases(on, [lease('dead', 1)], now),
}

async function fill(): Promise<void> {
  for (const [tenantId, table] of [
    ['live', 'webhook_deliveries'],
    ['dead', 'webhook_backlog'],
  ] as const) {
    await db.run(sql`insert into tenants (id, name, created_at) values (${tenantId}, 'T', now())`)
    await db.run(
      sql`insert into webhook_endpoint_state (tenant_id, endpoint_id, due_at, token, has_new)
        values (${tenantId}, 'whs_1', now(), 1, false)`,
    )
    await db.run(sql`
      insert into ${raw(table)} (tenant_id, id, endpoint_id, seq, event_id, event_type, due_at, claimed_by, claimed_at)
      select ${tenantId}::text, 'whd_' || ${tenantId}::text || '_' || n, 'whs_1', n, 'evt_' || n, 'message.created',
        now() + (n % 100 - 50) * interval '1 minute', case when n > ${rows - 16}::int then 1 end, now()
      from generate_series(1, ${rows}::int) n`)
  }
}

/** Runs each statement with the deliverer's settings, rolls back, and returns the pages it read. */
async function pagesRead(): Promise<Record<string, number>> {
  const pages: Record<string, number> = {}
  await db.withClient(async client => {
    const run = (text: string, values: unknown[] = []) => client.query(text, values)
    // The tables are empty, and nothing is planned.
    await run('discard all')
    await run('truncate tenants, webhook_endpoint_state, webhook_deliveries, webhook_backlog cascade')
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

test('each statement reads few pages', async () => {
  const pages = await pagesRead()
  expect(Object.keys(pages)).toEqual(Object.keys(statements))
  for (const read of Object.values(pages)) expect(read, JSON.stringify(pages)).toBeLessThan(400)
})
