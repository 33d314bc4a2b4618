/**
 * Ownership of a data directory. Two kernel locks, which vanish with their holders whatever kills them, and which
 * also hold between containers that share a volume but see none of each other's processes:
 * `postgres.owner` is held by the one service process in charge (its text says which); `postgres.lock` is
 * inherited by every process of the database server, so it is free only when the last of them has ended.
 * Without flock(1) the owner is known by pid and start time, and the server's processes by looking for them.
 */
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedError } from './error.ts'
import { getStartTime } from './processes.ts'
import { run } from './tools.ts'

export type LockState = 'held' | 'busy' | 'unavailable'

interface OwnerRecord {
  pid: number
  started: string
  boot: string
  host: string
  socketDir?: string
}

export interface Owner {
  /** the short socket directory a killed predecessor may have left behind */
  staleSocketDir?: string
  noteSocketDir(dir: string): void
  release(): void
}

// The kernel needs a moment to close the files of a killed predecessor.
const lockTimeoutMs = 600

/** Closing a descriptor twice may close another file that reuses its number. */
export function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) act()
    done = true
  }
}

export function openLock(file: string): number {
  return openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
}

/** The lock belongs to the open file, not to the flock(1) process that takes it for us. */
export async function tryLock(fd: number, flock: string | undefined): Promise<LockState> {
  if (!flock) return 'unavailable'
  const { code } = await run(flock, ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
  if (code === 0) return 'held'
  return code === 1 ? 'busy' : 'unavailable'
}

function readRecord(file: string): Partial<OwnerRecord> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as OwnerRecord
  } catch {
    return {}
  }
}

function writeRecord(fd: number, record: OwnerRecord): void {
  ftruncateSync(fd)
  writeSync(fd, `${JSON.stringify(record)}\n`, 0)
}

function readBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

function isAlive(record: Partial<OwnerRecord>): boolean {
  if (!record.pid || record.boot !== readBootId() || record.host !== os.hostname()) return false
  return getStartTime(record.pid) === record.started
}

async function lockWithTimeout(fd: number, flock: string | undefined): Promise<LockState> {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    const state = await tryLock(fd, flock)
    if (state !== 'busy' || Date.now() > deadline) return state
    await sleep(30)
  }
}

export async function acquireOwnership(dataDir: string, flock: string | undefined): Promise<Owner> {
  const file = path.join(dataDir, 'postgres.owner')
  const fd = openLock(file)
  const state = await lockWithTimeout(fd, flock)
  const previous = readRecord(file)
  if (state === 'busy' || (state === 'unavailable' && isAlive(previous))) {
    closeSync(fd)
    throw new EmbeddedError(
      `another Parley (pid ${previous.pid ?? 'unknown'}) uses this data directory (${dataDir}): stop it, or point DATA_DIR to another directory`,
    )
  }
  const record: OwnerRecord = {
    pid: process.pid,
    started: getStartTime(process.pid) ?? '',
    boot: readBootId(),
    host: os.hostname(),
  }
  writeRecord(fd, record)
  return {
    staleSocketDir: previous.socketDir,
    noteSocketDir: socketDir => writeRecord(fd, { ...record, socketDir }),
    release: once(() => {
      ftruncateSync(fd)
      closeSync(fd)
    }),
  }
}
