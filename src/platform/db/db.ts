/**
 * Connections to PostgreSQL. `Db` reads: statements are named, prepared and pipelined over a few connections. A `Tx` comes
 * only from `transact()`, has a connection to itself, and is required by every write.
 */
import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Caches } from '../caches.ts'
import type { Clock } from '../clock.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { corked, openReaders } from './readers.ts'
import { type Sql, toStatement } from './sql.ts'
import { assertWritable, isDatabaseUnavailable, isReadOnly } from './unavailable.ts'

export interface Queryable {
  rows<R>(query: Sql): Promise<R[]>
  /** The first row, if there is one. */
  maybe<R>(query: Sql): Promise<R | undefined>
  /** The first row; throws when there is none. */
  one<R>(query: Sql): Promise<R>
  /** Returns the number of affected rows. */
  run(query: Sql): Promise<number>
}

export interface Db extends Queryable {
  readonly clock: Clock
  /** Hints that transactions of this process emit after their commit. */
  readonly signals: EventEmitter
  readonly tracing: Tracing | undefined
  /** In-memory values of this process (`defineCache`); the same map as in `Deps`. */
  readonly caches: Caches
  /** Plans the statement for its values, on a connection of its own: for filters and searches. */
  unprepared<R>(query: Sql): Promise<R[]>
  /** Reserves a connection for one caller: transactions, LISTEN, COPY. */
  withClient<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /** Replaces all connections: for a server that has become read-only. */
  recycle(): void
  close(): Promise<void>
}

declare const txBrand: unique symbol
export interface Tx extends Queryable {
  readonly [txBrand]: true
  /** The time at the start of the transaction. */
  readonly now: string
  readonly clock: Clock
  readonly caches: Caches
  /** How many events led to this transaction, each causing the next; the default depth of emitted events. */
  readonly causationDepth: number
  /** Trace context of the caller, passed on to enqueued jobs. */
  readonly traceparent: string | undefined
  /** Runs after the commit: for wake-ups and cache invalidation, never for effects that must not be lost. */
  afterCommit(fn: () => void): void
  /** Emits a hint to listeners in this process after the commit. */
  signal(topic: string, about: unknown): void
  unprepared<R>(query: Sql): Promise<R[]>
}

export type ConnectionConfig = pg.ClientConfig

export interface DbOptions {
  connection: ConnectionConfig
  clock: Clock
  /** Pipelined connections for single statements. */
  readers?: number
  /** Connections for transactions and unprepared queries. */
  writers?: number
  onError?: (error: Error) => void
  tracing?: Tracing | undefined
}

const isoTimestamp = (text: string): string => {
  const [date, time = ''] = text.split(' ')
  const [seconds = '', fraction = ''] = time.replace(/[+-]\d\d(:\d\d)?$/, '').split('.')
  return `${date}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === 20 || oid === 1700) return Number // int8, numeric: counts, never money
    if (oid === 1184) return isoTimestamp
    if (oid === 1082) return (text: string) => text // date
    return pg.types.getTypeParser(oid, format as 'text')
  }) as typeof pg.types.getTypeParser,
}

export function connectionConfig(connection: ConnectionConfig): ConnectionConfig {
  return {
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...connection,
    types,
    // Timestamps arrive in UTC, so the parser above only handles strings.
    options: [connection.options, '-c TimeZone=UTC'].filter(Boolean).join(' '),
  }
}

export function queryable(send: (query: Sql) => Promise<pg.QueryResult>): Queryable {
  return {
    rows: async <R>(query: Sql) => (await send(query)).rows as R[],
    maybe: async <R>(query: Sql) => (await send(query)).rows[0] as R | undefined,
    one: async <R>(query: Sql) => {
      const row = (await send(query)).rows[0]
      if (row === undefined) throw new Error('expected a row, got none')
      return row as R
    },
    run: async (query: Sql) => (await send(query)).rowCount ?? 0,
  }
}

export function connectDb(options: DbOptions): Db {
  const config = connectionConfig(options.connection)
  const onError = options.onError ?? (() => {})
  /** Connections of an earlier generation may lead to a former primary. */
  let generation = 0
  const recycle = () => {
    generation++
    reading.recycle()
  }
  const reading = openReaders(config, options.readers ?? 4, { onError, onReadOnly: recycle })
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max: options.writers ?? 10,
    idleTimeoutMillis: 60_000,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) =>
      void assertWritable(client).then(() => done(), done),
  } as pg.PoolConfig)
  pool.on('error', onError)
  const generations = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', client => {
    generations.set(client, generation)
    // A connection lost while in use also emits 'error' here; without a listener that would end the process.
    client.on('error', () => {})
  })
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect()
      if (generations.get(client) === generation) return client
      client.release(true)
    }
  }
  const withClient = async <T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect()
    let failed: Error | undefined
    try {
      return await fn(client)
    } catch (error) {
      if (isDatabaseUnavailable(error)) failed = error as Error
      if (isReadOnly(error)) recycle()
      throw error
    } finally {
      client.release(failed)
    }
  }
  return {
    ...queryable(reading.send),
    clock: options.clock,
    signals: new EventEmitter().setMaxListeners(100),
    tracing: options.tracing,
    caches: new Map(),
    withClient,
    recycle,
    unprepared: query => withClient(client => unpreparedRows(client, query)),
    close: async () => {
      await Promise.all([reading.close(), pool.end()])
    },
  }
}

export async function unpreparedRows<R>(client: pg.ClientBase, query: Sql): Promise<R[]> {
  const { text, values } = toStatement(query)
  return (await corked(client).query(text, values)).rows as R[]
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const e = error as { code?: string; constraint?: string }
  return e?.code === '23505' && (constraint === undefined || e.constraint === constraint)
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const e = error as { code?: string; constraint?: string }
  return e?.code === '23503' && (constraint === undefined || e.constraint === constraint)
}
