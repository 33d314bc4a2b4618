/** Sends single statements, pipelined over a few connections. A lost connection is replaced on next use. */
import type { Writable } from 'node:stream'
import pg from 'pg'
import { type Sql, toStatement } from './sql.ts'
import { assertWritable, isDatabaseUnavailable, isReadOnly } from './unavailable.ts'

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
  /** Takes the connection out of use; it ends after its statements in flight. */
  drop(): void
}

export interface Readers {
  send(query: Sql): Promise<pg.QueryResult>
  /** Takes all connections out of use. */
  recycle(): void
  close(): Promise<void>
}

export interface ConnectionHandlers {
  onError: (error: Error) => void
  onReadOnly: () => void
  /** Rejects a new connection that must not be used; by default those to a read-only server. */
  verify?: (client: pg.ClientBase) => Promise<void>
}

export function openReaders(
  config: pg.ClientConfig,
  count: number,
  { onError, onReadOnly, verify = assertWritable }: ConnectionHandlers,
): Readers {
  const slots: (Reader | undefined)[] = Array.from({ length: count }, () => undefined)
  let isClosing = false

  function open(slot: number): Reader {
    const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig)
    const drop = () => {
      if (slots[slot] !== reader) return
      slots[slot] = undefined
      // A client that is ended while it connects never settles the promise of `connect()`.
      const end = () => client.end().catch(() => {})
      reader.client.then(end, end)
    }
    client.on('error', error => {
      if (!isClosing) onError(error)
      drop()
    })
    client.on('end', drop)
    const connect = async () => {
      await client.connect()
      await verify(client)
      return client
    }
    const reader: Reader = { inFlight: 0, client: connect(), drop }
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
    async send(query) {
      const reader = pick()
      reader.inFlight++
      try {
        const client = await reader.client
        return await corked(client).query(toStatement(query))
      } catch (error) {
        if (isDatabaseUnavailable(error)) reader.drop()
        if (isReadOnly(error)) onReadOnly()
        throw error
      } finally {
        reader.inFlight--
      }
    },
    recycle: () => {
      for (const reader of slots) reader?.drop()
    },
    async close() {
      isClosing = true
      await Promise.all(slots.map(async reader => (await reader?.client.catch(() => undefined))?.end()))
    },
  }
}
