/**
 * Connections to PostgreSQL. `Db` reads: statements are named, prepared and pipelined over a few connections. A `Tx` comes
 * only from `transact()`, has a connection to itself, and is required by every write.
 */
import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Caches } from '../caches.ts'
import type { Clock } from '../clock.ts'
import { fairQueue } from '../limits/fair-queue.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { corked, openReaders } from './readers.ts'
import { openReplica, type ReplicaOptions } from './replica/replica.ts'
import { openReservedClients } from './reserved-clients.ts'
import { type Sql, toStatement } from './sql.ts'

export interface Queryable {
  rows<R>(query: Sql): Promise<R[]>
  /** The first row, if there is one. */
  maybe<R>(query: Sql): Promise<R | undefined>
  /** The first row; throws when there is none. */
  one<R>(query: Sql): Promise<R>
  /** The first column of each row. */
  values<T>(query: Sql): Promise<T[]>
  /** The distinct values of the first column. */
  set<T>(query: Sql): Promise<Set<T>>
  /** The first column of the first row, if there is one. */
  value<T>(query: Sql): Promise<T | undefined>
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
  /**
   * Plans the statement for its values, on connections for searches only, which tenants share fairly: for filters,
   * searches and exports. They can be slow, and must not delay writes or other tenants. They go to the replica, if it has
   * all that was committed.
   */
  search<R>(tenantId: string, query: Sql): Promise<R[]>
  /** Plans the statement for its values, on a connection of the writers: for statements without a tenant. */
  unprepared<R>(query: Sql): Promise<R[]>
  /** The same database on `slowConnections` of its own: for transactions that take seconds, such as simulations. */
  readonly slow: Db
  /** The same database for lists and reports: single statements go to the replica, if it has all that was committed. */
  readonly replica: Db
  /** Whether reads go to the replica; undefined without one. */
  readonly isReplicaUsable: boolean | undefined
  /** Transactions are rolled back at their end, and have no effects after it: for HEAD. */
  readonly rollsBack?: boolean
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
  /** Connections for transactions. */
  writers?: number
  /** Connections for searches. */
  searchers?: number
  /** A standby that serves searches, lists and reports. */
  replica?: (Pick<ReplicaOptions, 'onChange' | 'onRead'> & { connection: ConnectionConfig }) | undefined
  onError?: (error: Error) => void
  tracing?: Tracing | undefined
}

export const slowConnections = 2

/** Searches of one tenant that may wait; each is a request in memory. */
const maxWaitingSearches = 200

/** With the connection's time zone UTC: `2026-01-02 03:04:05.67+00` becomes `2026-01-02T03:04:05.670Z`. */
function isoTimestamp(text: string): string {
  // Most values: a year of four digits, a fraction of three or none.
  if (text.charCodeAt(10) === 0x20 && text.endsWith('+00')) {
    const date = text.slice(0, 10)
    if (text.length === 26) return `${date}T${text.slice(11, 23)}Z`
    if (text.length === 22) return `${date}T${text.slice(11, 19)}.000Z`
  }
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
  const rows = async <R>(query: Sql) => (await send(query)).rows as R[]
  const values = async <T>(query: Sql) => (await rows<object>(query)).map(row => Object.values(row)[0] as T)
  return {
    rows,
    maybe: async <R>(query: Sql) => (await rows<R>(query))[0],
    one: async <R>(query: Sql) => {
      const [row] = await rows<R>(query)
      if (row === undefined) throw new Error('expected a row, got none')
      return row
    },
    values,
    set: async <T>(query: Sql) => new Set(await values<T>(query)),
    value: async <T>(query: Sql) => (await values<T>(query))[0],
    run: async (query: Sql) => (await send(query)).rowCount ?? 0,
  }
}

export function connectDb(options: DbOptions): Db {
  const config = connectionConfig(options.connection)
  const { onError = () => {}, readers = 4, writers = 10, searchers = 4 } = options
  const recycle = () => {
    for (const connections of [reading, writing, searching, slow]) connections.recycle()
  }
  const handlers = { onError, onReadOnly: recycle }
  const reading = openReaders(config, readers, handlers)
  const writing = openReservedClients(config, writers, handlers)
  const searching = openReservedClients(config, searchers, handlers)
  const slow = openReservedClients(config, slowConnections, handlers)
  const searches = fairQueue({
    what: 'searches',
    slots: searchers,
    // The next tenant finds a free slot: a search may take seconds.
    share: () => Math.ceil(searchers / 2),
    maxWaiting: maxWaitingSearches,
  })
  const replica =
    options.replica &&
    openReplica({
      ...options.replica,
      connection: connectionConfig(options.replica.connection),
      readers,
      searchers,
      sendToPrimary: reading.send,
    })
  const search = <R>(query: Sql) => {
    const run = (client: pg.ClientBase) => unpreparedRows<R>(client, query)
    const onPrimary = () => searching.withClient(run)
    return replica ? replica.search(run, onPrimary) : onPrimary()
  }
  const db = {
    ...queryable(reading.send),
    clock: options.clock,
    signals: new EventEmitter().setMaxListeners(100),
    tracing: options.tracing,
    caches: new Map(),
    withClient: writing.withClient,
    recycle,
    search: <R>(tenantId: string, query: Sql) => searches.run<R[]>(tenantId, () => search(query)),
    unprepared: <R>(query: Sql) => writing.withClient(client => unpreparedRows<R>(client, query)),
    get isReplicaUsable() {
      return replica?.isUsable
    },
    close: async () => {
      await replica?.close()
      await Promise.all([reading, writing, searching, slow].map(connections => connections.close()))
    },
  } as unknown as Db
  return Object.assign(db, {
    slow: Object.assign(Object.create(db), { withClient: slow.withClient }),
    replica: replica ? readFrom(db, query => replica.send(query, () => reading.send(query))) : db,
  })
}

/** The same database with other connections for single statements that read. */
function readFrom(db: Db, send: (query: Sql) => Promise<pg.QueryResult>): Db {
  const { run, ...reads } = queryable(send)
  return Object.assign(Object.create(db), reads)
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
