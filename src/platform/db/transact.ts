/**
 * The only source of a `Tx`. BEGIN travels with the first statement. A deadlock or serialisation failure runs the
 * function again: it holds database work only, so that is safe.
 */
import type pg from 'pg'
import { type Db, plannedRows, queryable, type Tx } from './db.ts'
import { type Sql, toStatement } from './sql.ts'

const attempts = 4

export async function transact<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.withClient(client => once(db, client, fn))
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 10 * attempt))
    }
  }
}

async function once<T>(db: Db, client: pg.PoolClient, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const hooks: (() => void)[] = []
  const begun = client.query('begin')
  begun.catch(() => {}) // its failure shows in the statements behind it
  const tx = {
    ...queryable((query: Sql) => client.query(toStatement(query))),
    planned: (query: Sql) => plannedRows(client, query),
    now: db.clock.now().toISOString(),
    clock: db.clock,
    causeDepth: 0,
    traceparent: db.tracing?.current()?.traceparent,
    afterCommit: (hook: () => void) => hooks.push(hook),
    signal: (topic: string, about: unknown) => hooks.push(() => db.signals.emit(topic, about)),
  } as unknown as Tx
  let result: T
  try {
    result = await fn(tx)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  await begun
  const commit = await client.query('commit')
  // A transaction that an earlier, swallowed error aborted answers COMMIT with ROLLBACK.
  if (commit.command !== 'COMMIT') throw new Error('the transaction was rolled back')
  for (const hook of hooks) hook()
  return result
}

/** The same transaction, for what happens because of an event: what it emits has this depth. */
export function causedAt(tx: Tx, causeDepth: number): Tx {
  return Object.create(tx, { causeDepth: { value: causeDepth } }) as Tx
}

/** Of no fault of its own: the same transaction may succeed when taken again. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string })?.code
  return code === '40001' || code === '40P01'
}
