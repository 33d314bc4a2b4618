/** The jobs of child.fixture.ts; the table `ledger` records what they did. */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { transact } from '../../db/transact.ts'
import { cron } from '../cron.ts'
import { enqueue } from '../enqueue.ts'
import { job, type Work } from '../job.ts'

export const createLedger = sql`create table ledger (id bigint generated always as identity, job text not null, n int not null,
  key text, event text not null, attempt int, process int not null, at timestamptz not null default clock_timestamp())`

const write = (
  on: Queryable,
  name: string,
  n: number,
  event: string,
  work: Pick<Work, 'orderingKey' | 'attempt'>,
) =>
  on.run(sql`insert into ledger (job, n, key, event, attempt, process)
    values (${name}, ${n}, ${work.orderingKey}, ${event}, ${work.attempt}, ${process.pid})`)

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const retry = { maxAttempts: 1_000, initialDelayMs: 5, maxDelayMs: 20 }

/** Long enough to be killed in, with the default lease. */
export const waitLong = job<{ n: number }>({
  name: 'hold_on',
  priority: 'normal',
  async handle({ db }, { n }, work) {
    await write(db, 'hold_on', n, 'began', work)
    if (work.attempt === 1) await pause(60_000)
  },
})

/** Fails at random; finished in the transaction of its effect. */
export const step = job<{ n: number }>({
  name: 'step',
  priority: 'normal',
  leaseMs: 1_500,
  retry,
  async handle({ db }, { n }, work) {
    await write(db, 'step', n, 'began', work)
    if (Math.random() < 0.1) throw new Error('random failure')
    await pause(Math.random() * 5)
    await transact(db, async tx => {
      await write(tx, 'step', n, 'done', work)
      await work.finish(tx)
    })
    if (Math.random() < 0.05) throw new Error('random failure after the commit')
  },
})

/** Checks its lease right before an effect that cannot be undone. */
export const callOutside = job<{ n: number }>({
  name: 'call_out',
  priority: 'normal',
  leaseMs: 1_500,
  retry,
  async handle({ db }, { n }, work) {
    await write(db, 'call_out', n, 'began', work)
    await pause(500)
    if (work.holdsLease()) await write(db, 'call_out', n, 'called', work)
    else await write(db, 'call_out', n, 'refused', work)
  },
})

/** Kills the process that runs it. */
export const kill = job<{ n: number }>({
  name: 'kill',
  priority: 'normal',
  leaseMs: 500,
  retry: { maxAttempts: 2 },
  handle: async () => process.kill(process.pid, 'SIGKILL'),
})

/** Never expires during a test, since each expiry counts as a death: the test expires the leases of a dead process. */
const suspectLeaseMs = 120_000

/** Kills the process that runs it, and records when it is given up. */
export const poison = job<{ n: number }>({
  name: 'poison',
  priority: 'normal',
  leaseMs: suspectLeaseMs,
  handle: async () => process.kill(process.pid, 'SIGKILL'),
  onWorkersDied: (tx, { n }) =>
    write(tx, 'poison', n, 'given up', { orderingKey: null, attempt: 0 }).then(() => {}),
})

/** Runs in the process that a poison job kills. */
export const bystander = job<{ n: number }>({
  name: 'bystander',
  priority: 'normal',
  leaseMs: suspectLeaseMs,
  async handle({ db }, { n }, work) {
    await pause(200)
    await write(db, 'bystander', n, 'done', work)
  },
  onWorkersDied: (tx, { n }) =>
    write(tx, 'bystander', n, 'given up', { orderingKey: null, attempt: 0 }).then(() => {}),
})

/** Enqueues a poison job, which would kill it if the process ran both at a time. */
export const provoker = job<{ n: number }>({
  name: 'provoker',
  priority: 'normal',
  leaseMs: suspectLeaseMs,
  async handle({ db }, { n }, work) {
    await write(db, 'provoker', n, 'began', work)
    await transact(db, tx => enqueue(tx, poison, { tenantId: work.tenantId, payload: { n } }))
    await pause(500)
    await write(db, 'provoker', n, 'done', work)
  },
  onWorkersDied: (tx, { n }) =>
    write(tx, 'provoker', n, 'given up', { orderingKey: null, attempt: 0 }).then(() => {}),
})

export const childCron = cron({
  name: 'every_second',
  schedule: '* * * * * *',
  handle: ({ db }, { at }) => write(db, at, 0, 'ticked', { orderingKey: null, attempt: 1 }),
})

export const childJobs = [waitLong, step, callOutside, kill, poison, bystander, provoker]
