/**
 * Benchmarks campaigns: storing a large audience compared with a plain INSERT … SELECT of the same contacts; the
 * analytics of a campaign of that size; sending to the sandbox compared with single sends; and the delay of replies
 * during a campaign. BENCH_CONTACTS sets the audience (1,000,000), BENCH_SENDS the number of sends (2,000), BENCH_CROWD
 * the size of the campaign during the replies.
 */
import { getAnalytics } from '../src/campaigns/analytics.ts'
import { getCampaign } from '../src/campaigns/campaigns.ts'
import { insertProgress } from '../src/campaigns/store/progress.ts'
import { insertAudience } from '../src/campaigns/store/recipients.ts'
import { createWorkspace } from '../src/identity/workspace/tenants.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import { selectMatching } from '../src/segments/search.ts'
import { sendingBench } from './campaigns/sending.ts'
import { benchDeps, report } from './support/environment.ts'
import { percentile } from './support/statistics.ts'

const audience = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
const rounds = 2
const everyone = { match: 'all' as const, conditions: [] }

async function ledgerBench(): Promise<void> {
  const { deps, close } = await benchDeps()
  const { db } = deps
  const owner = { name: 'Owner', email: 'owner@example.com', passwordHash: 'none' }
  const { tenantId, ownerId } = await transact(db, tx => createWorkspace(tx, { name: 'Bench', owner }))
  // The text index is not used here, and filling it would take longer than everything else.
  await db.run(sql`drop index contacts_text`)
  await db.run(sql`
    insert into contacts (tenant_id, id, name, sort_name, search, created_at)
    select ${tenantId}, 'con_' || lpad(n::text, 26, '0'), 'Person ' || n, 'person ' || n, '', now()
    from generate_series(1, ${audience}::int) n`)
  await db.run(sql`
    insert into contact_activity (tenant_id, contact_id, updated_at)
    select tenant_id, id, created_at from contacts where tenant_id = ${tenantId}`)
  await db.run(sql`create table bare (tenant_id text collate "C" not null, campaign_id text collate "C" not null,
    contact_id text collate "C" not null, updated_at timestamptz not null,
    primary key (tenant_id, campaign_id, contact_id))`)
  await db.run(sql`vacuum analyze contacts`)
  await db.run(sql`vacuum analyze contact_activity`)
  const bare: number[] = []
  const ours: number[] = []
  for (let round = 0; round < rounds; round++) {
    const id = `cmp_${round}`
    await db.run(sql`
      insert into campaigns (tenant_id, id, name, status, created_by, created_at, updated_at, started_at, audience_count)
      values (${tenantId}, ${id}, 'Bench', 'sending', ${ownerId}, now(), now(), now(), ${audience})`)
    bare.push(
      await seconds(() =>
        transact(db, tx =>
          tx.unprepared(sql`
            insert into bare select tenant_id, ${id}, id, ${tx.now}::timestamptz from contacts
            where tenant_id = ${tenantId} and archived_at is null and deleted_at is null`),
        ),
      ),
    )
    ours.push(
      await seconds(() =>
        transact(db, async tx => {
          const matching = await selectMatching(tx, tenantId, everyone, new Date())
          await insertProgress(tx, tenantId, id, await insertAudience(tx, tenantId, id, matching))
        }),
      ),
    )
  }
  const [limit, value] = [audience / Math.min(...bare), audience / Math.min(...ours)]
  const name = `ledger of ${audience} recipients`
  report({ name, unit: 'rows/s', value, limit, ratio: value / limit, wanted: '≥ 0.5' })
  await db.run(sql`
    insert into campaign_timeline (tenant_id, campaign_id, at, sent, delivered, read, failed)
    select ${tenantId}, 'cmp_0', now() + n * interval '1 minute', 700, 650, 300, 5 from generate_series(1, 1440) n`)
  const caller = { tenantId, role: 'owner' as const, teamIds: [] }
  const times: number[] = []
  for (let i = 0; i < 500; i++)
    times.push(1_000 * (await seconds(async () => getAnalytics(db, await getCampaign(db, caller, 'cmp_0')))))
  const p99 = percentile(times, 0.99)
  report({ name: 'analytics of it, p99', unit: 'ms', value: p99, limit: 50, ratio: p99 / 50, wanted: '≤ 1' })
  await close()
}

async function seconds(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return (performance.now() - startedAt) / 1_000
}

await ledgerBench()
const sends = Number(process.env.BENCH_SENDS ?? 2_000)
if (sends > 0) await sendingBench(sends, Number(process.env.BENCH_CROWD ?? sends))
