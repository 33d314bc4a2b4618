/** The operator's own PostgreSQL: looked at before anything is written to it. */
import pg from 'pg'
import { ConfigError } from '../platform/config.ts'
import { type ConnectionConfig, connectionConfig } from '../platform/db/db.ts'

interface Server {
  version: number
  encoding: string
  replica: boolean
}

const lookAtIt = `
  select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
         pg_is_in_recovery() as replica`

export async function assertSupported(connection: ConnectionConfig): Promise<void> {
  const client = new pg.Client(connectionConfig(connection))
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Server>(lookAtIt)
    const fault = faultOf(rows[0]!)
    if (fault) throw new ConfigError(`the database of DATABASE_URL ${fault}`)
  } finally {
    await client.end()
  }
}

function faultOf({ version, encoding, replica }: Server): string | undefined {
  if (version < 150_000) return `is PostgreSQL ${Math.floor(version / 10_000)}: use 15 or later`
  if (encoding !== 'UTF8') return `has the encoding ${encoding}: make one with UTF8`
  return replica ? 'is a replica, which cannot be written: give the primary' : undefined
}
