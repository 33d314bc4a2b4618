/**
 * Creates, as superuser, the service's role and database and the extensions that the migrations use, also for databases
 * created later. Idempotent; the superuser is used for nothing else.
 */
import pg from 'pg'

const extensions = ['pg_trgm', 'btree_gin'] as const

interface State {
  extensions: string[]
  role: boolean
  database: boolean
}

const stateQuery = `
  select array(select extname::text from pg_extension) as extensions,
         exists (select from pg_roles where rolname = $1) as role,
         exists (select from pg_database where datname = $2) as database`

/** Extensions go into template1 first, so a new database has them from its first moment. */
export async function prepareDatabase(
  superuser: pg.ClientConfig,
  role: string,
  database: string,
): Promise<void> {
  const client = new pg.Client({ ...superuser, database: 'template1' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<State>(stateQuery, [role, database])
    const state = rows[0]
    for (const name of extensions) {
      if (!state?.extensions.includes(name)) await client.query(`create extension if not exists ${name}`)
    }
    const [roleName, databaseName] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)]
    if (!state?.role) await client.query(`create role ${roleName} login`)
    if (!state?.database) await client.query(`create database ${databaseName} owner ${roleName}`)
  } finally {
    await client.end()
  }
}
