/** Due runs resume in the order of their deadlines, even if one of them fails or is locked. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApi } from '../../../../test/harness/api.ts'
import { until } from '../../../../test/harness/service.ts'
import { createContact } from '../../../contacts/create-contacts.ts'
import { raw, sql } from '../../../platform/db/sql.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { startWorkers } from '../../../platform/jobs/workers.ts'
import { workflowJobs } from '../../domain.ts'
import { createJourney } from '../../testing/fixtures.ts'
import { startTimerLoop } from './timer-loop.ts'

const api = await testApi()
const { deps } = api
const { db } = deps

const ends: (() => Promise<void>)[] = []
const work = () => {
  const workers = startWorkers(deps, workflowJobs)
  ends.push(() => workers.stop(1_000))
}
const keepTime = () => {
  const timers = startTimerLoop(deps)
  ends.push(() => timers.stop())
}
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await db.run(sql`alter table contact_tags drop constraint if exists refuse`)
})

let tenantId: string
let journeyId: string
let contactIds: string[]

beforeEach(async () => {
  const workspace = await api.workspace()
  tenantId = workspace.tenantId
  const { id: tagId } = (await workspace.owner.post('/tags', { name: 'Woken' })).body
  journeyId = await createJourney(workspace.owner, {
    trigger: { type: 'manual' },
    nodes: { nap: ['delay', { for: { days: 1 } }], tag: ['addTag', { tagId }] },
    edges: ['start > nap', 'nap > tag'],
  })
  const caller = { tenantId, id: workspace.owner.id, role: 'owner', teamIds: [] } as unknown as Caller
  contactIds = await transact(db, async tx => {
    const ids: string[] = []
    for (let n = 0; n < 300; n++) ids.push((await createContact(tx, caller, { name: `Sleeper ${n}` })).id)
    return ids
  })
})

/** Inserts waiting runs, each due a millisecond after the previous one. */
async function sleepers(from: number, people: readonly string[]): Promise<void> {
  const firstAt = new Date(deps.clock.now().getTime() - 5_000 + from).toISOString()
  await db.run(sql`
    insert into workflow_runs (tenant_id, id, kind, workflow_id, version_id, contact_id, entry_mode, causation_depth, status,
      node_id, variables, visits, event, steps, revision, wait, waiting_since, wake_at, started_at, updated_at)
    select ${tenantId}, 'run_' || ${tenantId}::text || (${from}::int + p.n), 'journey', w.id, w.published_version_id, p.id,
      'every_time', 1, 'waiting', 'nap', '{}', '{"nap": 1}', '{"name": "test", "key": null, "data": {}}', 2, 1,
      json_build_object('until', to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), t.at, t.at, t.at, t.at
    from unnest(${people}::text[]) with ordinality as p (id, n)
    cross join lateral (select ${firstAt}::timestamptz + p.n * interval '1 ms' as at) t
    join workflows w on w.tenant_id = ${tenantId} and w.id = ${journeyId}`)
}

interface Woken {
  contactId: string
  status: string
  endedAt: string | null
  /** Number of steps, and visits by node. */
  steps: number
  visits: Record<string, number>
}

/** Lists the runs in the order of their deadlines. */
const all = () =>
  db.rows<Woken>(sql`
    select contact_id as "contactId", status, ended_at as "endedAt", steps, visits from workflow_runs
    where tenant_id = ${tenantId} order by started_at`)

const isWoken = (run: Woken) => run.status === 'completed'

/** Lists the runs that ended before a run with an earlier deadline. */
function overtaking(runs: readonly Woken[]): number {
  let latest = ''
  return runs.filter(({ endedAt }) => {
    const early = endedAt! < latest
    if (!early) latest = endedAt!
    return early
  }).length
}

test('hundreds of due runs resume in order although the step of one fails', async () => {
  const refused = contactIds[57]!
  await db.run(raw(`alter table contact_tags add constraint refuse check (contact_id <> '${refused}')`))
  await sleepers(0, contactIds)
  work()
  keepTime()
  const runs = await until(all, now => now.filter(isWoken).length === contactIds.length - 1)
  expect(overtaking(runs.filter(isWoken))).toBe(0)
  expect(runs.find(run => !isWoken(run))).toMatchObject({ contactId: refused, steps: 2, visits: { nap: 1 } })
  // Runs of the failed batch show no trace of the first attempt.
  for (const { steps, visits } of runs.filter(isWoken))
    expect({ steps, visits }).toEqual({ steps: 4, visits: { nap: 1, tag: 1 } })
})

test('a locked contact delays no other contact, and its own runs keep their order', async () => {
  const held = contactIds[10]!
  let letGo = () => {}
  const gone = new Promise<void>(resolve => {
    letGo = resolve
  })
  const holding = transact(db, async tx => {
    await tx.run(sql`select from contacts where tenant_id = ${tenantId} and id = ${held} for no key update`)
    await gone
  })
  try {
    await sleepers(0, contactIds)
    keepTime()
    await until(all, now => now.filter(isWoken).length === contactIds.length - 1)
  } finally {
    letGo()
    await holding
  }
  // The first run is in the queue, without workers yet; the second becomes due when the contact is unlocked.
  await sleepers(1_000, [held])
  await until(
    () => db.one<{ n: number }>(sql`select count(*) as n from workflow_runs where wake_at is not null`),
    ({ n }) => n === 0,
  )
  work()
  const runs = await until(all, now => now.every(isWoken))
  const [first, second] = runs.filter(run => run.contactId === held)
  expect(second!.endedAt! > first!.endedAt!).toBe(true)
})
