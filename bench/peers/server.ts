/** Starts one database server for all programs of a comparison, with a database for each. Durable like production. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type ConnectionConfig, connectionConfig } from '../../src/platform/db/db.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'

export interface Server {
  /** Connection of Parley. */
  own: ConnectionConfig
  /** Creates an empty database on the same server. */
  database(name: string): Promise<ConnectionConfig>
  /** Directory for files of the programs; deleted at the end. */
  dir: string
  close(): Promise<void>
}

export async function openServer(): Promise<Server> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'))
  const url = process.env.BENCH_DATABASE_URL
  const server = url ? undefined : await startEmbedded({ dataDir: dir })
  const own: ConnectionConfig = server?.connection ?? toConnection(url!)
  const maker: ConnectionConfig = server?.superuser ?? own
  return {
    own,
    dir,
    database: async name => {
      await ask(maker, `drop database if exists ${name}`)
      await ask(maker, `create database ${name} owner "${own.user}"`)
      return { ...own, database: name }
    },
    close: async () => {
      await server?.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export async function ask<R>(connection: ConnectionConfig, text: string, values?: unknown[]): Promise<R[]> {
  const client = new pg.Client(connectionConfig(connection))
  await client.connect()
  try {
    const { rows } = await client.query(text, values)
    return rows as R[]
  } finally {
    await client.end()
  }
}

/** Polls a count on one connection: opening a connection each time would cost CPU time. */
export async function counting(connection: ConnectionConfig, text: string) {
  const client = new pg.Client(connectionConfig(connection))
  await client.connect()
  return {
    count: async () => (await client.query<{ n: number }>(text)).rows[0]!.n,
    close: () => client.end(),
  }
}

/** Connection settings as separate values, for programs that need them so. */
function toConnection(connectionString: string): ConnectionConfig {
  const { host, port, user, password, database } = new pg.Client({ connectionString })
  return { host, port, user, password: password ?? undefined, database }
}

/** Puts a socket directory into the query of the URL, as libpq does. */
export function toUrl(connection: ConnectionConfig): string {
  const { host, port, user, password, database } = connection
  const who = [user, typeof password === 'string' ? password : undefined]
    .filter(part => part !== undefined)
    .map(part => encodeURIComponent(part as string))
    .join(':')
  const query = `host=${encodeURIComponent(host ?? '')}${port ? `&port=${port}` : ''}`
  return `postgresql://${who}@localhost/${database}?${query}`
}
