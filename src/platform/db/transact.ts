/**
 * The only sources of a `Tx`. BEGIN is sent with the first statement. A deadlock or serialisation failure runs the
 * function again, which is safe because it contains database work only.
 */
import type pg from 'pg'
import { type Db, queryable, type Tx, unpreparedRows } from './db.ts'
import { corked } from './readers.ts'
import { type Sql, sql, toStatement } from './sql.ts'

const maxAttempts = 4

export function transact<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(db, client => runTransaction(db, client, fn))
}

/**
 * For a function that sends all its statements in its first tick and does not itself throw: COMMIT is sent with them,
 * so the transaction is one round trip.
 */
export function transactPipelined<T>(db: Db, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return retrying(db, client => runPipelined(db, client, fn))
}

async function retrying<T>(db: Db, run: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.withClient(run)
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error
      await new Promise(resolve => setTimeout(resolve, Math.random() * 10 * attempt))
    }
  }
}

interface OpenTransaction {
  tx: Tx
  begun: Promise<unknown>
  hooks: (() => void)[]
  /** Rejects later statements. */
  end(): void
}

function begin(db: Db, client: pg.PoolClient): OpenTransaction {
  const hooks: (() => void)[] = []
  const begun = corked(client).query('begin')
  begun.catch(() => {}) // its failure shows in the statements after it
  let ended = false
  const open = () => {
    if (ended) throw new Error('statement sent after the commit of its transaction')
    return corked(client)
  }
  const tx = {
    ...queryable(async (query: Sql) => open().query(toStatement(query))),
    unprepared: async (query: Sql) => unpreparedRows(open(), query),
    now: db.clock.now().toISOString(),
    clock: db.clock,
    caches: db.caches,
    causationDepth: 0,
    traceparent: db.tracing?.currentSpan()?.traceparent,
    afterCommit: (hook: () => void) => hooks.push(hook),
    signal: (topic: string, about: unknown) => hooks.push(() => db.signals.emit(topic, about)),
  } as unknown as Tx
  const end = () => {
    ended = true
  }
  return { tx, begun, hooks, end }
}

/** A transaction that an earlier, swallowed error aborted answers COMMIT with ROLLBACK. */
function runCommitHooks({ command }: pg.QueryResult, { hooks }: OpenTransaction): void {
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
  for (const hook of hooks) hook()
}

async function runPipelined<T>(db: Db, client: pg.PoolClient, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction = begin(db, client)
  const working = fn(transaction.tx)
  transaction.end()
  const committing = client.query(db.rollsBack ? 'rollback' : 'commit')
  committing.catch(() => {}) // reported below, unless an earlier statement failed
  try {
    const result = await working
    const ended = await committing
    if (!db.rollsBack) runCommitHooks(ended, transaction)
    return result
  } finally {
    await committing.catch(() => {})
  }
}

async function runTransaction<T>(db: Db, client: pg.PoolClient, fn: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction = begin(db, client)
  let result: T
  try {
    result = await fn(transaction.tx)
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  await transaction.begun
  transaction.end()
  if (db.rollsBack) await client.query('rollback')
  else runCommitHooks(await client.query('commit'), transaction)
  return result
}

/** Returns the same transaction with another causation depth for the events it emits. */
export function withCausationDepth(tx: Tx, causationDepth: number): Tx {
  return Object.create(tx, { causationDepth: { value: causationDepth } }) as Tx
}

/** Runs the transaction again from its start, without the locks it has taken: for a change found under a lock. */
export class TransactionConflict extends Error {
  readonly code = '40001'
}

/** Whether the same transaction may succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string })?.code
  return code === '40001' || code === '40P01'
}

/** Runs a part of a transaction. If it throws, its statements are undone and the transaction can continue. */
export async function withSavepoint<T>(tx: Tx, part: () => Promise<T>): Promise<T> {
  await tx.run(sql`savepoint part`)
  try {
    const result = await part()
    await tx.run(sql`release savepoint part`)
    return result
  } catch (error) {
    await tx.run(sql`rollback to savepoint part`)
    throw error
  }
}
