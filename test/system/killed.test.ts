import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  eventually,
  findPostmaster,
  fresh,
  postgresIn,
  query,
  run,
  type Service,
  scratch,
  signal,
  start,
} from './program.ts'

const root = scratch()
/** `FULL=1` kills at more moments than an ordinary run has time for. */
const rounds = process.env.FULL === '1' ? 15 : 3
const lanes = 2
/** A busy machine does fewer rounds, but at least `minRounds`. */
const budgetMs = process.env.FULL === '1' ? 60_000 : 15_000
const minRounds = 2
const restarts = process.env.FULL === '1' ? 5 : 2

async function expectComplete(service: Service): Promise<void> {
  await service.ready()
  const { tenantId } = service.credentials()
  expect(await query(service.dataDir, 'select id from tenants')).toEqual([{ id: tenantId }])
  expect((await service.call('GET', '/users')).status).toBe(200)
}

test.concurrent('kill -9 at random moments of the first start: the next start succeeds with one workspace', async () => {
  const measured = await start({ dataDir: fresh(root, 'measure'), prepared: false })
  const startMs = await measured.ready()
  await measured.kill()
  const deadline = performance.now() + budgetMs
  let [next, survived] = [0, 0]
  async function lane(): Promise<void> {
    while (next < rounds && (next < minRounds || performance.now() < deadline)) {
      const round = next++
      const dataDir = fresh(root, `round ${round}`)
      const victim = await start({ dataDir, prepared: false })
      // Each round kills at a random moment of its own slice of the start.
      const slice = (round * 7) % rounds
      await sleep((startMs * 1.2 * (slice + Math.random())) / rounds)
      await victim.kill()
      const successor = await start({ dataDir, prepared: false })
      await expectComplete(successor)
      await successor.kill()
      survived++
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  expect(survived).toBeGreaterThanOrEqual(minRounds)
})

test.concurrent('kill -9 while serving: acknowledged rows exist after the next start', async () => {
  const dataDir = fresh(root, 'serving')
  let service = await start({ dataDir })
  await service.ready()
  const credentials = service.credentials()
  const acknowledged: string[] = []
  for (let round = 0; round < restarts; round++) {
    const writing = (async () => {
      for (let n = 0; ; n++) {
        const name = `team ${round} ${n}`
        const response = await service.call('POST', '/teams', { name }).catch(() => undefined)
        if (response?.status !== 201) return
        acknowledged.push(name)
      }
    })()
    const before = acknowledged.length
    await eventually(() => acknowledged.length > before + 1)
    await sleep(Math.random() * 300)
    await service.kill()
    await writing
    service = await start({ dataDir })
    await service.ready()
  }
  const names = (await query<{ name: string }>(dataDir, 'select name from teams')).map(row => row.name)
  expect(acknowledged.length).toBeGreaterThan(3)
  expect(acknowledged.filter(name => !names.includes(name))).toEqual([])
  expect({ ...service.credentials(), baseUrl: '' }).toEqual({ ...credentials, baseUrl: '' })
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

/** Builds a PATH without setpriv, so that a watcher shell supervises the server and can be killed separately. */
async function pathWithoutSetpriv(): Promise<string> {
  const folder = fresh(root, 'bin')
  mkdirSync(folder)
  for (const program of ['sh', 'flock', 'unshare', 'env']) {
    const { stdout } = await run('bash', ['-c', `command -v ${program}`])
    if (stdout.trim()) symlinkSync(stdout.trim(), path.join(folder, program))
  }
  return folder
}

function findWatchers(pid: number): number[] {
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return processes
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').endsWith(`\0parley-watch\0${pid}\0`)
      } catch {
        return false
      }
    })
    .map(Number)
}

test.concurrent('a database server that survived its service is replaced', async () => {
  const dataDir = fresh(root, 'outlived')
  const PATH = await pathWithoutSetpriv()
  const service = await start({ dataDir, env: { PATH } })
  await service.ready()
  const survivor = findPostmaster(dataDir)
  const watchers = findWatchers(survivor)
  expect(watchers).toHaveLength(1)
  for (const pid of watchers) signal(pid, 'SIGKILL')
  await service.kill()
  await sleep(300)
  expect(postgresIn(dataDir)).toContain(survivor)
  const next = await start({ dataDir, env: { PATH } })
  await expectComplete(next)
  expect(findPostmaster(dataDir)).not.toBe(survivor)
  expect(postgresIn(dataDir)).not.toContain(survivor)
  await next.stop()
  expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
})
