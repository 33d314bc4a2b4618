/**
 * Runs the program as an operator does: `node bin/parley.js …` as a separate process with its own data directory and a
 * free port. Processes that a test leaves running are killed after its file.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, inject, vi } from 'vitest'
import type { Credentials } from '../../src/server/installation/first-start.ts'

export { fresh } from '../harness/folders.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    preparedDataDir: string | undefined
  }
}

export const checkout = path.resolve(import.meta.dirname, '../..')
export const asRoot = process.geteuid?.() === 0

// Starting processes is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

type Env = Record<string, string | undefined>

export interface ExitResult {
  code: number | null
  signal: string | null
}

export interface Run extends ExitResult {
  stdout: string
  stderr: string
}

export interface Service {
  child: ChildProcess
  pid: number
  url: string
  dataDir: string
  ended: Promise<ExitResult>
  /** Standard output so far. */
  output(): string
  errors(): string
  /** Parsed log lines so far. */
  log(): Record<string, unknown>[]
  /** Waits until /readyz answers 200; returns the milliseconds since the start. */
  ready(timeoutMs?: number): Promise<number>
  credentials(): Credentials
  /** Calls the API with the key in credentials.json. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  stop(): Promise<ExitResult>
  kill(): Promise<ExitResult>
}

/** Builds an environment without the variables of the test process, except those of any shell. */
function environment(env: Env): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG } = process.env
  return { PATH, HOME, LANG, ...env }
}

const running = new Set<Service>()
const commands = new Set<ChildProcess>()
const folders: string[] = []

/** Creates a directory that every user can enter and that is deleted after the file's tests. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'parley-process-')))
  spawnSync('chmod', ['755', folder])
  folders.push(folder)
  return folder
}

/** Kills what is running and deletes the directories. A file that shares this module with others calls it after its tests. */
export async function cleanUp(): Promise<void> {
  for (const child of commands) child.kill('SIGKILL')
  await Promise.all([...running].map(service => service.kill()))
  for (const folder of folders) {
    for (const pid of postgresIn(folder)) signal(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

afterAll(cleanUp)

let nextPort = 10_000 + (process.pid % 400) * 50

/** Returns a port from a range of this process, below the ephemeral ports of the system. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++
    const server = createServer().listen(port, '127.0.0.1')
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false)
    server.close()
    if (free) return port
  }
}

export interface Start {
  dataDir: string
  env?: Env
  args?: string[]
  /** Replaces `serve` and its arguments. */
  command?: string[]
  /** Directory of another checkout. */
  at?: string
  uid?: number
  port?: number
  /** Another Node than that of the tests. */
  node?: string
  /** Whether an empty data directory gets a migrated database first, which is faster than creating one. */
  prepared?: boolean
}

/** Copies the prepared database into a new data directory of this user and this version. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const prepared = inject('preparedDataDir')
  if (!prepared || existsSync(path.join(dataDir, 'postgres'))) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const child = spawn('cp', ['-a', `${prepared}/postgres`, `${prepared}/postgres.location`, dataDir])
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the prepared database was not copied to ${dataDir}`)
}

export async function start(options: Start): Promise<Service> {
  const { dataDir, env = {}, args = [], at = checkout, uid, port = await freePort() } = options
  const { node = process.execPath } = options
  const command = options.command ?? ['serve', ...args]
  const { prepared = command[0] === 'serve' && at === checkout && uid === undefined && !env.DATABASE_URL } =
    options
  if (prepared) await prepareDataDir(dataDir)
  const startedAt = performance.now()
  const child = spawn(node, [path.join(at, 'bin/parley.js'), ...command], {
    cwd: at,
    env: environment({ DATA_DIR: dataDir, PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(service)
    return { code, signal } as ExitResult
  })
  const url = `http://127.0.0.1:${port}`
  const end = (name: NodeJS.Signals) => {
    child.kill(name)
    return ended
  }
  const service: Service = {
    child,
    pid: child.pid!,
    url,
    dataDir,
    ended,
    output: stdout,
    errors: stderr,
    log: () => logLines(stdout()),
    ready: timeoutMs => waitUntilReady(service, startedAt, timeoutMs),
    credentials: () => JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8')),
    call: (method, at, body) => call(service, method, at, body),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
  running.add(service)
  return service
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}

function logLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
}

async function waitUntilReady(service: Service, startedAt: number, timeoutMs = 150_000): Promise<number> {
  let exit: ExitResult | undefined
  void service.ended.then(result => {
    exit = result
  })
  for (const deadline = startedAt + timeoutMs; performance.now() < deadline; await sleep(10)) {
    if (exit)
      throw new Error(`the service exited (${JSON.stringify(exit)}): ${service.errors()}${service.output()}`)
    if (!service.output().includes('"listening"')) continue
    const response = await fetch(`${service.url}/readyz`).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return performance.now() - startedAt
  }
  throw new Error(`the service was not ready in time: ${service.errors()}${service.output()}`)
}

function call(service: Service, method: string, at: string, body?: unknown): Promise<Response> {
  return fetch(`${service.url}/v1${at}`, {
    method,
    headers: {
      authorization: `Bearer ${service.credentials().apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Runs a command until it exits. */
export async function parley(
  args: string[],
  env: Env = {},
  at: { cwd?: string; uid?: number } = {},
): Promise<Run> {
  const bin = path.join(at.cwd ?? checkout, 'bin/parley.js')
  return run(process.execPath, [bin, ...args], env, at)
}

export async function run(
  file: string,
  args: string[],
  env: Env = {},
  { cwd = checkout, uid }: { cwd?: string; uid?: number } = {},
): Promise<Run> {
  const child = spawn(file, args, {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  commands.add(child)
  const [code, signal] = await once(child, 'close')
  commands.delete(child)
  return { code, signal, stdout: stdout(), stderr: stderr() }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // the process has exited
  }
}

/** Lists the PostgreSQL processes that run in a directory. */
export function postgresIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => /^(postgres|initdb)$/.test(read(`/proc/${pid}/comm`).trim()))
    .filter(pid => getCwd(pid).startsWith(folder))
    .map(Number)
}

export function findPostmaster(dataDir: string): number {
  return Number(read(path.join(dataDir, 'postgres/postmaster.pid')).split('\n')[0])
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function getCwd(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** Queries the embedded database of a running service. */
export function query<R extends pg.QueryResultRow>(dataDir: string, text: string): Promise<R[]> {
  return queryOnce({ host: path.join(dataDir, 'postgres'), user: 'parley', database: 'parley' }, text)
}

export async function queryOnce<R extends pg.QueryResultRow>(
  to: pg.ClientConfig,
  text: string,
): Promise<R[]> {
  const client = new pg.Client(to)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

export async function eventually(
  check: () => boolean | Promise<boolean>,
  timeoutMs = 90_000,
): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(20)) {
    if (await check()) return true
  }
  return check()
}
