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
/** `FULL=1` tries more moments than there is time for in every run. */
const rounds = process.env.FULL === '1' ? 15 : 3
const lanes = 2
/** On a machine that is busy with other things, fewer have to do. */
const budgetMs = process.env.FULL === '1' ? 60_000 : 15_000
const fewest = 2
const lives = process.env.FULL === '1' ? 5 : 2

async function mustBeWhole(service: Service): Promise<void> {
  await service.ready()
  const { tenantId } = service.credentials()
  expect(await query(service.dataDir, 'select id from tenants')).toEqual([{ id: tenantId }])
  expect((await service.call('GET', '/users')).status).toBe(200)
}

test.concurrent('kill -9 at random moments of the first start: the next one comes up by itself with one workspace', async () => {
  const whole = await start({ dataDir: fresh(root, 'measure') })
  const usual = await whole.ready()
  await whole.kill()
  const deadline = performance.now() + budgetMs
  let [next, survived] = [0, 0]
  async function lane(): Promise<void> {
    while (next < rounds && (next < fewest || performance.now() < deadline)) {
      const round = next++
      const dataDir = fresh(root, `round ${round}`)
      const victim = await start({ dataDir })
      // Spread over the whole start in no order, each at a random moment of its share.
      const share = (round * 7) % rounds
      await sleep((usual * 1.2 * (share + Math.random())) / rounds)
      await victim.kill()
      const heir = await start({ dataDir })
      await mustBeWhole(heir)
      await heir.kill()
      survived++
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  expect(survived).toBeGreaterThanOrEqual(fewest)
})

test.concurrent('kill -9 while serving: what was acknowledged is there after the next start', async () => {
  const dataDir = fresh(root, 'serving')
  let service = await start({ dataDir })
  await service.ready()
  const credentials = service.credentials()
  const acknowledged: string[] = []
  for (let life = 0; life < lives; life++) {
    const writing = (async () => {
      for (let n = 0; ; n++) {
        const name = `team ${life} ${n}`
        const answer = await service.call('POST', '/teams', { name }).catch(() => undefined)
        if (answer?.status !== 201) return
        acknowledged.push(name)
      }
    })()
    await sleep(300 + Math.random() * 300)
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

/** A PATH without setpriv, so that a shell watches over the server, and can be taken away from it. */
async function pathWithoutSetpriv(): Promise<string> {
  const folder = fresh(root, 'bin')
  mkdirSync(folder)
  for (const program of ['sh', 'flock', 'unshare', 'env']) {
    const { stdout } = await run('bash', ['-c', `command -v ${program}`])
    if (stdout.trim()) symlinkSync(stdout.trim(), path.join(folder, program))
  }
  return folder
}

function watchersOf(pid: number): number[] {
  const titles = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return titles
    .filter(each => {
      try {
        return readFileSync(`/proc/${each}/cmdline`, 'utf8').endsWith(`\0parley-watch\0${pid}\0`)
      } catch {
        return false
      }
    })
    .map(Number)
}

test.concurrent('a database server that outlived its service is replaced', async () => {
  const dataDir = fresh(root, 'outlived')
  const PATH = await pathWithoutSetpriv()
  const service = await start({ dataDir, env: { PATH } })
  await service.ready()
  const survivor = findPostmaster(dataDir)
  const watchers = watchersOf(survivor)
  expect(watchers).toHaveLength(1)
  for (const pid of watchers) signal(pid, 'SIGKILL')
  await service.kill()
  await sleep(300)
  expect(postgresIn(dataDir)).toContain(survivor)
  const next = await start({ dataDir, env: { PATH } })
  await mustBeWhole(next)
  expect(findPostmaster(dataDir)).not.toBe(survivor)
  expect(postgresIn(dataDir)).not.toContain(survivor)
  await next.stop()
  expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)
})
