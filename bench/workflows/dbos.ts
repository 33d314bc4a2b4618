/**
 * Runs the same three durable steps in DBOS on the same server: store a value, branch, write a row, with the concurrency
 * that performs best. Skipped if DBOS is not installed (`npm install --prefix bench/peers`).
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import { toUrl } from '../peers/server.ts'

interface Dbos {
  setConfig(config: object): void
  launch(): Promise<void>
  shutdown(): Promise<void>
  registerWorkflow<A extends unknown[]>(
    run: (...args: A) => Promise<unknown>,
    options: { name: string },
  ): (...args: A) => Promise<unknown>
  runStep<T>(step: () => Promise<T>, options: { name: string }): Promise<T>
}

async function load(): Promise<Dbos | undefined> {
  const file = path.join(import.meta.dirname, '../peers/node_modules/@dbos-inc/dbos-sdk/dist/src/index.js')
  try {
    const found = (await import(pathToFileURL(file).href)) as { DBOS: Dbos }
    return found.DBOS
  } catch {
    return undefined
  }
}

/** Returns runs per second. */
export async function dbosRate(connection: ConnectionConfig, count: number): Promise<number | undefined> {
  const dbos = await load()
  if (!dbos) return undefined
  const pool = new pg.Pool({ ...connection, max: 20 })
  await pool.query('create table bench_dbos_tags (contact text, tag text, primary key (contact, tag))')
  const url = connection.connectionString ?? toUrl(connection)
  dbos.setConfig({ name: 'bench', systemDatabaseUrl: url, systemDatabasePoolSize: 20, logLevel: 'error' })
  const run = dbos.registerWorkflow(
    async (contact: string, total: string) => {
      const kept = await dbos.runStep(async () => total, { name: 'set' })
      const bought = await dbos.runStep(async () => kept === '10', { name: 'branch' })
      if (!bought) return
      await dbos.runStep(
        async () => {
          await pool.query('insert into bench_dbos_tags values ($1, $2) on conflict do nothing', [
            contact,
            'tag',
          ])
          return true
        },
        { name: 'tag' },
      )
    },
    { name: 'three-steps' },
  )
  await dbos.launch()
  const all = async (prefix: string, many: number) => {
    let next = 0
    const one = async () => {
      while (next < many) await run(`${prefix}${next++}`, '10')
    }
    await Promise.all(Array.from({ length: 40 }, one))
  }
  await all('warm', Math.min(200, count))
  const startedAt = performance.now()
  await all('contact', count)
  const rate = (count * 1_000) / (performance.now() - startedAt)
  await dbos.shutdown()
  await pool.end()
  return rate
}
