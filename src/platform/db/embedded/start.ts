/**
 * The embedded PostgreSQL: `startEmbedded` starts a server in the data directory and returns how to reach it. The server
 * listens on a Unix socket only, belongs to exactly one service process and ends with it. It can be started again
 * whatever that process was doing when it was killed.
 */
import { mkdirSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { findPackage, type Package } from './binaries.ts'
import { clusterExists, createCluster, superuserName, toDataPath } from './cluster.ts'
import {
  findClusterMode,
  type LaunchMode,
  readClusterLocation,
  writeClusterLocation,
} from './cluster-location.ts'
import { embeddedError, toEmbeddedError } from './error.ts'
import { buildCommand, chooseLaunchMode } from './launch-mode.ts'
import { acquireOwnership, type Owner } from './lock.ts'
import { port, type ServerLock, stopOrphans, toClusterName } from './orphans.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { getDefaultSettings } from './settings.ts'
import { chooseSocket, removeShortDirectory, type SocketLocation } from './socket.ts'
import { prepareDatabase } from './store.ts'
import { findTools, type Tools } from './tools.ts'

interface EmbeddedConnection {
  /** the directory of the Unix socket */
  host: string
  port: number
  user: string
  database: string
  password?: string
}

export interface EmbeddedServer {
  /** for the ordinary role the service runs as */
  connection: EmbeddedConnection
  /** only to create databases, roles and extensions */
  superuser: EmbeddedConnection
  pid: number
  /** where the cluster really is */
  dataDir: string
  /** fast shutdown; resolves when the server has ended */
  stop(): Promise<void>
  /** resolves when the server ends for any reason */
  exited: Promise<number | null>
}

export interface EmbeddedOptions {
  /** the service's DATA_DIR */
  dataDir: string
  log?: (line: string) => void
  settings?: Record<string, string>
  role?: string
  database?: string
  /** where an earlier server of this process listened */
  earlierHost?: string
}

interface Boot {
  dataDir: string
  cluster: string
  tools: Tools
  source: Package
  log: (line: string) => void
}

async function openDataDir(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return realpath(dataDir)
}

function serverArguments(
  boot: Boot,
  mode: LaunchMode,
  socket: SocketLocation,
  settings: Record<string, string>,
): string[] {
  const all = {
    ...getDefaultSettings(),
    ...settings,
    listen_addresses: '',
    unix_socket_directories: socket.setting,
    port: String(port),
    cluster_name: toClusterName(boot.cluster),
  }
  const pairs = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', toDataPath(mode, boot.cluster), ...pairs]
}

/** A moved data directory changes the recorded location, never the launch mode. */
async function keepLocation({ dataDir, cluster }: Boot, mode: LaunchMode): Promise<void> {
  const { kind, uid, gid } = mode
  const recorded = readClusterLocation(dataDir)
  if (recorded?.mode === kind && recorded.uid === uid && recorded.cluster === cluster) return
  await writeClusterLocation(dataDir, { mode: kind, uid, gid, cluster })
}

async function launch(boot: Boot, owner: Owner, lock: ServerLock, options: EmbeddedOptions) {
  const { dataDir, cluster, tools, log } = boot
  const exists = await clusterExists(cluster, boot.source.version)
  const { mode, native } = await chooseLaunchMode(dataDir, cluster, tools, boot.source)
  if (!exists) {
    log(`creating the database in ${cluster}`)
    await createCluster(dataDir, cluster, { native, mode, tools, lock: lock.fd })
  }
  await keepLocation(boot, mode)
  const socket = chooseSocket(cluster, mode, options.earlierHost)
  if (socket.shortDir) owner.noteSocketDir(socket.shortDir)
  const args = serverArguments(boot, mode, socket, options.settings ?? {})
  const started = buildCommand(mode, tools, path.join(native, 'bin', 'postgres'), args)
  const onEnd = () => {
    removeShortDirectory(socket.shortDir)
    lock.release()
    owner.release()
  }
  const postmaster = await startPostmaster(started, { dataDir, cluster, lock: lock.fd }, tools, onEnd)
  return { postmaster, host: socket.host(postmaster.pid) }
}

async function prepare(
  postmaster: Postmaster,
  superuser: EmbeddedConnection,
  role: string,
  database: string,
) {
  try {
    await prepareDatabase(superuser, role, database)
  } catch (cause) {
    await postmaster.stop()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw embeddedError(`PostgreSQL started but could not be prepared (${reason})`, 'see postgres.log', cause)
  }
}

async function start(boot: Boot, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const owner = await acquireOwnership(boot.dataDir, boot.tools.flock)
  let lock: ServerLock | undefined
  let running: Awaited<ReturnType<typeof launch>>
  try {
    lock = await stopOrphans(boot.dataDir, boot.cluster, boot.tools.flock, boot.log)
    removeShortDirectory(owner.staleSocketDir)
    running = await launch(boot, owner, lock, options)
  } catch (error) {
    lock?.release()
    owner.release()
    throw error
  }
  const { postmaster, host } = running
  const { role = 'parley', database = 'parley' } = options
  const superuser = { host, port, user: superuserName, database: 'postgres' }
  await prepare(postmaster, superuser, role, database)
  return { connection: { host, port, user: role, database }, superuser, dataDir: boot.cluster, ...postmaster }
}

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const source = await findPackage()
  try {
    const dataDir = await openDataDir(options.dataDir)
    const cluster = path.join(dataDir, 'postgres')
    // Before anything is written: a foreign cluster must stay unchanged.
    findClusterMode(dataDir, cluster)
    const tools = await findTools()
    return await start({ dataDir, cluster, tools, source, log: options.log ?? (() => {}) }, options)
  } catch (error) {
    throw toEmbeddedError(error, options.dataDir)
  }
}
