/**
 * Generates a workspace of 1,000,000 contacts, one of 10,000 and 200 small ones in SQL. Every condition has common matches
 * (about a third, evenly spread), rare ones (20 contacts, evenly spread), none, and old ones (the oldest tenth). The data
 * is kept in a directory and reused.
 */
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type ConnectionConfig, connectionConfig } from '../../src/platform/db/db.ts'
import { startEmbedded } from '../../src/platform/db/embedded/start.ts'
import { MigrationError, migrate } from '../../src/platform/db/migrate.ts'
import { administer } from '../../test/harness/server.ts'
import { makeTenant } from './tenant.ts'

export const bigSize = Number(process.env.BENCH_CONTACTS ?? 1_000_000)
export const sizes = { big: bigSize, middle: 10_000 }
export const tenants = { big: 'tn_big', middle: 'tn_middle' } as const

const version = 'contacts-10'

export interface Dataset {
  connection: ConnectionConfig
  close(): Promise<void>
}

export async function openDataset(): Promise<Dataset> {
  const url = process.env.BENCH_DATABASE_URL
  const dataDir = process.env.BENCH_DATA_DIR ?? path.join(os.tmpdir(), 'parley-bench-contacts')
  const server = url ? undefined : await startEmbedded({ dataDir })
  const connection: ConnectionConfig = server?.connection ?? { connectionString: url }
  const maker: ConnectionConfig = server
    ? { ...server.superuser, database: server.connection.database }
    : connection
  // For work on queries: data of an older schema suffices.
  if (process.env.BENCH_AS_IS) return { connection, close: async () => void (await server?.stop()) }
  await migrate(connection).catch(error => startOver(error, server?.superuser, connection))
  const client = new pg.Client(connectionConfig(maker))
  await client.connect()
  await client.query('create table if not exists bench_data (version text, size int)')
  const { rows } = await client.query('select version, size from bench_data')
  if (rows[0]?.version !== version || rows[0]?.size !== bigSize) await build(client)
  await client.end()
  return { connection, close: async () => void (await server?.stop()) }
}

/** Deletes data of an older schema. */
async function startOver(
  error: unknown,
  superuser: ConnectionConfig | undefined,
  connection: ConnectionConfig,
): Promise<void> {
  if (!(error instanceof MigrationError) || !superuser) throw error
  const { database, user } = connection
  for (const text of [`drop database ${database}`, `create database ${database} owner ${user}`])
    await administer(superuser, text)
  await administer(
    { ...superuser, database },
    'create extension if not exists pg_trgm; create extension if not exists btree_gin',
  )
  await migrate(connection)
}

async function build(client: pg.Client): Promise<void> {
  const started = Date.now()
  const say = (what: string) =>
    process.stderr.write(`${Math.round((Date.now() - started) / 1000)} s ${what}\n`)
  await client.query(
    "set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
  )
  await client.query('set synchronous_commit = off')
  await client.query(`truncate tenants cascade; truncate bench_data, contact_activity, contact_field_values,
    contact_counts, contact_count_deltas`)
  const indexes = await dropIndexes(client)
  await makeTenant(client, tenants.big, sizes.big)
  await makeTenant(client, tenants.middle, sizes.middle)
  await makeTenant(client, 'tn_small0', 100)
  await copyTenant(client, 'tn_small0', 199)
  say('contacts are in')
  for (const index of indexes) await client.query(index)
  say('indexes are built')
  await client.query('vacuum analyze')
  await client.query('insert into bench_data values ($1, $2)', [version, bigSize])
  say('data is ready')
}

async function copyTenant(client: pg.Client, tenant: string, times: number): Promise<void> {
  await client.query(
    `insert into tenants select 'tn_small' || n, 'copy', '2020-01-01' from generate_series(1, ${times}) n`,
  )
  const { rows } = await client.query<{ name: string }>(`
    select table_name as name from information_schema.columns where column_name = 'tenant_id'
    and table_schema = 'public' and (table_name like 'contact%' or table_name in ('tags', 'custom_fields'))`)
  for (const { name } of rows)
    await client.query(
      `insert into ${name} select (jsonb_populate_record(t, jsonb_build_object('tenant_id', 'tn_small' || k))).*
       from ${name} t, generate_series(1, ${times}) k where t.tenant_id = $1`,
      [tenant],
    )
}

/** Recreates indexes after the load, which is many times faster. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexdef: string; indexname: string }>(`
    select indexname, indexdef from pg_indexes
    where tablename like 'contact%' and schemaname = 'public' and indexname not like '%_pkey'`)
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
  return rows.map(row => row.indexdef)
}
