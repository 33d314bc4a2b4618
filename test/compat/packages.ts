/**
 * Installs and loads the third-party packages of these tests. They are separate from the project's dependencies, so that
 * `npm ci` stays small; they are installed on first use and again when the lock file changes.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const stamp = path.join(here, 'node_modules', '.installed')
// Outside the directory: npm empties node_modules, and git ignores nothing else here.
const lock = path.join(
  os.tmpdir(),
  `parley-compat-${createHash('sha256').update(here).digest('hex').slice(0, 16)}`,
)
const lockTimeoutMs = 180_000

async function getWantedVersion(): Promise<string> {
  const lockfile = await readFile(path.join(here, 'package-lock.json'))
  return createHash('sha256').update(lockfile).update(process.version).digest('hex')
}

const getInstalledVersion = (): Promise<string> => readFile(stamp, 'utf8').catch(() => '')

function install(): Promise<void> {
  const args = ['ci', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund']
  return new Promise((resolve, reject) => {
    const npm = spawn('npm', args, { cwd: here, stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    npm.stderr.on('data', chunk => {
      errors += chunk
    })
    npm.once('error', reject)
    npm.once('exit', code =>
      code === 0 ? resolve() : reject(new Error(`npm ci in test/compat exited with ${code}:\n${errors}`)),
    )
  })
}

/** Takes the lock, or breaks it after the timeout: a killed run leaves it behind. */
async function acquireLock(): Promise<void> {
  const deadline = Date.now() + lockTimeoutMs
  for (;;) {
    const acquired = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (acquired) return
    if (Date.now() > deadline) await rm(lock, { recursive: true, force: true })
    await sleep(200)
  }
}

async function ensureInstalled(): Promise<void> {
  const version = await getWantedVersion()
  if ((await getInstalledVersion()) === version) return
  await acquireLock()
  try {
    if ((await getInstalledVersion()) === version) return
    await install()
    await writeFile(stamp, version)
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

/** Loads a package, untyped: the project is type-checked without these packages installed. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export async function load(name: string): Promise<any> {
  await ensureInstalled()
  return import(/* @vite-ignore */ name)
}
