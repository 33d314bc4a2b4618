import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  asRoot,
  checkout,
  eventually,
  fresh,
  parley,
  query,
  run,
  type Service,
  scratch,
  start,
} from './program.ts'

const root = scratch()
const dataDir = path.join(root, 'data')
const backup = path.join(root, 'backup')
const blob = 'blobs/objects/tn_1/ab/letter'

interface Manifest {
  files: { path: string; size: number; sha256: string }[]
}

/** Names of teams created before the backup started, and while it ran. */
let before: string[]
let during: string[]
let service: Service

/** Starts writers that never pause, so that the database files change while they are copied. */
function startWriters(): { acknowledged: string[]; end(): Promise<void> } {
  const acknowledged: string[] = []
  let stopped = false
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let n = 0; !stopped; n++) {
      const name = `team ${writer} ${n}`
      const response = await service.call('POST', '/teams', { name })
      await response.text()
      if (response.status === 201) acknowledged.push(name)
    }
  })
  return {
    acknowledged,
    end: async () => {
      stopped = true
      await Promise.all(writers)
    },
  }
}

const teamsIn = async (folder: string) =>
  new Set((await query<{ name: string }>(folder, 'select name from teams')).map(row => row.name))

beforeAll(async () => {
  service = await start({ dataDir })
  await service.ready()
  mkdirSync(path.join(dataDir, path.dirname(blob)), { recursive: true })
  writeFileSync(path.join(dataDir, blob), 'Dear Sam')
  const writers = startWriters()
  await eventually(() => writers.acknowledged.length > 10)
  before = [...writers.acknowledged]
  const { code, stdout, stderr } = await parley(['backup', backup, '--json'], { DATA_DIR: dataDir })
  await writers.end()
  during = writers.acknowledged.slice(before.length)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    target: backup,
    files: expect.any(Number),
    bytes: expect.any(Number),
    createdAt: expect.stringMatching(/Z$/),
  })
})

const restore = (from: string, to: string, env: Record<string, string> = {}) =>
  parley(['restore', from, '--json'], { DATA_DIR: to, ...env })

describe('parley backup', () => {
  test('a backup taken under write load contains every row acknowledged before it, and its restore serves', async () => {
    expect(before.length).toBeGreaterThan(10)
    expect(during.length).toBeGreaterThan(10)
    const target = fresh(root, 'restored')
    const { code, stdout, stderr } = await restore(backup, target)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ dataDir: target })
    const copy = await start({ dataDir: target })
    await copy.ready()
    const teams = await teamsIn(target)
    expect(before.filter(name => !teams.has(name))).toEqual([])
    const requested = new Set([...before, ...during, 'Support'])
    expect([...teams].filter(name => !requested.has(name))).toEqual([])
    expect((await copy.call('POST', '/teams', { name: 'After the restore' })).status).toBe(201)
    const { email, password } = copy.credentials().owner
    const login = await fetch(`${copy.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(login.status).toBe(200)
    for (const name of ['secret.key', blob])
      expect(readFileSync(path.join(target, name))).toEqual(readFileSync(path.join(dataDir, name)))
    expect(statSync(path.join(target, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(await copy.stop()).toEqual({ code: 0, signal: null })
  })

  test('only its owner can read the backup, and it contains no files of the machine', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    const { files } = JSON.parse(readFileSync(path.join(backup, 'manifest.json'), 'utf8')) as Manifest
    const names = files.map(file => file.path)
    for (const name of [
      'secret.key',
      'credentials.json',
      blob,
      'postgres/PG_VERSION',
      'postgres/backup_label',
    ])
      expect(names).toContain(name)
    expect(
      names.filter(name => /postmaster|PGSQL|running\.json|postgres\.(lock|owner|log)/.test(name)),
    ).toEqual([])
    expect(statSync(path.join(backup, 'data/secret.key')).mode & 0o777).toBe(0o600)
  })

  test('refuses a target that is not empty or inside the data directory, and does not change it', async () => {
    const again = await parley(['backup', backup], { DATA_DIR: dataDir })
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^parley: .* is not empty.*\n$/),
    })
    const inside = path.join(dataDir, 'backup')
    const within = await parley(['backup', inside], { DATA_DIR: dataDir })
    expect(within).toMatchObject({ code: 1, stderr: expect.stringMatching(/is inside the data directory/) })
    expect(existsSync(inside)).toBe(false)
  })

  test('with DATABASE_URL set, backup and restore name the tools to use instead', async () => {
    const env = {
      DATABASE_URL: 'postgres://127.0.0.1/x',
      SECRET_KEY: 'a secret of tests, and of nothing else',
    }
    for (const args of [
      ['backup', path.join(root, 'no')],
      ['restore', backup],
    ]) {
      const { code, stdout, stderr } = await parley(args, { DATA_DIR: path.join(root, 'no'), ...env })
      expect(code).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^parley: DATABASE_URL is set[^\n]*(pg_dump|pg_restore)[^\n]*\n$/)
    }
  })

  test('works with the service stopped, and restores under another user than the data was created with', async () => {
    await service.stop()
    const offline = fresh(root, 'offline')
    const saved = await parley(['backup', offline], { DATA_DIR: dataDir })
    expect(saved).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^saved \d+ files/) })
    const target = fresh(root, 'elsewhere')
    // Without unshare, root's database must run as another user, who must own its files.
    const env: Record<string, string> = asRoot ? { PATH: await pathWithout('unshare') } : {}
    const { code, stderr } = await restore(offline, target, env)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const copy = await start({ dataDir: target, env })
    await copy.ready()
    const teams = await teamsIn(target)
    expect([...before, ...during].filter(name => !teams.has(name))).toEqual([])
    await copy.stop()
    if (asRoot) expect(statSync(path.join(target, 'postgres')).uid).not.toBe(0)
  })
})

async function pathWithout(excluded: string): Promise<string> {
  const folder = fresh(root, `without ${excluded}`)
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  for (const program of ['sh', 'flock', 'setpriv', 'env'].filter(name => name !== excluded)) {
    const { stdout } = await run('bash', ['-c', `command -v ${program}`])
    if (stdout.trim()) symlinkSync(stdout.trim(), path.join(folder, program))
  }
  return folder
}

describe('parley restore', () => {
  const empty = path.join(root, 'empty')

  /** Copies the backup and damages the copy. */
  function damagedCopy(name: string, damage: (folder: string) => void): string {
    const folder = fresh(root, name)
    // Hard links: damaged files must be replaced, not overwritten.
    spawnSync('cp', ['-al', backup, folder])
    damage(folder)
    return folder
  }

  function replace(file: string, content: string | Buffer): void {
    rmSync(file)
    writeFileSync(file, content)
  }

  async function expectRefused(folder: string, reason: RegExp): Promise<void> {
    const { code, stdout, stderr } = await restore(folder, empty)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^parley: [^\n]+\n$/)
    expect(stderr).toMatch(reason)
    if (existsSync(empty)) expect(readdirSync(empty).filter(name => name !== 'postgres.owner')).toEqual([])
  }

  test('refuses a backup with a changed byte, a missing file or no manifest', async () => {
    const bytes = (folder: string) => path.join(folder, 'data/credentials.json')
    await expectRefused(
      damagedCopy('changed', folder => {
        const content = readFileSync(bytes(folder))
        content[10]! ^= 1
        replace(bytes(folder), content)
      }),
      /damaged: .*credentials\.json/,
    )
    await expectRefused(
      damagedCopy('shorter', folder => rmSync(bytes(folder))),
      /damaged: .*credentials\.json is missing/,
    )
    await expectRefused(
      damagedCopy('unfinished', folder => rmSync(path.join(folder, 'manifest.json'))),
      /an unfinished one/,
    )
    await expectRefused(path.join(root, 'nothing'), /not a backup/)
  })

  test('refuses a manifest that is truncated, newer, or lists paths outside the backup', async () => {
    const manifest = (change: (text: string) => string) => (folder: string) => {
      const file = path.join(folder, 'manifest.json')
      replace(file, change(readFileSync(file, 'utf8')))
    }
    const edit = (change: object) => manifest(text => JSON.stringify({ ...JSON.parse(text), ...change }))
    await expectRefused(
      damagedCopy(
        'cut',
        manifest(text => text.slice(0, 500)),
      ),
      /manifest of .* is damaged/,
    )
    await expectRefused(damagedCopy('newer', edit({ migration: 9999 })), /later version/)
    await expectRefused(damagedCopy('format', edit({ format: 2 })), /later version/)
    await expectRefused(damagedCopy('older', edit({ postgres: 12 })), /PostgreSQL 12/)
    const outside = { files: [{ path: '../outside', size: 0, sha256: '' }] }
    await expectRefused(damagedCopy('outside', edit(outside)), /do not trust this backup/)
  })

  test('refuses a data directory that is not empty', async () => {
    const full = fresh(root, 'full')
    mkdirSync(full)
    writeFileSync(path.join(full, 'mine.txt'), 'mine')
    const { code, stderr } = await restore(backup, full)
    expect(code).toBe(1)
    expect(stderr).toMatch(/is not empty/)
    expect(readFileSync(path.join(full, 'mine.txt'), 'utf8')).toBe('mine')
  })

  test('killed halfway: no service starts on the data directory, and the next restore completes it', async () => {
    const target = fresh(root, 'killed')
    const restoring = spawn(process.execPath, [path.join(checkout, 'bin/parley.js'), 'restore', backup], {
      env: { ...process.env, DATA_DIR: target },
      stdio: 'ignore',
    })
    expect(await eventually(() => existsSync(path.join(target, 'postgres/global')))).toBe(true)
    restoring.kill('SIGKILL')
    await once(restoring, 'exit')
    expect(existsSync(path.join(target, 'restoring'))).toBe(true)
    const refused = await parley(['serve'], { DATA_DIR: target, PORT: '0' })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/run parley restore again/) })
    expect((await restore(backup, target)).code).toBe(0)
    const copy = await start({ dataDir: target })
    await copy.ready()
    const teams = await teamsIn(target)
    expect(before.filter(name => !teams.has(name))).toEqual([])
    await copy.stop()
  })
})
