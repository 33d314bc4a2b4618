/**
 * Leader election: one process of the installation leads, the others are on standby. The lock belongs to a connection of
 * its own, and the leader works on that same connection, so two processes never lead at the same time. The server ends
 * the session of a leader that is stopped or cut off from the network, as it does for one that died.
 */
import { randomInt } from 'node:crypto'
import pg from 'pg'
import { type ConnectionConfig, connectionConfig, type Queryable, queryable } from '../db/db.ts'
import { sql, toStatement } from '../db/sql.ts'
import type { Logger } from '../log.ts'
import type { WakeSignal } from '../wake-signal.ts'

export interface LeaderOptions {
  name: string
  connection: ConnectionConfig
  log: Logger
  /** Also notified when it is time to stop. */
  signal: WakeSignal
  stopped: () => boolean
  standbyMs: number
  /** Must be longer than the leader's longest wait. */
  idleTimeoutMs: number
  /** Returns when it is stopped; throws when it cannot continue on this connection. */
  lead(on: Queryable): Promise<void>
}

export async function runAsLeader(options: LeaderOptions): Promise<void> {
  const { stopped, log, name, signal, standbyMs } = options
  while (!stopped()) {
    try {
      await runTerm(options)
    } catch (error) {
      if (!stopped()) log.warn({ err: error }, `${name}: lost leadership; trying again`)
    }
    if (!stopped()) await signal.wait(randomInt(standbyMs / 4, standbyMs / 2))
  }
}

async function runTerm(options: LeaderOptions): Promise<void> {
  const { name, connection, idleTimeoutMs, log } = options
  const client = new pg.Client(connectionConfig(connection))
  client.on('error', () => {}) // the statement in flight, or the next one, fails with it
  try {
    await client.connect()
    const on = queryable(query => client.query(toStatement(query)))
    await client.query(`set idle_session_timeout = ${idleTimeoutMs}`)
    await waitForLock(on, options)
    if (options.stopped()) return
    log.info(`${name}: leading`)
    await options.lead(on)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Polls for the lock: waiting inside the database would hold an old snapshot there. */
async function waitForLock(
  on: Queryable,
  { name, signal, stopped, standbyMs }: LeaderOptions,
): Promise<void> {
  while (!stopped()) {
    if (await on.value<boolean>(sql`select pg_try_advisory_lock(hashtextextended(${`parley ${name}`}, 0))`))
      return
    await signal.wait(randomInt(standbyMs / 2, standbyMs))
  }
}
