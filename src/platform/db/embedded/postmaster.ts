/**
 * The server process: started so that it dies with this process, watched until it accepts connections, stopped
 * quickly but in order. Its log is a file, cut when it grows beyond a limit.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedError } from './error.ts'
import type { LaunchCommand } from './launch-mode.ts'
import { cleanEnvironment, type Tools } from './tools.ts'

const maxLogBytes = 10 * 1024 * 1024
const logCheckIntervalMs = 60_000

interface LogFile {
  fd: number
  file: string
  /** the last error the server logged since it was started */
  lastError(): string
  close(): void
}

/** The file may have been removed; that must not stop the service. */
function readIfExists(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

function openLog(dataDir: string): LogFile {
  const file = path.join(dataDir, 'postgres.log')
  const fd = openSync(file, 'a', 0o600)
  const cut = () => {
    if (fstatSync(fd).size > maxLogBytes) ftruncateSync(fd)
  }
  cut()
  const from = fstatSync(fd).size
  const timer = setInterval(cut, logCheckIntervalMs).unref()
  const lastWords = () => {
    const lines = readIfExists(file).subarray(from).toString().trim().split('\n')
    const line =
      lines.findLast(each => /FATAL|PANIC|error|cannot|could not/i.test(each)) ?? lines.at(-1) ?? ''
    return line.replace(/^[\d: .-]+UTC \[\d+\] /, '').slice(0, 300)
  }
  return {
    fd,
    file,
    lastError: lastWords,
    close: () => {
      clearInterval(timer)
      closeSync(fd)
    },
  }
}

export interface Postmaster {
  pid: number
  exited: Promise<number | null>
  stop(): Promise<void>
}

/** For systems without a usable setpriv: a shell stops the server when the pipe to this process closes. */
function startWatchdog(pid: number, sh: string): () => void {
  const script = 'read -r _ || kill -INT "$1"'
  const options = { cwd: '/', detached: true, env: cleanEnvironment() }
  const child = spawn(sh, ['-c', script, 'parley-watch', String(pid)], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.unref()
  ;(child.stdin as unknown as { unref?(): void } | null)?.unref?.()
  return () => child.stdin?.end('\n')
}

async function waitUntilReady(cluster: string, child: ChildProcess, ended: () => boolean): Promise<boolean> {
  for (let wait = 5; !ended(); wait = Math.min(wait + 1, 50)) {
    const lines = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return true
    await sleep(wait)
  }
  return false
}

function createStop(
  child: ChildProcess,
  exited: Promise<unknown>,
  ended: () => boolean,
): () => Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 8000],
    ['SIGQUIT', 4000],
    ['SIGKILL', 4000],
  ]
  return async () => {
    for (const [signal, timeoutMs] of steps) {
      if (ended()) break
      child.kill(signal)
      await Promise.race([exited, sleep(timeoutMs, undefined, { ref: false })])
    }
    await exited
  }
}

/** Resolves when the server accepts connections; rejects with its last error when it ends before that. */
export async function startPostmaster(
  { file, args, uid, gid }: LaunchCommand,
  place: { dataDir: string; cluster: string; lock: number },
  tools: Tools,
  onEnd: () => void,
): Promise<Postmaster> {
  const log = openLog(place.dataDir)
  const stdio: StdioOptions = ['ignore', log.fd, log.fd, place.lock]
  const child = spawn(file, args, {
    uid,
    gid,
    cwd: place.cluster,
    env: cleanEnvironment(),
    detached: true,
    stdio,
  })
  const unwatch = child.pid && !tools.setpriv && tools.sh ? startWatchdog(child.pid, tools.sh) : () => {}
  let ended = false
  let failure = ''
  const exited = new Promise<number | null>(resolve => {
    const end = (code: number | null) => {
      if (ended) return
      ended = true
      failure ||= log.lastError()
      unwatch()
      log.close()
      onEnd()
      resolve(code)
    }
    child.on('exit', end)
    child.on('error', error => {
      failure = error.message
      end(null)
    })
  })
  const hasEnded = () => ended
  if (!(await waitUntilReady(place.cluster, child, hasEnded))) {
    throw embeddedError(`PostgreSQL did not start (${failure})`, `fix the problem that ${log.file} names`)
  }
  return { pid: child.pid ?? 0, exited, stop: createStop(child, exited, hasEnded) }
}
