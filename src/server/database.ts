/**
 * Where the data is: the operator's PostgreSQL, or an embedded one that this process starts and keeps running, or,
 * for a command beside a running service, the one that service has started.
 */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Config, ConfigError } from '../platform/config.ts'
import type { ConnectionConfig } from '../platform/db/db.ts'
import { getStartTime } from '../platform/db/embedded/processes.ts'
import type { Logger } from '../platform/log.ts'
import { assertSupported } from './check-postgres.ts'
import { superviseEmbedded } from './embedded.ts'

export interface Database {
  connection: ConnectionConfig
  /** Past any pooler. */
  direct: ConnectionConfig
  /** Of an embedded server: for what the service's own role may not do. */
  superuser?: ConnectionConfig
  /** It belongs to another process, which has migrated it. */
  borrowed?: boolean
  /** Resolves when the database is gone for good, with the reason. */
  lost: Promise<string>
  close(): Promise<void>
}

interface Running {
  pid: number
  started: string | undefined
  connection: ConnectionConfig
  superuser: ConnectionConfig
}

const never = new Promise<string>(() => {})
const nothingToClose = async () => {}

/** Lies in a data directory while a backup is put back into it: what is there is not whole yet. */
export function restoreMarkerPath(dataDir: string): string {
  return path.join(dataDir, 'restoring')
}

export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl }
    const direct = { connectionString: config.databaseDirectUrl ?? config.databaseUrl }
    await assertSupported(direct)
    return { connection, direct, lost: never, close: nothingToClose }
  }
  return openEmbedded(config, log)
}

/** For commands: uses the database of a service that runs on this data directory, or starts it for as long as needed. */
export async function connectToRunningDatabase(config: Config, log: Logger, make = false): Promise<Database> {
  const running = config.databaseUrl ? undefined : await findRunning(config)
  if (!running) {
    // Most likely another directory was meant; making a database here would only hide that.
    if (!config.databaseUrl && !make && !existsSync(path.join(config.dataDir, 'postgres')))
      throw new ConfigError(
        `there is no database in ${config.dataDir}: set DATA_DIR to where it is, or make one with parley migrate`,
      )
    return openDatabase(config, log)
  }
  const { connection, superuser } = running
  return { connection, direct: connection, superuser, borrowed: true, lost: never, close: nothingToClose }
}

async function openEmbedded(config: Config, log: Logger): Promise<Database> {
  if (existsSync(restoreMarkerPath(config.dataDir)))
    throw new ConfigError(`a restore into ${config.dataDir} did not finish: run parley restore again`)
  const { connection, superuser, lost, stop } = await superviseEmbedded(config.dataDir, log)
  return { connection, direct: connection, superuser, lost, close: stop }
}

/** Lets commands use the embedded database of this process, which has migrated it. Gives how to end that. */
export async function shareDatabase(config: Config, database: Database): Promise<() => Promise<void>> {
  const { connection, superuser } = database
  if (!superuser) return nothingToClose
  const note: Running = { pid: process.pid, started: getStartTime(process.pid), connection, superuser }
  await writeFile(runningFile(config), JSON.stringify(note), { mode: 0o600 })
  return () => rm(runningFile(config), { force: true })
}

function runningFile(config: Config): string {
  return path.join(config.dataDir, 'running.json')
}

async function findRunning(config: Config): Promise<Running | undefined> {
  try {
    const note = JSON.parse(await readFile(runningFile(config), 'utf8')) as Running
    return note.started !== undefined && getStartTime(note.pid) === note.started ? note : undefined
  } catch {
    return undefined
  }
}
