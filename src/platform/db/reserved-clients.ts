/** Connections that one caller has to itself at a time. */
import pg from 'pg'
import type { ConnectionHandlers } from './readers.ts'
import { assertWritable, isDatabaseUnavailable, isReadOnly } from './unavailable.ts'

export interface ReservedClients {
  withClient<T>(fn: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /** Takes all connections out of use. */
  recycle(): void
  close(): Promise<void>
}

export function openReservedClients(
  config: pg.ClientConfig,
  max: number,
  { onError, onReadOnly, verify = assertWritable }: ConnectionHandlers,
): ReservedClients {
  /** Connections of an earlier generation may lead to a former primary. */
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max,
    idleTimeoutMillis: 60_000,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) =>
      void verify(client).then(() => done(), done),
  } as pg.PoolConfig)
  // `pool.end()` does not wait for the connections to close; the server may end them first.
  pool.on('error', error => {
    if (!pool.ending) onError(error)
  })
  pool.on('connect', client => {
    generations.set(client, generation)
    // A connection lost while in use also emits 'error' here; without a listener that would end the process.
    client.on('error', () => {})
  })

  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (generations.get(client) === generation) return client
      client.release(true)
    }
  }

  return {
    async withClient(fn) {
      const client = await connect()
      let failed: Error | undefined
      try {
        return await fn(client)
      } catch (error) {
        if (isDatabaseUnavailable(error)) failed = error as Error
        if (isReadOnly(error)) onReadOnly()
        throw error
      } finally {
        client.release(failed)
      }
    },
    recycle: () => {
      generation++
    },
    close: () => pool.end(),
  }
}
