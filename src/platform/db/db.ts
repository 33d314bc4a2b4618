/**
 * Connections to PostgreSQL. `Db` reads: statements are named, prepared and pipelined over a few connections. A `Tx` comes
 * only from `transact()`, has a connection to itself, and is required by every write.
 */
import { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Caches } from '../caches.ts'
import type { Clock } from '../clock.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { type Sql, toStatement } from './sql.ts'

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

/**
 * Sends all statements of one tick in one packet. Each packet wakes the server's process, which on a busy machine takes
 * the core from the writing process.
 */
export function corked<C extends pg.ClientBase>(client: C): C {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client
}

interface Reader {
  client: Promise<pg.Client>
  inFlight: number
}

/** Single statements, pipelined on the least busy connection; a lost connection is replaced on next use. */
function readers(config: ConnectionConfig, count: number, onError: (error: Error) => void) {
  const slots: (Reader | undefined)[] = Array.from({ length: count }, () => undefined)

  function open(slot: number): Reader {
    const client = new pg.Client({ ...config, pipeline: true } as ConnectionConfig)
    const drop = () => {
      if (slots[slot] === reader) slots[slot] = undefined
    }
    client.on('error', error => {
      onError(error)
      drop()
    })
    client.on('end', drop)
    const reader: Reader = { inFlight: 0, client: client.connect().then(() => client) }
    reader.client.catch(drop)
    slots[slot] = reader
    return reader
  }

  /** Picks an idle connection, else a new one, else the least busy. */
  function pick(): Reader {
    const opened = slots.filter(reader => reader !== undefined)
    const best = opened.reduce<Reader | undefined>(
      (least, reader) => (least && least.inFlight <= reader.inFlight ? least : reader),
      undefined,
    )
    if (best && (best.inFlight === 0 || opened.length === count)) return best
    return open(slots.indexOf(undefined))
  }

  return {
    async send(query: Sql): Promise<pg.QueryResult> {
      const reader = pick()
      reader.inFlight++
      try {
        const client = await reader.client
        return await corked(client).query(toStatement(query))
      } finally {
        reader.inFlight--
      }
    },
    async close(): Promise<void> {
      await Promise.all(slots.map(async reader => (await reader?.client.catch(() => undefined))?.end()))
    },
  }
}

export function connectDb(options: DbOptions): Db {
  const config = connectionConfig(options.connection)
  const onError = options.onError ?? (() => {})
  const reading = readers(config, options.readers ?? 4, onError)
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max: options.writers ?? 10,
    idleTimeoutMillis: 60_000,
  } as pg.PoolConfig)
  pool.on('error', onError)
  // A connection lost while in use also emits 'error' here; without a listener that would end the process.
  pool.on('connect', client => client.on('error', () => {}))
  const withClient = async <T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let failed: Error | undefined
    try {
      return await fn(client)
    } catch (error) {
      if (isConnectionLost(error)) failed = error as Error
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

const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const lostMessages =
  /Connection terminated|not queryable|Client was closed|timeout exceeded when trying to connect|connection timeout|^timeout expired$/i

/** Whether the database is unreachable: the request fails with 503 and the next one reconnects. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: string }).code
  if (code === undefined) return lostMessages.test(error.message)
  // 08: connection exception; 57P01-57P05: shutdown, crash, starting up; 53300: too many connections
  return lostCodes.has(code) || /^(08|57P0|53300)/.test(code)
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const e = error as { code?: string; constraint?: string }
  return e?.code === '23505' && (constraint === undefined || e.constraint === constraint)
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const e = error as { code?: string; constraint?: string }
  return e?.code === '23503' && (constraint === undefined || e.constraint === constraint)
}
