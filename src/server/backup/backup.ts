/**
 * Backs up a data directory while the service runs. The database files are copied while they change, together with
 * the write-ahead log of that time; replaying it makes the copy consistent. Blobs and other files are copied
 * afterwards, so that every file the database references is in the backup.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Config, ConfigError } from '../../platform/config.ts'
import { type ConnectionConfig, connectionConfig } from '../../platform/db/db.ts'
import { version } from '../../platform/project-root.ts'
import type { Database } from '../database/database.ts'
import { listTree } from './copy.ts'
import { dataDirectoryIn, type Manifest, writeManifest } from './manifest.ts'
import { beginBackup, endBackup, majorVersion, newestMigration } from './store.ts'
import { type BackupWriter, type Progress, startBackupWriter } from './writer.ts'

const controlFile = 'postgres/global/pg_control'

/** Content of directories that a backup contains empty. */
const emptiedDirectories =
  /^postgres\/(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
/** Files of the running server. */
const serverFiles =
  /^postgres\/(.*\/)?(postmaster\.(pid|opts)|\.s\.PGSQL\..*|pg_internal\.init.*|pgsql_tmp.*|backup_label.*)$/
/** Files outside the database directory that belong to this machine or this run. */
const transientFiles =
  /^(postgres\..*|running\.json|installation\.json|url|restoring|lost\+found|.*\.new|blobs\/tmp\/.*)$/

const isInCluster = (name: string) => /^postgres($|\/)/.test(name)
const isClusterFile = (name: string) =>
  isInCluster(name) && name !== controlFile && !emptiedDirectories.test(name) && !serverFiles.test(name)
const isOtherFile = (name: string) => !isInCluster(name) && !transientFiles.test(name)

export async function backUp(
  config: Config,
  database: Database,
  target: string,
  progress: Progress,
): Promise<Manifest> {
  const created = await createTarget(config, target)
  try {
    const writer = startBackupWriter(config.dataDir, dataDirectoryIn(target), progress)
    const versions = await saveDatabase(config.dataDir, database, writer)
    await writer.tree(await listTree(config.dataDir, isOtherFile))
    const { directories, files } = await writer.finish()
    const createdAt = new Date().toISOString()
    const manifest: Manifest = { format: 1, version, createdAt, ...versions, directories, files }
    await writeManifest(target, manifest)
    return manifest
  } catch (error) {
    await rm(created ?? dataDirectoryIn(target), { recursive: true, force: true })
    throw error
  }
}

/** Creates the target unless it exists and is empty. Returns the topmost directory that was created. */
async function createTarget({ dataDir }: Config, target: string): Promise<string | undefined> {
  if (`${target}/`.startsWith(`${dataDir}/`))
    throw new ConfigError(`${target} is inside the data directory: choose a directory outside it`)
  if (existsSync(target) && (await readdir(target)).length > 0)
    throw new ConfigError(`${target} is not empty: choose a new directory`)
  const created = await mkdir(target, { recursive: true, mode: 0o700 })
  await mkdir(dataDirectoryIn(target), { mode: 0o700 })
  return created
}

async function saveDatabase(dataDir: string, { superuser, connection }: Database, writer: BackupWriter) {
  const migration = await withClient(connection, newestMigration)
  return withClient(superuser!, async client => {
    const first = await beginBackup(client)
    await writer.tree(await listTree(dataDir, isClusterFile))
    await writer.bytes(controlFile, await readStable(path.join(dataDir, controlFile)))
    const { wal: last, label } = await endBackup(client)
    await writer.bytes('postgres/backup_label', Buffer.from(label))
    const names = await readdir(path.join(dataDir, 'postgres/pg_wal'))
    const needed = names.filter(name => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
    if (!needed.includes(first) || !needed.includes(last))
      throw new Error(`the write-ahead log from ${first} to ${last} is not complete`)
    const files = needed.map(name => ({ path: `postgres/pg_wal/${name}`, size: 0 }))
    await writer.tree({ directories: [], files })
    return { migration, postgres: await majorVersion(client) }
  })
}

/** Reads a small file that the server rewrites in place, until two reads agree. */
async function readStable(file: string): Promise<Buffer> {
  for (let before = await readFile(file); ; ) {
    await sleep(5)
    const now = await readFile(file)
    if (now.equals(before)) return now
    before = now
  }
}

async function withClient<T>(to: ConnectionConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionConfig(to))
  client.on('error', () => {}) // the current or the next statement fails with it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
