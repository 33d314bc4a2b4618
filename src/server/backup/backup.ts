/**
 * Backs up a data directory while the service runs. The database's files are copied as they change, together with the
 * log from before the first to after the last: replayed, it makes them one moment. Everything else follows, so that
 * what the database speaks of is there.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Config, ConfigError } from '../../platform/config.ts'
import { type ConnectionConfig, connectionConfig } from '../../platform/db/db.ts'
import type { Database } from '../database.ts'
import { version } from '../version.ts'
import { listTree } from './copy.ts'
import { dataDirectoryIn, type Manifest, writeManifest } from './manifest.ts'
import { beginBackup, endBackup, majorVersion, newestMigration } from './store.ts'
import { type BackupWriter, type Progress, startBackupWriter } from './writer.ts'

const control = 'postgres/global/pg_control'

/** Folders of the server that runs: a backup has them empty. */
const emptied =
  /^postgres\/(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
const ofTheServer =
  /^postgres\/(.*\/)?(postmaster\.(pid|opts)|\.s\.PGSQL\..*|pg_internal\.init.*|pgsql_tmp.*|backup_label.*)$/
/** Of this machine or this moment, beside the database. */
const ofTheMoment = /^(postgres\..*|running\.json|restoring|lost\+found|.*\.new|blobs\/tmp\/.*)$/

const isOfCluster = (name: string) => /^postgres($|\/)/.test(name)
const clusterPart = (name: string) =>
  isOfCluster(name) && name !== control && !emptied.test(name) && !ofTheServer.test(name)
const otherPart = (name: string) => !isOfCluster(name) && !ofTheMoment.test(name)

export async function backUp(
  config: Config,
  database: Database,
  target: string,
  progress: Progress,
): Promise<Manifest> {
  const made = await makeTarget(config, target)
  try {
    const savings = startBackupWriter(config.dataDir, dataDirectoryIn(target), progress)
    const about = await saveDatabase(config.dataDir, database, savings)
    await savings.tree(await listTree(config.dataDir, otherPart))
    const { directories, files } = await savings.finish()
    const createdAt = new Date().toISOString()
    const manifest: Manifest = { format: 1, version, createdAt, ...about, directories, files }
    await writeManifest(target, manifest)
    return manifest
  } catch (error) {
    await rm(made ?? dataDirectoryIn(target), { recursive: true, force: true })
    throw error
  }
}

/** An empty directory to fill, new or given. Gives the topmost one that had to be made. */
async function makeTarget({ dataDir }: Config, target: string): Promise<string | undefined> {
  if (`${target}/`.startsWith(`${dataDir}/`))
    throw new ConfigError(`${target} lies in the data directory: name one elsewhere`)
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new ConfigError(`${target} is not empty: name a new directory`)
  const made = await mkdir(target, { recursive: true, mode: 0o700 })
  await mkdir(dataDirectoryIn(target), { mode: 0o700 })
  return made
}

async function saveDatabase(dataDir: string, { superuser, connection }: Database, savings: BackupWriter) {
  const migration = await withClient(connection, newestMigration)
  return withClient(superuser!, async client => {
    const first = await beginBackup(client)
    await savings.tree(await listTree(dataDir, clusterPart))
    await savings.bytes(control, await settled(path.join(dataDir, control)))
    const { wal: last, label } = await endBackup(client)
    await savings.bytes('postgres/backup_label', Buffer.from(label))
    const names = await readdir(path.join(dataDir, 'postgres/pg_wal'))
    const needed = names.filter(name => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
    if (!needed.includes(first) || !needed.includes(last))
      throw new Error(`the database's log from ${first} to ${last} is not complete`)
    const files = needed.map(name => ({ path: `postgres/pg_wal/${name}`, size: 0 }))
    await savings.tree({ directories: [], files })
    return { migration, postgres: await majorVersion(client) }
  })
}

/** A small file that the server rewrites in place: read until two readings agree, so that none is half of each. */
async function settled(file: string): Promise<Buffer> {
  for (let before = await readFile(file); ; ) {
    await sleep(5)
    const now = await readFile(file)
    if (now.equals(before)) return now
    before = now
  }
}

async function withClient<T>(to: ConnectionConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionConfig(to))
  client.on('error', () => {}) // the statement under way, or the next one, fails with it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
