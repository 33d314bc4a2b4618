/** Setup that the tests of the queue share. */
import { afterEach } from 'vitest'
import { testDeps } from '../../../../test/harness/deps.ts'
import { otherDeps } from '../../../../test/harness/other-process.ts'
import { sql } from '../../db/sql.ts'
import { transact } from '../../db/transact.ts'
import type { Deps } from '../../deps.ts'
import { enqueue, enqueueMany, type JobInput } from '../enqueue.ts'
import type { AnyJob, Job } from '../job.ts'
import { startWorkers, type WorkerOptions, type Workers } from '../workers.ts'

export const tenantId = 'tn_a'

export async function jobRig() {
  const { deps, connection } = await testDeps()
  const { db, clock } = deps
  let running: Workers[] = []

  /** Workers of this process; each call stands for one more process when given deps of its own. */
  const work = (jobs: readonly AnyJob[], options: WorkerOptions = {}, on: Deps = deps): Workers => {
    const workers = startWorkers(on, jobs, options)
    running.push(workers)
    return workers
  }
  const stopAll = async () => {
    await Promise.all(running.map(workers => workers.stop(2_000)))
    running = []
  }
  afterEach(async () => {
    await stopAll()
    await db.run(sql`truncate job_lanes, jobs, dead_jobs, crons`)
  })

  return {
    deps,
    db,
    clock,
    connection,
    work,
    stopAll,
    otherProcess: () => otherDeps(deps, connection),
    put: <P>(job: Job<P>, item: Partial<JobInput<P>> & { payload: P }) =>
      transact(db, tx => enqueue(tx, job, { tenantId, ...item })),
    putMany: <P>(job: Job<P>, items: (Partial<JobInput<P>> & { payload: P })[]) =>
      transact(db, tx =>
        enqueueMany(
          tx,
          job,
          items.map(item => ({ tenantId, ...item })),
        ),
      ),
    lanes: () =>
      db.rows<{ state: string; pending: number; attempt: number }>(
        sql`select state, pending, attempt from job_lanes order by id`,
      ),
    /** Nothing waits anywhere. */
    isEmpty: async () =>
      (
        await db.one<{ n: number }>(
          sql`select (select count(*) from job_lanes) + (select count(*) from jobs) as n`,
        )
      ).n === 0,
  }
}

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

export function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

export { eventually } from '../../../../test/harness/wait.ts'
