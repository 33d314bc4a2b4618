/**
 * Runs a program of the comparison: installed in this folder (`npm install --prefix bench/peers`), run as a separate
 * process that can reach only loopback, and stopped with the benchmark.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

const here = import.meta.dirname
const inModules = (file: string) => path.join(here, 'node_modules', file)

/** Returns the version; if it is not installed, exits with a line that says how to install it. */
export function installed(name: string): string | undefined {
  const file = inModules(`${name}/package.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version
  process.stderr.write(`${name} is not installed: npm install --prefix bench/peers\n`)
  return undefined
}

export interface Program {
  /** Path below node_modules, or an absolute path. */
  file: string
  args?: string[]
  env: Record<string, string>
  /** Working directory and home of the process. */
  dir: string
}

/** Kills the started processes when this process is stopped. */
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach(child => void child.kill('SIGKILL')))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

/** Builds an environment with nothing of this process but PATH. */
function launch({ file, args = [], env, dir }: Program) {
  mkdirSync(dir, { recursive: true })
  const guard = pathToFileURL(path.join(here, 'loopback.js')).href
  const child = spawn(process.execPath, [path.isAbsolute(file) ? file : inModules(file), ...args], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      NODE_ENV: 'production',
      NODE_OPTIONS: `--import ${guard}`,
      ...env,
    },
    stdio: ['ignore', process.env.BENCH_VERBOSE ? 2 : 'ignore', 2],
  })
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

/** Runs a program until it exits, for example to create its tables. */
export async function runPeer(program: Program): Promise<void> {
  const child = launch(program)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  if (code !== 0) throw new Error(`${program.file} ${program.args?.join(' ')} ended with code ${code}`)
}

/** Starts a program and waits until `ready` answers; returns a function that stops it. */
export async function startPeer(
  program: Program,
  ready: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const child = launch(program)
  const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    const hard = setTimeout(() => child.kill('SIGKILL'), 8_000)
    await ended
    clearTimeout(hard)
  }
  const giveUp = Date.now() + 120_000
  while (!(await ready().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${program.file} ended with code ${child.exitCode}`)
    if (Date.now() < giveUp) await sleep(200)
    else {
      await stop()
      throw new Error(`${program.file} was not ready after two minutes`)
    }
  }
  return stop
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}
