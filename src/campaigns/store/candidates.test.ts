/** Loading recipients costs the same however many contacts the workspace has, also in tables that nobody has analysed. */
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import type { Tx } from '../../platform/db/db.ts'
import { type Sql, sql, toStatement } from '../../platform/db/sql.ts'
import { loadNextCandidates } from './candidates.ts'

const { db } = await testDatabase()
const tenantId = 'tn_1'
const contacts = 5_000
const limit = 250

test.each(['chatapp', 'sms'] as const)(
  'the next recipients on %s are read with few pages of each, without statistics',
  async channel => {
    await db.withClient(async client => {
      const run = (query: Sql, start = '') => {
        const { text, values } = toStatement(query)
        return client.query(`${start}${text}`, values)
      }
      await client.query('begin')
      await run(sql`insert into tenants (id, name, created_at) values (${tenantId}, 'T', now())`)
      await run(sql`
        insert into contacts (tenant_id, id, name, sort_name, search, created_at)
        select ${tenantId}::text, 'con_' || n, 'Person ' || n, 'person ' || n, 'person ' || n, now()
        from generate_series(1, ${contacts}::int) n`)
      await run(sql`
        insert into contact_identities (tenant_id, contact_id, id, channel, external_id, phone, created_at)
        select tenant_id, id, 'idn_' || id, 'chatapp', '+1415' || substr(id, 5), '+1415' || substr(id, 5), created_at
        from contacts`)
      await client.query('set local session_replication_role = replica') // no campaign is needed
      await run(sql`
        insert into campaign_recipients (tenant_id, campaign_id, contact_id, status, updated_at)
        select tenant_id, 'cmp_1', id, 'pending', now() from contacts`)
      let plan: Record<string, number> = {}
      const unprepared = async (query: Sql) => {
        const { rows } = await run(query, 'explain (analyze, buffers, format json) ')
        plan = rows[0]['QUERY PLAN'][0].Plan
        return []
      }
      await loadNextCandidates({ unprepared } as unknown as Tx, tenantId, 'cmp_1', {
        after: '',
        limit,
        channel,
      })
      await client.query('rollback')
      expect(plan['Actual Rows']).toBe(limit)
      expect((plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!) / limit).toBeLessThan(60)
    })
  },
)
