/** Starts one database server for each project of the run, with a migrated template that every test file clones. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { newFolder, removeFolder } from './folders.ts'
import { administer, withDatabase } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    server: ConnectionConfig
    template: string
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // Vitest calls this for each project as well, which inherit what the root provides.
  if (!project.isRootProject()) return undefined
  const { connection, stop } = await startServer()
  // With TEST_DATABASE_URL all projects, and other runs, share one server.
  const template = `parley_template_${randomBytes(6).toString('hex')}`
  await administer(connection, `create database ${template}`)
  await administer(
    withDatabase(connection, template),
    'create extension if not exists pg_trgm; create extension if not exists btree_gin',
  )
  await migrate(withDatabase(connection, template))
  project.provide('server', connection)
  project.provide('template', template)
  return async () => {
    await administer(connection, `drop database if exists ${template} with (force)`).catch(() => {})
    await stop()
  }
}

/** Starts a server, unless TEST_DATABASE_URL names one (as superuser, to test another PostgreSQL version). */
async function startServer(): Promise<{ connection: ConnectionConfig; stop: () => Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { connection: { connectionString: url }, stop: async () => {} }
  const { startEmbedded } = await import('../../src/platform/db/embedded/start.ts')
  const dataDir = await newFolder('test')
  // The data does not survive the run, so fsync would only slow the tests. Crash tests use their own server.
  const server = await startEmbedded({ dataDir, settings: { fsync: 'off', max_connections: '600' } })
  return {
    connection: server.superuser,
    stop: async () => {
      await server.stop()
      await removeFolder(dataDir)
    },
  }
}
