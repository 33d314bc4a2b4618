/**
 * Sends reads to a standby of the database instead of the primary. A read on the standby sees all that was committed
 * before the read, by any process, as on the primary: the primary is asked for its position first. Reads that the
 * standby cannot serve go to the primary, so that it never causes an error.
 */
import type pg from 'pg'
import { openReaders } from '../readers.ts'
import { openReservedClients } from '../reserved-clients.ts'
import { type Sql, sql, toStatement } from '../sql.ts'
import { isDatabaseUnavailable } from '../unavailable.ts'
import { destroy, Replay } from './replay.ts'

export interface Replica {
  /** Whether reads go to the standby. */
  readonly isUsable: boolean
  /** Sends a prepared statement. */
  send(query: Sql, onPrimary: () => Promise<pg.QueryResult>): Promise<pg.QueryResult>
  /** Runs a read on a connection for searches. */
  search<T>(read: (client: pg.PoolClient) => Promise<T>, onPrimary: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ReplicaOptions {
  connection: pg.ClientConfig
  /** The number of connections of each kind. */
  readers: number
  searchers: number
  /** Sends a statement to the primary. */
  sendToPrimary: (query: Sql) => Promise<pg.QueryResult>
  /** Called with the reason when the standby is left out, and with undefined when it is used. */
  onChange: (reason: Error | undefined) => void
  /** Called with the server that answers a read. */
  onRead: (server: 'replica' | 'primary') => void
}

// Commits of a server with synchronous_commit off are visible before the log is stored.
const positionQuery = sql`
  select pg_wal_lsn_diff(case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end, '0/0')::float8 as position`

const identityQuery = sql`select system_identifier::text as id from pg_control_system()`

export function openReplica(options: ReplicaOptions): Replica {
  const { connection, sendToPrimary, onRead } = options
  const clients = new Set<pg.ClientBase>()
  const replay = new Replay({
    connection,
    getPosition: sharePerTick(async () => (await sendToPrimary(positionQuery)).rows[0].position as number),
    verify: client => assertStandby(client, sendToPrimary),
    onChange: options.onChange,
    // Statements in flight may never be answered: they fail, and run on the primary.
    onLost: () => {
      for (const client of clients) destroy(client)
      clients.clear()
    },
  })
  const handlers = {
    onError: () => replay.suspect(),
    onReadOnly: () => {},
    verify: async (client: pg.ClientBase) => {
      clients.add(client)
      client.once('end', () => clients.delete(client))
    },
  }
  const readers = openReaders(connection, options.readers, handlers)
  const searchers = openReservedClients(connection, options.searchers, handlers)

  async function read<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    if (await replay.hasCaughtUp()) {
      try {
        const result = await onReplica()
        onRead('replica')
        return result
      } catch (error) {
        if (!isReplicaFailure(error)) throw error
        replay.suspect()
      }
    }
    onRead('primary')
    return onPrimary()
  }

  return {
    get isUsable() {
      return replay.isUsable
    },
    send: (query, onPrimary) => read(() => readers.send(query), onPrimary),
    search: (search, onPrimary) => read(() => searchers.withClient(search), onPrimary),
    close: async () => {
      await replay.close()
      await Promise.all([readers.close(), searchers.close()])
    },
  }
}

/** Calls of one tick share a call that begins after them. */
function sharePerTick<T>(load: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  return () => {
    next ??= new Promise<void>(setImmediate).then(() => {
      next = undefined
      return load()
    })
    return next
  }
}

async function assertStandby(
  client: pg.Client,
  sendToPrimary: ReplicaOptions['sendToPrimary'],
): Promise<void> {
  const [primary, replica] = await Promise.all([
    sendToPrimary(identityQuery),
    client.query<{ id: string }>(toStatement(identityQuery)),
  ])
  if (primary.rows[0].id !== replica.rows[0]?.id)
    throw new Error('the replica must be a standby of the primary; it belongs to another server')
}

const cancelled = new Set(['40001', '40P01'])

/** Whether the primary may answer a statement that the standby failed, such as one that the replay cancelled. */
function isReplicaFailure(error: unknown): boolean {
  return isDatabaseUnavailable(error) || cancelled.has((error as { code?: string })?.code ?? '')
}
