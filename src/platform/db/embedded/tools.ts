/** Optional system programs that the launcher uses, and a function that runs a program to its end. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'

export interface Tools {
  unshare?: string
  /** only where `--pdeathsig` works for us */
  setpriv?: string
  flock?: string
  sh?: string
}

export interface ProcessResult {
  code: number | null
  output: string
}

/** Keeps our environment (secrets, PG* variables, library paths) from the server. */
export function cleanEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

export function which(program: string): string | undefined {
  for (const folder of (process.env.PATH ?? '/usr/bin:/bin').split(':')) {
    const file = path.join(folder || '.', program)
    try {
      accessSync(file, constants.X_OK)
      return path.resolve(file)
    } catch {}
  }
  return undefined
}

/** Runs a program to its end; the code is null when it cannot be started. */
export function run(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProcessResult> {
  return new Promise(resolve => {
    const stdio = options.stdio ?? ['ignore', 'pipe', 'pipe']
    const child = spawn(file, args, { cwd: '/', env: cleanEnvironment(), ...options, stdio })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', error => resolve({ code: null, output: error.message }))
    child.on('close', code => resolve({ code, output }))
  })
}

/** The parent-death signal depends on the spawning thread, so it cannot be used in a worker thread. */
async function findSetpriv(): Promise<string | undefined> {
  const setpriv = which('setpriv')
  if (!setpriv || !isMainThread) return undefined
  const probe = await run(setpriv, ['--pdeathsig', 'INT', '--', setpriv, '--version'])
  return probe.code === 0 ? setpriv : undefined
}

export async function findTools(): Promise<Tools> {
  return {
    unshare: which('unshare'),
    setpriv: await findSetpriv(),
    flock: which('flock'),
    sh: which('sh'),
  }
}
