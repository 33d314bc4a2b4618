/**
 * Stops any server left over from an earlier service process, and only then removes its files. PostgreSQL's own check of
 * `postmaster.pid` is misled by zombies and reused pids; this one inspects the processes. The caller owns the data
 * directory, so any server running here has lost its owner.
 */

import { createHash } from 'node:crypto'
import { closeSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedError } from './error.ts'
import { once, openLock, tryLock } from './lock.ts'
import { findServersIn, getFolderIdentity, type ServerProcess } from './processes.ts'

export const port = 5432
export const socketName = `.s.PGSQL.${port}`
export const initPrefix = 'postgres.init-'

/** Names the cluster by its directory's inode; visible in the title of each of its processes. */
export function toClusterName(cluster: string): string {
  const digest = createHash('sha256')
    .update(getFolderIdentity(cluster) ?? 'none')
    .digest('hex')
  return `parley-${digest.slice(0, 10)}`
}

export interface ServerLock {
  /** to be inherited by the server */
  fd: number
  release(): void
}

/** Signals for an orphaned server, from graceful to forced. */
const escalation: readonly { afterMs: number; act: (found: readonly ServerProcess[]) => void }[] = [
  { afterMs: 0, act: stopGracefully },
  { afterMs: 10_000, act: found => signalAll(found, 'SIGQUIT') },
  { afterMs: 14_000, act: found => signalAll(found, 'SIGKILL') },
]
const timeoutMs = 20_000

function signalAll(found: readonly ServerProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of found) {
    try {
      process.kill(pid, signal)
    } catch {}
  }
}

function stopGracefully(found: readonly ServerProcess[]): void {
  const heads = found.filter(each => each.kind !== 'backend')
  // Without a postmaster the backends receive no signal; a busy one would run until its query ends.
  if (heads.length === 0) signalAll(found, 'SIGQUIT')
  else signalAll(heads, 'SIGINT')
}

function assertNoForeignServer(cluster: string): void {
  const inCluster = findServersIn([cluster], toClusterName(cluster))
  const foreign = inCluster.find(
    each => each.kind === 'postmaster' && !each.title.includes('cluster_name=parley-'),
  )
  if (!foreign) return
  throw embeddedError(
    `a PostgreSQL server that Parley did not start (pid ${foreign.pid}) works in ${cluster}`,
    'stop it, point DATA_DIR to another directory',
  )
}

async function listServerFolders(dataDir: string, cluster: string): Promise<string[]> {
  const names = await readdir(dataDir)
  return [cluster, ...names.filter(name => name.startsWith(initPrefix)).map(name => path.join(dataDir, name))]
}

function stuckError(found: readonly ServerProcess[], dataDir: string): Error {
  if (found.length === 0) {
    return embeddedError(
      `a database server this process cannot see, perhaps in another container, works in ${dataDir}`,
      'stop it, point DATA_DIR to another directory',
    )
  }
  const pids = found.map(each => each.pid).join(', ')
  return embeddedError(`an earlier database server in ${dataDir} does not end (pid ${pids})`, 'end it')
}

async function waitUntilClear(
  look: () => Promise<{ found: ServerProcess[]; clear: boolean }>,
  dataDir: string,
  log: (line: string) => void,
): Promise<void> {
  const begin = Date.now()
  const pending = [...escalation]
  for (let state = await look(); !state.clear; state = await look()) {
    const waited = Date.now() - begin
    if (waited > timeoutMs) throw stuckError(state.found, dataDir)
    const next = pending[0]
    if (next && waited >= next.afterMs && state.found.length > 0) {
      if (next.afterMs === 0) log(`stopping an orphaned database server (pid ${state.found[0]?.pid})`)
      next.act(state.found)
      pending.shift()
    }
    await sleep(waited < 1000 ? 20 : 200)
  }
}

/** Returns the lock that the next server inherits, when no earlier process or stale file is left. */
export async function stopOrphans(
  dataDir: string,
  cluster: string,
  flock: string | undefined,
  log: (line: string) => void,
): Promise<ServerLock> {
  const fd = openLock(path.join(dataDir, 'postgres.lock'))
  const folders = await listServerFolders(dataDir, cluster)
  const look = async () => {
    const found = findServersIn(folders, toClusterName(cluster))
    return { found, clear: found.length === 0 && (await tryLock(fd, flock)) !== 'busy' }
  }
  try {
    assertNoForeignServer(cluster)
    await waitUntilClear(look, dataDir, log)
    for (const name of ['postmaster.pid', socketName, `${socketName}.lock`]) {
      rmSync(path.join(cluster, name), { force: true })
    }
    for (const folder of folders.slice(1)) rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    closeSync(fd)
    throw error
  }
  return { fd, release: once(() => closeSync(fd)) }
}
