/**
 * Where the server listens: a Unix socket that only its user can reach. It is in the directory of the cluster, which is closed to
 * everyone else. A socket's path holds 107 bytes; when the cluster's is too long, a short directory of our own
 * takes its place, and at the very last the server's working directory as /proc shows it.
 */
import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { LaunchMode } from './cluster-location.ts'
import { socketName } from './orphans.ts'

export interface SocketLocation {
  /** value of unix_socket_directories */
  setting: string
  host(pid: number): string
  shortDir?: string
}

const maxSocketPathBytes = 107
const directoryPrefix = 'parley-'

const isShortEnough = (folder: string) =>
  Buffer.byteLength(path.join(folder, socketName)) <= maxSocketPathBytes

/** Root's server has no root privileges: every parent directory must be passable for all users. */
function isReachableByAll(folder: string): boolean {
  for (let at = folder; ; at = path.dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false })
    if (!stat || (stat.mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

function createShortDirectory(mode: LaunchMode): string | undefined {
  for (const base of [process.env.XDG_RUNTIME_DIR, os.tmpdir()]) {
    if (!base || !isShortEnough(path.join(base, `${directoryPrefix}XXXXXX`))) continue
    if (mode.kind !== 'direct' && !isReachableByAll(base)) continue
    try {
      const folder = mkdtempSync(path.join(base, directoryPrefix))
      if (mode.kind === 'other-user') chownSync(folder, mode.uid, mode.gid)
      return folder
    } catch {}
  }
  return undefined
}

/** Recreates the directory of an earlier server of this process, so that its clients find the next one. */
function recreateDirectory(folder: string | undefined, mode: LaunchMode): string | undefined {
  if (!folder || !path.basename(folder).startsWith(directoryPrefix)) return undefined
  try {
    mkdirSync(folder, { mode: 0o700 })
    if (mode.kind === 'other-user') chownSync(folder, mode.uid, mode.gid)
    return folder
  } catch {
    return undefined
  }
}

export function chooseSocket(cluster: string, mode: LaunchMode, earlier?: string): SocketLocation {
  if (isShortEnough(cluster)) return { setting: '.', host: () => cluster }
  const shortDir = recreateDirectory(earlier, mode) ?? createShortDirectory(mode)
  if (shortDir) return { setting: `"${shortDir.replaceAll('"', '""')}"`, host: () => shortDir, shortDir }
  return { setting: '.', host: pid => `/proc/${pid}/cwd` }
}

/** Removes a short directory and PostgreSQL's two files in it; a directory with other files stays. */
export function removeShortDirectory(folder: string | undefined): void {
  if (!folder || !path.basename(folder).startsWith(directoryPrefix)) return
  try {
    if (!lstatSync(folder).isDirectory()) return
    for (const name of [socketName, `${socketName}.lock`]) rmSync(path.join(folder, name), { force: true })
    rmdirSync(folder)
  } catch {}
}
