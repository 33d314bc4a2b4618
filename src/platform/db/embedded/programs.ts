/**
 * Which copy of PostgreSQL's programs to run: the installed package where the server's user can reach it and its
 * links are made, else a copy of ours, made once and kept.
 */
import { existsSync, lstatSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { copyPackage, createLinks, type Package } from './binaries.ts'
import type { LaunchMode } from './cluster-location.ts'

const copyPrefix = 'postgres.bin-'
const toCopyPath = (dataDir: string, version: string) => path.join(dataDir, `${copyPrefix}${version}`)

/** Root's own server reaches the data directory; another user's may need a place that is open to all. */
function listCopyTargets(mode: LaunchMode, dataDir: string, version: string): string[] {
  const bases = ['/var/lib', '/var/tmp', os.tmpdir(), '/dev/shm']
  const open = bases.map(base => path.join(base, `parley-postgres-${version}`))
  return mode.kind === 'namespace' ? [toCopyPath(dataDir, version), ...open] : open
}

/** Returns false for a directory that another user may have created or could change. */
function isTrusted(target: string): boolean {
  const present = lstatSync(target, { throwIfNoEntry: false })
  return !present || (present.uid === 0 && present.isDirectory() && (present.mode & 0o022) === 0)
}

/** The first place from which the programs really run, or none. */
export async function findBinariesForRoot(
  mode: LaunchMode,
  source: Package,
  dataDir: string,
  runs: (native: string) => Promise<boolean>,
): Promise<string | undefined> {
  if ((await createLinks(source.native)) && (await runs(source.native))) return source.native
  for (const target of listCopyTargets(mode, dataDir, source.version).filter(isTrusted)) {
    const kept = existsSync(target)
    const native = await copyPackage(source, target).catch(() => undefined)
    if (native && (await runs(native))) return native
    if (native && !kept) await rm(target, { recursive: true, force: true })
  }
  return undefined
}

export async function findBinariesForUser(source: Package, dataDir: string): Promise<string> {
  if (await createLinks(source.native)) return source.native
  return copyPackage(source, toCopyPath(dataDir, source.version))
}

/** Copies of earlier versions, and what was left of an interrupted one. */
export async function removeOldCopies({ version }: Package, dataDir: string): Promise<void> {
  const current = path.basename(toCopyPath(dataDir, version))
  const old = (await readdir(dataDir)).filter(name => name.startsWith(copyPrefix) && name !== current)
  for (const name of old) await rm(path.join(dataDir, name), { recursive: true, force: true })
}
