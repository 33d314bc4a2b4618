/**
 * The cluster's directory. It is created elsewhere and renamed into place, so it exists completely or not at all,
 * whenever the process is killed.
 */
import { chownSync, closeSync, fsyncSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { toMajorVersion } from './binaries.ts'
import { chooseDatabaseUser, isNamedUser, type LaunchMode, writeClusterLocation } from './cluster-location.ts'
import { embeddedError, getErrorCode } from './error.ts'
import { buildCommand, isModeAvailable } from './launch-mode.ts'
import { initPrefix } from './orphans.ts'
import { run, type Tools } from './tools.ts'

export const superuserName = 'postgres'

/** Root's server reaches its cluster only through its working directory; an ordinary user's has a plain path. */
export const toDataPath = (mode: LaunchMode, cluster: string) =>
  mode.kind === 'direct' ? cluster : '/proc/self/cwd'

async function listEntries(cluster: string): Promise<string[]> {
  return readdir(cluster).catch(error => {
    if (getErrorCode(error) === 'ENOENT') return []
    throw error
  })
}

/** Returns whether there is a cluster, and throws for one that these binaries cannot open. */
export async function clusterExists(cluster: string, version: string): Promise<boolean> {
  const names = await listEntries(cluster)
  if (names.length === 0) return false
  if (!names.includes('PG_VERSION')) {
    throw embeddedError(`${cluster} is not a PostgreSQL data directory`, 'move it away')
  }
  const found = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim()
  const major = toMajorVersion(version)
  if (Number(found) === major) return true
  throw embeddedError(
    `the database in ${cluster} was created by PostgreSQL ${found}, and this Parley ships PostgreSQL ${major}`,
    'use the Parley version that created it, restore a backup made for this version into an empty DATA_DIR',
  )
}

/** initdb requires its user to have a name, which a container's user often lacks; a user namespace provides one. */
async function chooseInitMode(mode: LaunchMode, tools: Tools): Promise<LaunchMode> {
  if (mode.kind !== 'direct' || isNamedUser(mode.uid)) return mode
  const named: LaunchMode = { kind: 'namespace', ...chooseDatabaseUser() }
  return (await isModeAvailable(named, tools)) ? named : mode
}

async function runInitdb(
  folder: string,
  native: string,
  mode: LaunchMode,
  tools: Tools,
  lock: number,
): Promise<void> {
  const as = await chooseInitMode(mode, tools)
  const args = [
    '-D',
    toDataPath(as, folder),
    '-U',
    superuserName,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions')
  const { file, args: rest, ...ids } = buildCommand(as, tools, path.join(native, 'bin', 'initdb'), args)
  const stdio = ['ignore', 'pipe', 'pipe', lock] as const
  const { code, output } = await run(file, rest, { ...ids, cwd: folder, detached: true, stdio: [...stdio] })
  if (code === 0) return
  const reason = output.split('\n').findLast(line => /error|fatal|cannot|could not/i.test(line)) ?? output
  throw embeddedError(
    `PostgreSQL could not create its data directory (${reason.trim().slice(0, 300)})`,
    'check that the disk is not full and that this user may write there',
  )
}

function syncDirectory(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

export async function createCluster(
  dataDir: string,
  cluster: string,
  { native, mode, tools, lock }: { native: string; mode: LaunchMode; tools: Tools; lock: number },
): Promise<void> {
  const folder = mkdtempSync(path.join(dataDir, initPrefix))
  try {
    if (mode.kind === 'other-user') chownSync(folder, mode.uid, mode.gid)
    await runInitdb(folder, native, mode, tools, lock)
    await writeClusterLocation(dataDir, { mode: mode.kind, uid: mode.uid, gid: mode.gid, cluster })
    await rename(folder, cluster).catch(error => {
      // Another process was faster; its cluster is used.
      if (!['ENOTEMPTY', 'EEXIST'].includes(getErrorCode(error))) throw error
    })
    syncDirectory(dataDir)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
