import { randomBytes } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { movableClock } from '../../../test/harness/clock.ts'
import { newFolder, removeFolder } from '../../../test/harness/folders.ts'
import { administer, withDatabase } from '../../../test/harness/server.ts'
import { projectRoot } from '../project-root.ts'
import { type ConnectionConfig, connectDb, type Db } from './db.ts'
import { migrate, migrationsDirectory, readMigrations } from './migrate.ts'
import { sql } from './sql.ts'
import { dumpSchema } from './testing/dump-schema.ts'

const server = inject('server')
const names = (await readMigrations()).map(migration => migration.name)

async function emptyDatabase(): Promise<{ connection: ConnectionConfig; db: Db }> {
  const name = `m_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name}`)
  const connection = withDatabase(server, name)
  await administer(
    connection,
    'create extension if not exists pg_trgm; create extension if not exists btree_gin',
  )
  const db = connectDb({ connection, clock: movableClock(), readers: 1, writers: 1 })
  afterAll(async () => {
    await db.close()
    await administer(server, `drop database if exists ${name} with (force)`)
  })
  return { connection, db }
}

/** A folder with the first `count` migrations and these further files. */
async function migrationFolder(count: number, further: Record<string, string> = {}): Promise<string> {
  const folder = await newFolder('migrations')
  afterAll(() => removeFolder(folder))
  for (const name of names.slice(0, count))
    await copyFile(path.join(migrationsDirectory, name), path.join(folder, name))
  for (const [name, text] of Object.entries(further)) await writeFile(path.join(folder, name), text)
  return folder
}

test('a database of the previous version gets the newer migrations and keeps its rows', async () => {
  const { connection, db } = await emptyDatabase()
  const previous = names.length - 1
  expect(await migrate(connection, await migrationFolder(previous))).toEqual(names.slice(0, previous))
  await db.run(sql`insert into crons (name, schedule, next_at) values ('kept', '* * * * *', now())`)
  expect(await migrate(connection)).toEqual(names.slice(previous))
  expect(await dumpSchema(connection)).toBe(await readFile(path.join(projectRoot, 'schema.sql'), 'utf8'))
  expect(await db.rows(sql`select name from crons`)).toEqual([{ name: 'kept' }])
})

test('the next version upgrades a database made by this one, which this version then refuses', async () => {
  const { connection, db } = await emptyDatabase()
  await migrate(connection)
  await db.run(sql`insert into crons (name, schedule, next_at) values ('kept', '* * * * *', now())`)
  const next = { '9999_next.sql': "alter table crons add column zone text not null default 'UTC';" }
  expect(await migrate(connection, await migrationFolder(names.length, next))).toEqual(['9999_next.sql'])
  expect(await db.rows(sql`select name, zone from crons`)).toEqual([{ name: 'kept', zone: 'UTC' }])
  await expect(migrate(connection)).rejects.toThrow('newer version (it has migration 9999_next.sql)')
})

test('a database made before the first release is refused with one line', async () => {
  const { connection } = await emptyDatabase()
  await migrate(
    connection,
    await migrationFolder(0, { '0001_idempotency.sql': 'create table old (id int);' }),
  )
  const refused = migrate(connection)
  await expect(refused).rejects.toThrow(
    /^the database was made by a build before the first release .*empty DATA_DIR/,
  )
  await expect(refused).rejects.not.toThrow('\n')
})

test('a migration that was edited after it was applied is refused', async () => {
  const { connection } = await emptyDatabase()
  await migrate(connection, await migrationFolder(0, { [names[0]!]: 'create table other (id int);' }))
  await expect(migrate(connection)).rejects.toThrow(`migration ${names[0]} differs`)
})
