/** Creates a database for a test file, cloned from the migrated template. */
import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { type ConnectionConfig, connectDb, type Db } from '../../src/platform/db/db.ts'
import { type MovableClock, movableClock } from './clock.ts'
import { administer, withDatabase } from './server.ts'

export interface TestDatabase {
  db: Db
  clock: MovableClock
  connection: ConnectionConfig
}

/** Call at the top of a file or in beforeAll: the database is dropped after the file's tests. */
export async function testDatabase(clock = movableClock()): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`
  const server = inject('server')
  await administer(server, `create database ${name} template ${inject('template')}`)
  const connection = withDatabase(server, name)
  const db = connectDb({ connection, clock, readers: 2, writers: 8 })
  afterAll(async () => {
    await db.close()
    await administer(server, `drop database if exists ${name} with (force)`)
  })
  return { db, clock, connection }
}
