/**
 * The modes in which PostgreSQL is started, which refuses to run as root. An ordinary user starts it directly. Root starts it
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

/** Builds the command for a program in this mode; setpriv, where available, ends it together with this process. */
export function buildCommand(
  mode: LaunchMode,
  tools: Tools,
  program: string,
  args: readonly string[],
): LaunchCommand {
  const tied = tools.setpriv ? [tools.setpriv, '--pdeathsig', 'INT', '--', program] : [program]
  const namespace = [
    tools.unshare ?? 'unshare',
    '--user',
    `--map-user=${mode.uid}`,
    `--map-group=${mode.gid}`,
    '--',
  ]
  const all = mode.kind === 'namespace' ? [...namespace, ...tied, ...args] : [...tied, ...args]
  const [file = program, ...rest] = all
  return { file, args: rest, ...(mode.kind === 'other-user' ? { uid: mode.uid, gid: mode.gid } : {}) }
}

async function succeeds(
  mode: LaunchMode,
  tools: Tools,
  program: string,
  ...args: string[]
): Promise<boolean> {
  const { file, args: rest, ...as } = buildCommand(mode, tools, program, args)
  return (await run(file, rest, as)).code === 0
}

export async function isModeAvailable(mode: LaunchMode, tools: Tools): Promise<boolean> {
  if (mode.kind === 'namespace' && !tools.unshare) return false
  return succeeds(mode, tools, '/bin/sh', '-c', ':')
}

function modeUnavailableError(mode: LaunchMode | undefined, cluster: string): Error {
  if (mode?.kind === 'namespace') {
    return embeddedError(
      `the database in ${cluster} was created by root in a user namespace, which this system no longer allows`,
      'allow user namespaces for root again, start Parley as an ordinary user and give that user DATA_DIR',
    )
  }
  if (mode) {
    return embeddedError(
      `the database in ${cluster} runs as user id ${mode.uid}, and this process may not start it as that user`,
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
  /** the folder with the binaries that run in this mode */
  native: string
}

async function chooseModeAsRoot(
  settled: LaunchMode | undefined,
  tools: Tools,
  source: Package,
  dataDir: string,
) {
  const user = chooseDatabaseUser()
  const modes: LaunchMode[] = settled
    ? [settled]
    : [
        { kind: 'namespace', ...user },
        { kind: 'other-user', ...user },
      ]
  for (const mode of modes) {
    if (!(await isModeAvailable(mode, tools))) continue
    const runs = (native: string) => succeeds(mode, tools, path.join(native, 'bin', 'postgres'), '--version')
    const native = await findBinariesForRoot(mode, source, dataDir, runs)
    if (native) return { mode: mode, native }
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
    const mode: LaunchMode = settled ?? { kind: 'direct', uid, gid: process.getegid?.() ?? uid }
    return { mode: mode, native: await findBinariesForUser(source, dataDir) }
  }
  const choice = await chooseModeAsRoot(settled, tools, source, dataDir)
  if (!choice) throw modeUnavailableError(settled, cluster)
  return choice
}
