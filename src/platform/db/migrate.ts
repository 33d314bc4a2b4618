/**
 * Applies numbered SQL files, forward-only, each once and in its own transaction, under one advisory lock, so that any
 * number of processes may start together. Refuses a database of a newer version, which an older program must not write,
 * and a database made before the first release, which cannot be upgraded.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { projectRoot } from '../project-root.ts'
import { type ConnectionConfig, connectionConfig } from './db.ts'

export class MigrationError extends Error {}

interface Migration {
  number: number
  name: string
  text: string
  hash: string
}

const lockKey = 7_270_539_401 // any number, the same in every version

export const migrationsDirectory = path.join(projectRoot, 'migrations')

export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const files = (await readdir(directory)).filter(file => /^\d{4}_.*\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async name => {
      const text = await readFile(path.join(directory, name), 'utf8')
      return {
        number: Number(name.slice(0, 4)),
        name,
        text,
        hash: createHash('sha256').update(text).digest('hex'),
      }
    }),
  )
}

/** Applies missing migrations and returns their names. */
export async function migrate(connection: ConnectionConfig, directory?: string): Promise<string[]> {
  const migrations = await readMigrations(directory)
  // The first connection of a process: a server that recovers from a crash may take a while to accept it.
  const client = new pg.Client(connectionConfig({ connectionTimeoutMillis: 30_000, ...connection }))
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`create table if not exists migrations (
      number int primary key, name text not null, hash text not null)`)
    const { rows } = await client.query<{ number: number; name: string; hash: string }>(
      'select number, name, hash from migrations order by number',
    )
    checkApplied(rows, migrations)
    const missing = migrations.filter(m => !rows.some(row => row.number === m.number))
    for (const migration of missing) await apply(client, migration)
    return missing.map(m => m.name)
  } finally {
    await client.end()
  }
}

function checkApplied(applied: { number: number; name: string; hash: string }[], known: Migration[]): void {
  const newest = known.at(-1)?.number ?? 0
  for (const row of applied) {
    const migration = known.find(m => m.number === row.number)
    if (!migration && row.number > newest) {
      throw new MigrationError(
        `the database is of a newer version (it has migration ${row.name}); run that version or a later one`,
      )
    }
    if (migration?.name !== row.name) {
      throw new MigrationError(
        `the database was made by a build before the first release (it has migration ${row.name}) and cannot be upgraded; start with an empty DATA_DIR or database`,
      )
    }
    if (migration.hash !== row.hash) {
      throw new MigrationError(
        `migration ${migration.name} differs from the file that this database was made with; restore the original file`,
      )
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.text)
    await client.query('insert into migrations (number, name, hash) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.hash,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new MigrationError(`migration ${migration.name} failed: ${(error as Error).message}`)
  }
}
