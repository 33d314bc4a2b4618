/**
 * Opens the database of a process: the operator's PostgreSQL, an embedded server that this process starts and
 * supervises, or, for a command beside a running service, the embedded server of that service.
 */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Config, ConfigError } from '../../platform/config.ts'
import type { ConnectionConfig } from '../../platform/db/db.ts'
import { getStartTime } from '../../platform/db/embedded/processes.ts'
import type { Logger } from '../../platform/log.ts'
import { assertSupported } from './check-postgres.ts'
import { superviseEmbedded } from './embedded.ts'

export interface Database {
  connection: ConnectionConfig
  /** Connects to the server itself, past any pooler. */
  direct: ConnectionConfig
  /** A standby that serves searches, lists and reports. */
  replica?: ConnectionConfig | undefined
  /** Only for an embedded server: for operations that the service's own role may not do. */
  superuser?: ConnectionConfig
  /** Whether the database belongs to another process, which has migrated it. */
  borrowed?: boolean
  /** Resolves with the reason when the database cannot be restarted. */
  lost: Promise<string>
  close(): Promise<void>
}

interface RunningService {
  pid: number
  started: string | undefined
  connection: ConnectionConfig
  superuser: ConnectionConfig
}

const never = new Promise<string>(() => {})
const nothingToClose = async () => {}

/** Marks a data directory whose restore has not finished. */
export function restoreMarkerPath(dataDir: string): string {
  return path.join(dataDir, 'restoring')
}

export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl }
    const direct = { connectionString: config.databaseDirectUrl ?? config.databaseUrl }
    const replica = toConnection(config.databaseReplicaUrl)
    await assertSupported(direct)
    return { connection, direct, replica, lost: never, close: nothingToClose }
  }
  return openEmbedded(config, log)
}

export function toConnection(url: string | undefined): ConnectionConfig | undefined {
  return url === undefined ? undefined : { connectionString: url }
}

/** For commands: uses the database of the service that runs on this data directory, or starts it until closed. */
export async function connectToRunningDatabase(
  config: Config,
  log: Logger,
  create = false,
): Promise<Database> {
  const running = config.databaseUrl ? undefined : await findRunning(config)
  if (!running) {
    // Most likely DATA_DIR is wrong; creating a database here would hide that.
    if (!config.databaseUrl && !create && !existsSync(path.join(config.dataDir, 'postgres')))
      throw new ConfigError(
        `no database found in ${config.dataDir}: set DATA_DIR to its directory, or create one with parley migrate`,
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

/** Lets commands use the embedded database of this process. Returns a function that ends that. */
export async function shareDatabase(config: Config, database: Database): Promise<() => Promise<void>> {
  const { connection, superuser } = database
  if (!superuser) return nothingToClose
  const running: RunningService = {
    pid: process.pid,
    started: getStartTime(process.pid),
    connection,
    superuser,
  }
  await writeFile(runningFile(config), JSON.stringify(running), { mode: 0o600 })
  return () => rm(runningFile(config), { force: true })
}

function runningFile(config: Config): string {
  return path.join(config.dataDir, 'running.json')
}

async function findRunning(config: Config): Promise<RunningService | undefined> {
  try {
    const running = JSON.parse(await readFile(runningFile(config), 'utf8')) as RunningService
    const { pid, started } = running
    return started !== undefined && getStartTime(pid) === started ? running : undefined
  } catch {
    return undefined
  }
}
