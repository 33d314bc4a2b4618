/**
 * Installs the strangers' packages beside this file, unless the ones that the lockfile names are there already.
 * They are kept apart from the project's own, so that a newcomer's `npm ci` stays light. Run it as a script or call it.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const stamp = path.join(here, 'node_modules', '.installed')
// Outside the directory, because npm empties node_modules and nothing else here is ignored by git.
const lock = path.join(
  os.tmpdir(),
  `parley-strangers-${createHash('sha256').update(here).digest('hex').slice(0, 16)}`,
)
const patienceMs = 180_000

async function wanted(): Promise<string> {
  const lockfile = await readFile(path.join(here, 'package-lock.json'))
  return createHash('sha256').update(lockfile).update(process.version).digest('hex')
}

const present = (): Promise<string> => readFile(stamp, 'utf8').catch(() => '')

function install(): Promise<void> {
  const args = ['ci', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund']
  return new Promise((resolve, reject) => {
    const npm = spawn('npm', args, { cwd: here, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    npm.stderr.on('data', chunk => {
      said += chunk
    })
    npm.once('error', reject)
    npm.once('exit', code =>
      code === 0 ? resolve() : reject(new Error(`npm ci in test/compat ended with ${code}:\n${said}`)),
    )
  })
}

/** A lock left by a killed run is broken after a while. */
async function takeLock(): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const taken = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (taken) return
    if (Date.now() > deadline) await rm(lock, { recursive: true, force: true })
    await sleep(200)
  }
}

export async function installStrangers(): Promise<void> {
  const version = await wanted()
  if ((await present()) === version) return
  await takeLock()
  try {
    if ((await present()) === version) return
    await install()
    await writeFile(stamp, version)
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await installStrangers()
