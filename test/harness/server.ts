/** Runs administrative statements on the test server. */
import pg from 'pg'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'

export function withDatabase(server: ConnectionConfig, database: string): ConnectionConfig {
  if (!server.connectionString) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

export async function administer(connection: ConnectionConfig, text: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
