/** Writers race, processes die: what was committed is in the log, once, in order, and every subscriber gets it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { systemClock } from '../clock.ts'
import { connectDb, type Tx } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { emit, emitFromSelect, emitMany, pendingEvent } from './event.ts'
import { getLatestSeq } from './log.ts'
import { children } from './testing/children.ts'
import { eventRig, eventually, thingChanged } from './testing/rig.ts'

const { connection } = await eventRig()
const db = connectDb({ connection, clock: systemClock, readers: 2, writers: 24 })
const crowd = children(connection)
const rows = 40
/** More of them for a long run by hand. */
const wantedKills = Number(process.env.CRASH_KILLS ?? 5)
const tenantOf = (row: number) => `tn_${row % 5}`

beforeAll(async () => {
  await db.run(sql`create table hot (row int primary key, n int not null)`)
  await db.run(sql`insert into hot select generate_series(0, ${rows - 1}::int), 0`)
  await db.run(sql`create table ledger (id bigint generated always as identity, subscriber text, tenant_id text,
    seq bigint, data json, process int)`)
})
afterEach(() => crowd.killAll())
afterAll(() => db.close())

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const pick = (below: number) => Math.floor(Math.random() * below)
class Abandoned extends Error {}

/** Changes a row, counting, and says so: a row's events must come as 1, 2, 3 … and end where the row ends. */
async function changeInTwoStatements(tx: Tx, row: number): Promise<void> {
  const { n } = await tx.one<{ n: number }>(sql`update hot set n = n + 1 where row = ${row} returning n`)
  await emit(tx, thingChanged, { tenantId: tenantOf(row), data: { row, n } })
}

const changeInOneStatement = (tx: Tx, row: number) =>
  tx.run(sql`with changed as (update hot set n = n + 1 where row = ${row} returning row, n)
    ${emitFromSelect(
      tx,
      thingChanged,
      sql`select 'evt_' || row || '_' || n, ${tenantOf(row)}, 'thing.changed', ${tx.now}::timestamptz,
        json_build_object('row', row, 'n', n), null::json, 0 from changed`,
    )}`)

async function changeSeveral(tx: Tx, some: number[]): Promise<void> {
  const found = await tx.rows<{ row: number; n: number }>(sql`
    with locked as (select row from hot where row = any (${some}::int[]) order by row for update)
    update hot set n = n + 1 from locked where hot.row = locked.row returning hot.row, n`)
  await emitMany(
    tx,
    found.map(({ row, n }) => pendingEvent(thingChanged, { tenantId: tenantOf(row), data: { row, n } })),
  )
}

async function oneChange(): Promise<void> {
  await transact(db, async tx => {
    const row = pick(rows)
    const way = pick(3)
    if (way === 0) await changeInTwoStatements(tx, row)
    else if (way === 1) await changeInOneStatement(tx, row)
    else await changeSeveral(tx, [row, pick(rows), pick(rows)])
    if (pick(4) === 0) await pause(pick(8))
    if (pick(500) === 0) await pause(700)
    if (pick(5) === 0) throw new Abandoned()
  }).catch(error => {
    if (!(error instanceof Abandoned)) throw error
  })
}

async function expectedCounts(): Promise<Map<number, number>> {
  const found = await db.rows<{ row: number; n: number }>(sql`select row, n from hot`)
  return new Map(found.map(({ row, n }) => [row, n]))
}

interface Seen {
  tenant_id: string
  seq: number
  data: { row: number; n: number }
}

/** Gapless, from 1, in the order in which it is handed; each row's counts one after the other, none left out. */
async function expectComplete(seen: Seen[]): Promise<void> {
  const last = { seq: new Map<string, number>(), n: new Map<number, number>() }
  const wrong: Seen[] = []
  for (const entry of seen) {
    const { tenant_id: tenant, seq, data } = entry
    const inSequence = seq === (last.seq.get(tenant) ?? 0) + 1 && data.n === (last.n.get(data.row) ?? 0) + 1
    if (!inSequence || tenant !== tenantOf(data.row)) wrong.push(entry)
    last.seq.set(tenant, seq)
    last.n.set(data.row, data.n)
  }
  expect(wrong.slice(0, 5)).toEqual([])
  const expected = await expectedCounts()
  for (const [row, n] of expected) expect([row, last.n.get(row) ?? 0]).toEqual([row, n])
  for (const [tenant, seq] of last.seq) expect(await getLatestSeq(db, tenant)).toBe(seq)
}

const ledger = (subscriber: string) =>
  db.rows<Seen>(sql`select tenant_id, seq, data from ledger where subscriber = ${subscriber} order by id`)

const firstSights = (seen: Seen[]) => {
  const known = new Set<string>()
  return seen.filter(({ tenant_id, seq }) => known.size < known.add(`${tenant_id} ${seq}`).size)
}

async function everythingHandled(): Promise<void> {
  await eventually(async () => {
    const { waiting } = await db.one<{ waiting: number }>(sql`
      select (select count(*) from outbox) + (select count(*) from event_consumer_queue where due_at is not null) as waiting`)
    expect(waiting).toBe(0)
  })
}

/** A thousand events and a fourth process that has handled some: less would prove little. */
async function expectEnoughWork(): Promise<void> {
  const { events, processes } = await db.one<{ events: number; processes: number }>(sql`
    select (select count(*) from event_log) as events, (select count(distinct process) from ledger) as processes`)
  expect(events).toBeGreaterThan(1_000)
  expect(processes).toBeGreaterThan(3)
}

describe('kills and restarts', () => {
  test(
    '20 writers, rollbacks, three processes killed at random: nothing lost, invented or out of order',
    async () => {
      for (let n = 0; n < 3; n++) crowd.start()
      await crowd.allUp()
      let writing = true
      let kills = 0
      const writers = Array.from({ length: 20 }, async () => {
        while (writing) await oneChange()
      })
      while (kills < wantedKills) {
        await pause(300 + pick(500))
        const up = crowd.all().filter(child => child.up)
        const victim = pick(2) === 0 ? crowd.leader() : up[pick(up.length)]
        if (!victim) continue
        victim.signal('SIGKILL')
        kills++
        crowd.start()
      }
      await crowd.allUp()
      await eventually(expectEnoughWork)
      writing = false
      await Promise.all(writers)
      await everythingHandled()

      const log = await db.rows<Seen>(sql`select tenant_id, seq, data from event_log order by tenant_id, seq`)
      await expectComplete(log)
      await expectComplete(await ledger('apply')) // exactly once
      const handled = await ledger('handle')
      await expectComplete(firstSights(handled)) // at least once
    },
    300_000 + wantedKills * 10_000,
  )
})

describe('the sequencer', () => {
  const changeAndWait = async (): Promise<number> => {
    const start = performance.now()
    await transact(db, tx => changeInTwoStatements(tx, 0))
    await eventually(async () => expect(await db.rows(sql`select id from outbox`)).toEqual([]))
    return performance.now() - start
  }

  test('one leads, and the one on standby takes over when it is killed', async () => {
    crowd.start()
    crowd.start()
    await crowd.allUp()
    await eventually(() => expect(crowd.leader()).toBeDefined())
    const leader = crowd.leader()!
    expect(await changeAndWait()).toBeLessThan(within(1_500))
    expect(crowd.all().filter(child => child.leading)).toEqual([leader])
    leader.signal('SIGKILL')
    expect(await changeAndWait()).toBeLessThan(within(4_000))
    expect(crowd.leader()?.pid).not.toBe(leader.pid)
  })

  test('is replaced while it is stopped, and harms nothing when it continues', async () => {
    crowd.start()
    crowd.start()
    await crowd.allUp()
    await eventually(() => expect(crowd.leader()).toBeDefined())
    const leader = crowd.leader()!
    leader.signal('SIGSTOP')
    const stoppedAt = performance.now()
    await changeAndWait()
    // A statement of the stopped leader that the server was still executing may have moved the change.
    await eventually(() => expect(crowd.all().some(child => child !== leader && child.leading)).toBe(true))
    expect(performance.now() - stoppedAt).toBeLessThan(within(9_000))
    leader.signal('SIGCONT')
    await eventually(() => expect(leader.leading).toBe(false))
    await eventually(() => expect(crowd.all().filter(child => child.leading)).toHaveLength(1))
    await changeAndWait()
    await everythingHandled()
    await expectComplete(
      await db.rows<Seen>(sql`select tenant_id, seq, data from event_log order by tenant_id, seq`),
    )
    await expectComplete(await ledger('apply'))
  })
})
