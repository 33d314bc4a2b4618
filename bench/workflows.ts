/**
 * Benchmarks workflows: durable runs of three steps (set, branch, tag) from event to finished, with the CPU time per run
 * of this process and the database; the cost of matching an event with 1 and with 200 active journeys; the cost of
 * 100,000 waiting runs, and the resumption of 10,000 that are due in the same second. RUNS, SLEEPERS, DUE and EVENTS
 * set the sizes.
 */
import { createContact } from '../src/contacts/create-contacts.ts'
import { createTag } from '../src/contacts/tags-and-fields/tags.ts'
import { UserId } from '../src/identity/schemas.ts'
import { createWorkspace } from '../src/identity/workspace/tenants.ts'
import { sql } from '../src/platform/db/sql.ts'
import { transact } from '../src/platform/db/transact.ts'
import type { Deps } from '../src/platform/deps.ts'
import { EventId, emitMany, type LogEvent, pendingEvent } from '../src/platform/events/event.ts'
import { startSequencer } from '../src/platform/events/sequencer.ts'
import { startSubscriptions } from '../src/platform/events/subscriptions.ts'
import type { Caller } from '../src/platform/http/caller.ts'
import { startWorkers } from '../src/platform/jobs/workers.ts'
import { workflowJobs } from '../src/workflows/domain.ts'
import { startTimerLoop } from '../src/workflows/engine/schedules/timer-loop.ts'
import { eventReceived } from '../src/workflows/events.ts'
import { createJourney } from '../src/workflows/journeys/journeys.ts'
import { workflowEngine } from '../src/workflows/subscriptions.ts'
import { activateWorkflow, getWorkflow, publishWorkflow } from '../src/workflows/workflows.ts'
import { benchDeps, report } from './support/environment.ts'
import { cpuMs } from './workflows/cpu.ts'
import { dbosRate } from './workflows/dbos.ts'

const runs = Number(process.env.RUNS ?? 5_000)
const events = Number(process.env.EVENTS ?? 5_000)
const sleepers = Number(process.env.SLEEPERS ?? 100_000)
const due = Number(process.env.DUE ?? 10_000)

const { deps, connection, close } = await benchDeps()

async function makeWorkspace(): Promise<Caller> {
  const owner = { name: 'Owner', email: `${UserId.create()}@example.com`, passwordHash: 'none' }
  const { tenantId, ownerId } = await transact(deps.db, tx => createWorkspace(tx, { name: 'Bench', owner }))
  return {
    tenantId,
    id: ownerId,
    kind: 'user',
    role: 'owner',
    scopes: new Set(),
    teamIds: [],
  } as unknown as Caller
}

type Node = { id: string; type: string; data: Record<string, unknown> }

async function addJourney(
  caller: Caller,
  triggerConfig: object,
  nodes: Node[],
  outputs: string[] = [],
): Promise<string> {
  const start = { id: 'start', type: 'start', data: { triggerConfig, entryMode: 'every_time' } }
  const all = [start, ...nodes]
  const edges = nodes.map((node, i) => ({
    id: `e${i}`,
    source: all[i]!.id,
    target: node.id,
    ...(outputs[i] ? { sourceHandle: outputs[i] } : {}),
  }))
  return transact(deps.db, async tx => {
    const { id } = await createJourney(tx, caller, { name: 'J', definition: { nodes: all, edges } })
    await publishWorkflow(deps, tx, caller, await getWorkflow(tx, caller.tenantId, 'journey', id))
    await activateWorkflow(deps, tx, caller, 'journey', id)
    return id
  })
}

const threeNodes = (tagId: string): Node[] => [
  { id: 'set', type: 'setVariable', data: { name: 'total', value: '{{event.data.total}}' } },
  { id: 'branch', type: 'branch', data: { cases: ['variables.total == "10"'] } },
  { id: 'tag', type: 'addTag', data: { tagId } },
]

async function addContacts(caller: Caller, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 100)
    await transact(deps.db, async tx => {
      for (let i = 0; i < 100; i++)
        ids.push((await createContact(tx, caller, { name: `Contact ${n + i}` })).id)
    })
  return ids
}

async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) await new Promise(resolve => setTimeout(resolve, 100))
}

async function threeSteps(caller: Caller): Promise<number> {
  const { tenantId } = caller
  const { id: tagId } = await transact(deps.db, tx => createTag(tx, caller, 'Bought'))
  await addJourney(caller, { type: 'event', name: 'order' }, threeNodes(tagId), ['', '', '0'])
  const contacts = await addContacts(caller, runs)
  const sequencer = startSequencer(deps, { connection })
  const feeds = startSubscriptions(deps as never, [workflowEngine], { connection })
  const workers = startWorkers(deps, workflowJobs)
  const timers = startTimerLoop(deps)
  const finished = async () => {
    const { n } = await deps.db.one<{ n: number }>(sql`
      select count(*) as n from workflow_runs where tenant_id = ${tenantId} and status = 'completed'`)
    return n
  }
  const send = async (ids: readonly string[]) => {
    for (let i = 0; i < ids.length; i += 100)
      await transact(deps.db, tx =>
        emitMany(
          tx,
          ids.slice(i, i + 100).map(contactId =>
            pendingEvent(eventReceived, {
              tenantId,
              data: { contactId, event: { name: 'order', key: null, data: { total: '10' } } },
            }),
          ),
        ),
      )
  }
  const warmUp = Math.min(500, runs / 2)
  await send(contacts.slice(0, warmUp))
  await until(async () => (await finished()) >= warmUp)
  const [before, beganAt] = [await cpuMs(deps.db), performance.now()]
  await send(contacts.slice(warmUp))
  await until(async () => (await finished()) >= runs)
  const seconds = (performance.now() - beganAt) / 1_000
  const cpu = ((await cpuMs(deps.db)) - before) / (runs - warmUp)
  const rate = (runs - warmUp) / seconds
  report({
    name: 'CPU of a three-step run, database included',
    unit: 'ms',
    value: cpu,
    limit: 1.5,
    ratio: cpu / 1.5,
    wanted: '≤ 1',
  })
  await Promise.all([workers.stop(1_000), feeds.stop(), timers.stop()])
  await sequencer.stop()
  return rate
}

async function besideDbos(rate: number): Promise<void> {
  const theirs = await dbosRate(connection, Number(process.env.DBOS_RUNS ?? 2_000))
  if (theirs === undefined) process.stderr.write('DBOS is not installed: npm install --prefix bench/peers\n')
  report({
    name: 'three-step runs, against DBOS',
    unit: 'runs/s',
    value: rate,
    limit: theirs ?? 0,
    ratio: theirs ? rate / theirs : 0,
    wanted: '≥ 10',
  })
}

/** Measures the cost of waiting runs, and how they resume when many are due in the same second. */
async function sleeping(caller: Caller): Promise<void> {
  const nap = { id: 'nap', type: 'delay', data: { for: { days: 1 } } }
  const journeyId = await addJourney(caller, { type: 'manual' }, [nap])
  const timers = startTimerLoop(deps)
  const workers = startWorkers(deps, workflowJobs)
  const rest = async () => {
    const before = await cpuMs(deps.db)
    await new Promise(resolve => setTimeout(resolve, 8_000))
    return ((await cpuMs(deps.db)) - before) / 80
  }
  const idle = await rest()
  await layToSleep(caller, journeyId, 'run_later', sleepers, new Date(Date.now() + 86_400_000))
  await deps.db.run(sql`vacuum analyze workflow_runs`)
  const asleep = await rest()
  report({
    name: `CPU while ${sleepers} runs sleep, against none`,
    unit: '%',
    value: asleep,
    limit: idle,
    ratio: asleep / Math.max(idle, 0.1),
    wanted: '≤ 1.5',
  })
  const dueAt = Date.now() + 20_000
  await layToSleep(caller, journeyId, 'run_soon', due, new Date(dueAt))
  if (Date.now() > dueAt) throw new Error('the machine is too busy: they were due before they slept')
  const ended = async () =>
    deps.db.one<{ n: number; first: number; last: number; inverted: number }>(sql`
      select count(*) as n, min(late) as first, max(late) as last,
        count(*) filter (where ended_at < earlier) as inverted
      from (
        select ended_at, extract(epoch from ended_at - started_at)::float8 as late,
          max(ended_at) over (order by started_at groups between unbounded preceding and 1 preceding) as earlier
        from workflow_runs
        where tenant_id = ${caller.tenantId} and workflow_id = ${journeyId} and status = 'completed'
      ) woken`)
  await until(async () => (await ended()).n === due)
  const { first, last, inverted } = await ended()
  report({
    name: `first of ${due} runs due in the same second, late`,
    unit: 's',
    value: first,
    limit: 2,
    ratio: first / 2,
    wanted: '≤ 1',
  })
  report({ name: 'and the last of them', unit: 's', value: last, limit: 0, ratio: 0, wanted: '' })
  report({ name: 'out of order', unit: 'runs', value: inverted, limit: 0, ratio: inverted, wanted: '0' })
  await Promise.all([workers.stop(1_000), timers.stop()])
}

/** `started_at` is the due time, spread over one second. */
async function layToSleep(
  { tenantId }: Caller,
  journeyId: string,
  prefix: string,
  count: number,
  from: Date,
): Promise<void> {
  await deps.db.run(sql`
    with times as (
      select n, ${from.toISOString()}::timestamptz + n * interval '1 second' / ${count}::int as at
      from generate_series(1, ${count}::int) n
    ), people as (
      select id, row_number() over (order by id) as place, count(*) over () as total
      from contacts where tenant_id = ${tenantId}
    )
    insert into workflow_runs (tenant_id, id, kind, workflow_id, version_id, contact_id, entry_mode, causation_depth, status,
      node_id, variables, visits, event, steps, revision, wait, waiting_since, wake_at, started_at, updated_at)
    select ${tenantId}, ${prefix}::text || t.n, 'journey', w.id, w.published_version_id, p.id, 'every_time', 1, 'waiting',
      'nap', '{}', '{"nap": 1}', '{"name": "bench", "key": null, "data": {}}', 2, 1,
      json_build_object('until', to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), t.at, t.at, t.at, t.at
    from times t join people p on p.place = t.n % p.total + 1
    join workflows w on w.tenant_id = ${tenantId} and w.id = ${journeyId}`)
}

/** Emits events that match no trigger, to measure the matching alone. */
async function matching(deps: Deps): Promise<void> {
  const caller = await makeWorkspace()
  const { tenantId } = caller
  const [contactId] = await addContacts(caller, 100)
  const tag = async (n: number) => (await transact(deps.db, tx => createTag(tx, caller, `Tag ${n}`))).id
  const log = (seq: number): LogEvent => ({
    id: EventId.create(),
    tenantId,
    seq,
    publicSeq: seq,
    type: 'contact.updated',
    timestamp: new Date().toISOString(),
    data: { contact: { id: contactId }, contactChanges: { addedTagIds: ['tag_of_nobody'] } },
    audience: null,
    causationDepth: 0,
  })
  const measure = async () => {
    const batch = Array.from({ length: 100 }, (_, i) => log(i))
    const once = () => transact(deps.db, tx => workflowEngine.apply!(tx, batch, deps))
    for (let i = 0; i < 5; i++) await once()
    const beganAt = performance.now()
    for (let n = 0; n < events; n += 100) await once()
    return ((performance.now() - beganAt) * 1_000) / events
  }
  await addJourney(caller, { type: 'tag_added', tagIds: [await tag(0)] }, threeNodes(await tag(1)))
  const one = await measure()
  for (let n = 2; n < 201; n++) {
    const tagId = await tag(n)
    await addJourney(caller, { type: 'tag_added', tagIds: [tagId] }, threeNodes(tagId))
  }
  const many = await measure()
  report({
    name: 'looking at an event with 200 active journeys, against one',
    unit: 'µs',
    value: many,
    limit: one,
    ratio: many / one,
    wanted: '≤ 2',
  })
}

try {
  const caller = await makeWorkspace()
  await besideDbos(await threeSteps(caller))
  await sleeping(caller)
  await matching(deps)
} finally {
  await close()
}
