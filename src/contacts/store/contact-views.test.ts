/**
 * Reading contacts by id costs the same however many the workspace has, also in tables of a few thousand rows that nobody
 * has analysed: there the planner has no reason to prefer one index of the workspace to another.
 */
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { type Queryable, queryable } from '../../platform/db/db.ts'
import { type Sql, sql, toStatement } from '../../platform/db/sql.ts'
import { listContactJson, listSelectedContactJson } from './contact-json.ts'
import { listContactRows, listSummaryRows, loadSnapshots } from './contact-views.ts'

const { db } = await testDatabase()
const tenantId = 'tn_1'
const contacts = 3_000
const ids = Array.from({ length: 50 }, (_, n) => `con_${n * 60 + 1}`)

const statements: Record<string, (on: Queryable) => Promise<unknown>> = {
  'contacts with identities': on => listContactJson(on, tenantId, ids),
  'a page of contacts with identities': on =>
    listSelectedContactJson(
      on,
      sql`select * from contacts where tenant_id = ${tenantId} and deleted_at is null and archived_at is null
        order by id desc limit 50`,
    ),
  'contacts with conversations': on => listContactRows(on, tenantId, ids),
  summaries: on => listSummaryRows(on, tenantId, ids),
  snapshots: on => loadSnapshots(on, tenantId, ids),
}

/** Returns how many pages the statement reads for each contact. */
async function pagesPerContact(statement: (on: Queryable) => Promise<unknown>): Promise<number> {
  let pages = Number.NaN
  const explaining = queryable(async (query: Sql) => {
    const { rows } = await db.withClient(client => {
      const { text, values } = toStatement(query)
      return client.query(`explain (analyze, buffers, format json) ${text}`, values)
    })
    const plan = rows[0]['QUERY PLAN'][0].Plan
    expect(plan['Actual Rows']).toBe(ids.length)
    pages = (plan['Shared Hit Blocks'] + plan['Shared Read Blocks']) / ids.length
    return { rows: [], rowCount: 0 } as never
  })
  await statement(explaining)
  return pages
}

test('reading contacts by id reads few pages of each, without statistics', async () => {
  await db.run(sql`insert into tenants (id, name, created_at) values (${tenantId}, 'T', now())`)
  for (const table of [sql`contacts`, sql`contact_activity`, sql`contact_identities`])
    await db.run(sql`alter table ${table} set (autovacuum_enabled = off)`)
  await db.run(sql`
    insert into contacts (tenant_id, id, name, sort_name, search, created_at)
    select ${tenantId}::text, 'con_' || n, 'Person ' || n, 'person ' || n, 'person ' || n, now()
    from generate_series(1, ${contacts}::int) n`)
  await db.run(sql`
    insert into contact_activity (tenant_id, contact_id, updated_at)
    select tenant_id, id, created_at from contacts`)
  await db.run(sql`
    insert into contact_identities (tenant_id, contact_id, id, channel, external_id, phone, created_at)
    select tenant_id, id, 'idn_' || id, 'chatapp', '+1415' || substr(id, 5), '+1415' || substr(id, 5), created_at
    from contacts`)
  for (const [name, statement] of Object.entries(statements))
    expect(await pagesPerContact(statement), name).toBeLessThan(60)
})
