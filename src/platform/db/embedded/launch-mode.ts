/**
 * The ways to start PostgreSQL, which refuses to run as root. An ordinary user starts it directly. Root starts it
 * in a user namespace where root has another name and no privileges (nothing is copied or given away), or,
 * where namespaces are not allowed, as another user who gets the cluster and, if need be, a copy of the programs.
 * The server finds its cluster through its working directory, set before privileges are dropped, so the
 * directories above may be closed to it; directories we did not make are never changed.
 */
import path from 'node:path'
import type { Package } from './binaries.ts'
import { chooseDatabaseUser, findClusterMode, type LaunchMode } from './cluster-location.ts'
import { embeddedError } from './error.ts'
import { findBinariesForRoot, findBinariesForUser, removeOldCopies } from './programs.ts'
import { run, type Tools } from './tools.ts'

export interface LaunchCommand {
  file: string
  args: string[]
  uid?: number
  gid?: number
}

/** How to run a program this way, ended by the kernel when this process ends (where setpriv can do that). */
export function buildCommand(
  way: LaunchMode,
  tools: Tools,
  program: string,
  args: readonly string[],
): LaunchCommand {
  const tied = tools.setpriv ? [tools.setpriv, '--pdeathsig', 'INT', '--', program] : [program]
  const namespace = [
    tools.unshare ?? 'unshare',
    '--user',
    `--map-user=${way.uid}`,
    `--map-group=${way.gid}`,
    '--',
  ]
  const all = way.kind === 'namespace' ? [...namespace, ...tied, ...args] : [...tied, ...args]
  const [file = program, ...rest] = all
  return { file, args: rest, ...(way.kind === 'other-user' ? { uid: way.uid, gid: way.gid } : {}) }
}

async function succeeds(way: LaunchMode, tools: Tools, program: string, ...args: string[]): Promise<boolean> {
  const { file, args: rest, ...as } = buildCommand(way, tools, program, args)
  return (await run(file, rest, as)).code === 0
}

/** Whether this system lets us go this way at all. */
export async function isModeAvailable(way: LaunchMode, tools: Tools): Promise<boolean> {
  if (way.kind === 'namespace' && !tools.unshare) return false
  return succeeds(way, tools, '/bin/sh', '-c', ':')
}

function modeUnavailableError(way: LaunchMode | undefined, cluster: string): Error {
  if (way?.kind === 'namespace') {
    return embeddedError(
      `the database in ${cluster} was made by root in a user namespace, which this system does not allow now`,
      'allow user namespaces for root again, start Parley as an ordinary user and give that user DATA_DIR',
    )
  }
  if (way) {
    return embeddedError(
      `the database in ${cluster} runs as user id ${way.uid}, and this process may not start it as that user`,
      'start Parley with the right to change its user id',
    )
  }
  return embeddedError(
    'PostgreSQL refuses to run as root, and root may neither use a user namespace nor change its user id here',
    'start Parley as an ordinary user',
  )
}

export interface LaunchChoice {
  mode: LaunchMode
  /** the folder with the programs that work that way */
  native: string
}

async function chooseModeAsRoot(
  settled: LaunchMode | undefined,
  tools: Tools,
  source: Package,
  dataDir: string,
) {
  const user = chooseDatabaseUser()
  const ways: LaunchMode[] = settled
    ? [settled]
    : [
        { kind: 'namespace', ...user },
        { kind: 'other-user', ...user },
      ]
  for (const way of ways) {
    if (!(await isModeAvailable(way, tools))) continue
    const runs = (native: string) => succeeds(way, tools, path.join(native, 'bin', 'postgres'), '--version')
    const native = await findBinariesForRoot(way, source, dataDir, runs)
    if (native) return { mode: way, native }
  }
  return undefined
}

export async function chooseLaunchMode(
  dataDir: string,
  cluster: string,
  tools: Tools,
  source: Package,
): Promise<LaunchChoice> {
  const settled = findClusterMode(dataDir, cluster)
  await removeOldCopies(source, dataDir)
  const uid = process.geteuid?.() ?? 0
  if (uid !== 0) {
    const way: LaunchMode = settled ?? { kind: 'direct', uid, gid: process.getegid?.() ?? uid }
    return { mode: way, native: await findBinariesForUser(source, dataDir) }
  }
  const choice = await chooseModeAsRoot(settled, tools, source, dataDir)
  if (!choice) throw modeUnavailableError(settled, cluster)
  return choice
}
