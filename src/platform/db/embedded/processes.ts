import { readdirSync, readFileSync, statSync } from 'node:fs'
import { getErrorCode } from './error.ts'

export interface ServerProcess {
  pid: number
  kind: 'postmaster' | 'backend' | 'initdb'
  /** its command line, or the title a backend gave itself; empty when it is just ending */
  title: string
}

interface Stat {
  name: string
  state: string
  startTime: string
}

function readStat(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const close = text.lastIndexOf(')')
    const rest = text.slice(close + 2).split(' ')
    return { name: text.slice(text.indexOf('(') + 1, close), state: rest[0] ?? '', startTime: rest[19] ?? '' }
  } catch {
    return undefined
  }
}

/** A zombie counts as dead: it holds no file and never runs again. */
const isDead = (stat: Stat) => stat.state === 'Z' || stat.state === 'X'

/** Returns undefined for a process that does not exist; pid and start time together identify a process. */
export function getStartTime(pid: number): string | undefined {
  const stat = readStat(pid)
  return stat && !isDead(stat) ? stat.startTime : undefined
}

export function getFolderIdentity(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder)
    return `${dev}:${ino}`
  } catch (error) {
    return getErrorCode(error) === 'EACCES' ? 'hidden' : undefined
  }
}

function readTitle(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

function toKind(name: string, title: string): ServerProcess['kind'] {
  if (name === 'initdb') return 'initdb'
  return title === '' || title.startsWith('postgres: ') ? 'backend' : 'postmaster'
}

/**
 * PostgreSQL's processes working in one of these folders. PostgreSQL always makes its data directory its working
 * directory. Where the directory cannot be read (another user's process, and root without the right to trace), the name of
 * the cluster in the title identifies the process.
 */
export function findServersIn(folders: readonly string[], clusterName: string): ServerProcess[] {
  const wanted = new Set(folders.map(getFolderIdentity))
  const found: ServerProcess[] = []
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const stat = readStat(pid)
    if (!stat || isDead(stat) || (stat.name !== 'postgres' && stat.name !== 'initdb')) continue
    const cwd = getFolderIdentity(`/proc/${pid}/cwd`)
    const title = readTitle(pid)
    const ours = cwd === 'hidden' ? title.includes(clusterName) : cwd !== undefined && wanted.has(cwd)
    if (ours) found.push({ pid: Number(pid), kind: toKind(stat.name, title), title })
  }
  return found
}
