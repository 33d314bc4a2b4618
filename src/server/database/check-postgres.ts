/** Checks the operator's own PostgreSQL before anything is written to it. */
import pg from 'pg'
import { ConfigError } from '../../platform/config.ts'
import { type ConnectionConfig, connectionConfig } from '../../platform/db/db.ts'

interface ServerSettings {
  version: number
  encoding: string
  replica: boolean
}

const settingsQuery = `
  select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
         pg_is_in_recovery() as replica`

/** `origin` says in the error which database it is. */
export async function assertSupported(
  connection: ConnectionConfig,
  origin = 'of DATABASE_URL',
): Promise<void> {
  const client = new pg.Client(connectionConfig(connection))
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<ServerSettings>(settingsQuery)
    const reason = findUnsupported(rows[0]!)
    if (reason) throw new ConfigError(`the database ${origin} ${reason}`)
  } finally {
    await client.end()
  }
}

function findUnsupported({ version, encoding, replica }: ServerSettings): string | undefined {
  if (version < 150_000) return `is PostgreSQL ${Math.floor(version / 10_000)}: use 15 or later`
  if (encoding !== 'UTF8') return `has the encoding ${encoding}: create it with UTF8`
  return replica ? 'is a read-only replica: use the primary' : undefined
}
