/** One database server for us and for those we are compared with, a database for each. Durable like production. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type ConnectionConfig, connectionConfig } from '../../src/platform/db/db.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'

export interface Server {
  /** For the service itself. */
  own: ConnectionConfig
  /** An empty database of this name on the same server. */
  database(name: string): Promise<ConnectionConfig>
  /** Files of whoever runs on it; gone with it. */
  dir: string
  close(): Promise<void>
}

export async function openServer(): Promise<Server> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'))
  const url = process.env.BENCH_DATABASE_URL
  const server = url ? undefined : await startEmbedded({ dataDir: dir })
  const own: ConnectionConfig = server?.connection ?? partsOf(url!)
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

/** Asks for a count again and again, on one connection: opening one each time would take a share of the machine. */
export async function counting(connection: ConnectionConfig, text: string) {
  const client = new pg.Client(connectionConfig(connection))
  await client.connect()
  return {
    count: async () => (await client.query<{ n: number }>(text)).rows[0]!.n,
    close: () => client.end(),
  }
}

/** Some of the others want them one by one. */
function partsOf(connectionString: string): ConnectionConfig {
  const { host, port, user, password, database } = new pg.Client({ connectionString })
  return { host, port, user, password: password ?? undefined, database }
}

/** What is reached by a directory goes into the URL's query, as libpq has it. */
export function urlOf(connection: ConnectionConfig): string {
  const { host, port, user, password, database } = connection
  const who = [user, typeof password === 'string' ? password : undefined]
    .filter(part => part !== undefined)
    .map(part => encodeURIComponent(part as string))
    .join(':')
  const query = `host=${encodeURIComponent(host ?? '')}${port ? `&port=${port}` : ''}`
  return `postgresql://${who}@localhost/${database}?${query}`
}
