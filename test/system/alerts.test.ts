/**
 * The alerts of deploy/alerts.yml fire when their condition is made in a running service, and stay silent before. Pages are
 * scraped for real; their times are a minute apart, so that `for` and `rate` need no waiting. There is no Prometheus
 * here: test/harness/promql.ts evaluates the expressions.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluate, type Scrape } from '../harness/promql.ts'
import { checkout, fresh, query, queryOnce, type Service, scratch, signal, start } from './program.ts'

interface Alert {
  name: string
  expression: string
  minutes: number
}

const alerts: Alert[] = readFileSync(path.join(checkout, 'deploy/alerts.yml'), 'utf8')
  .split('- alert: ')
  .slice(1)
  .map(block => ({
    name: /^\w+/.exec(block)![0],
    expression: /expr: (?:\|\n)?(.*?)\n +for:/s.exec(block)![1]!,
    minutes: Number(/for: (\d+)m/.exec(block)![1]),
  }))

const root = scratch()
let healthy: Service
/** Not adopted: no background work removes what the test puts into its tables. */
let stuck: Service

beforeAll(async () => {
  const dataDir = fresh(root, 'healthy')
  healthy = await start({ dataDir })
  await healthy.ready()
  await healthy.stop()
  const copied = fresh(root, 'copy')
  expect(spawnSync('cp', ['-a', dataDir, copied]).status).toBe(0)
  healthy = await start({ dataDir, env: { STORAGE_MB_PER_WORKSPACE: '1' } })
  stuck = await start({ dataDir: copied })
  await Promise.all([healthy.ready(), stuck.ready()])
})
afterAll(async () => {
  await healthy.stop()
})

const scrape = async ({ url }: Service): Promise<string | undefined> =>
  fetch(`${url}/metrics`).then(
    response => response.text(),
    () => undefined,
  )

/** Scrapes once a minute of pretended time for half an hour, after `act` each time; returns the alerts that fire. */
async function watch(load: (minute: number) => Promise<string | undefined>, minutes = 30): Promise<string[]> {
  const scrapes: Scrape[] = []
  const activeSince = new Map<string, number>()
  const firing = new Set<string>()
  for (let minute = 0; minute <= minutes; minute++) {
    scrapes.push({ at: minute * 60, page: await load(minute) })
    for (const alert of alerts) {
      if (evaluate(alert.expression, scrapes).length === 0) activeSince.delete(alert.name)
      else if (minute - (activeSince.get(alert.name) ?? minute) >= alert.minutes) firing.add(alert.name)
      else activeSince.set(alert.name, activeSince.get(alert.name) ?? minute)
    }
  }
  return [...firing].sort()
}

/** On a busy machine the event loop of a healthy process is late, too. */
const withoutLoad = (names: string[]) => names.filter(name => name !== 'ParleyEventLoop')

test('no alert fires for a healthy service', async () => {
  for (let n = 0; n < 5; n++) await healthy.call('GET', '/users')
  await scrape(healthy) // the delays of the start
  const page = await scrape(healthy)
  expect(withoutLoad(await watch(async () => page))).toEqual([])
})

test('a copy with stuck queues fires the alerts about queues, inboxes and adoption', async () => {
  const { dataDir } = stuck
  await query(
    dataDir,
    'truncate dead_jobs, outbox, job_lanes, event_consumers, event_consumer_queue, webhook_endpoint_state',
  )
  await query(dataDir, `update inboxes set health_issues = '{}'`)
  const before = await scrape(stuck)
  expect(withoutLoad(await watch(async () => before))).toEqual(['ParleyNotAdopted'])
  await query(
    dataDir,
    `insert into dead_jobs (id, name, tenant_id, payload, attempts, error, died_at)
    values (1, 'x', 'tn_1', '{}', 1, 'x', now())`,
  )
  await query(
    dataDir,
    `insert into outbox (event_id, tenant_id, type, at, data, causation_depth)
    values ('evt_1', 'tn_1', 'x', now() - interval '2 minutes', '{}', 0)`,
  )
  await query(
    dataDir,
    `insert into job_lanes (name, tenant_id, ordered, state, at, pending)
    values ('x', 'tn_1', false, 'ready', now() - interval '20 minutes', 20000)`,
  )
  await query(dataDir, `insert into event_consumers (name) values ('x')`)
  await query(
    dataDir,
    `insert into event_consumer_queue (tenant_id, consumer, latest_seq, processed_seq, due_at)
    values ('tn_1', 'x', 2, 1, now() - interval '10 minutes')`,
  )
  await query(
    dataDir,
    `insert into webhook_endpoint_state (tenant_id, endpoint_id, due_at)
    select id, 'x', now() - interval '10 minutes' from tenants limit 1`,
  )
  await query(dataDir, `update inboxes set health_issues = '{"webhook_failing": "2026-01-01T00:00:00.000Z"}'`)
  const page = await scrape(stuck)
  expect(withoutLoad(await watch(async () => page))).toEqual([
    'ParleyConsumerBehind',
    'ParleyEventsStuck',
    'ParleyInboxIssues',
    'ParleyJobsBehind',
    'ParleyJobsDead',
    'ParleyNotAdopted',
    'ParleyWebhooksBehind',
  ])
})

test('refused files of a workspace with full storage are a ticket, and no failure of the service', async () => {
  const authorization = `Bearer ${healthy.credentials().apiKey}`
  const statuses = new Set<number>()
  const refused = await watch(async () => {
    const body = new FormData()
    body.append('file', new Blob(['a'.repeat(2 << 20)], { type: 'text/plain' }), 'large.txt')
    const url = `${healthy.url}/v1/media/uploads`
    statuses.add((await fetch(url, { method: 'POST', headers: { authorization }, body })).status)
    return scrape(healthy)
  }, 12)
  expect(statuses).toEqual(new Set([507]))
  expect(withoutLoad(refused)).toEqual(['ParleyStorageFull'])
})

test('slow requests, failing requests and a blocked event loop fire their alerts', async () => {
  const { dataDir, pid } = healthy
  const superuser = { host: `${dataDir}/postgres`, user: 'postgres', database: 'parley' }
  const slow = await watch(async () => {
    const locked = queryOnce(superuser, 'begin; lock table teams; select pg_sleep(1.3); commit')
    await sleep(100)
    await (await healthy.call('GET', '/teams')).text()
    await locked
    return scrape(healthy)
  }, 12)
  expect(withoutLoad(slow)).toEqual(['ParleySlow'])

  const blocked = await watch(async () => {
    for (let n = 0; n < 4; n++) {
      signal(pid, 'SIGSTOP')
      await sleep(400)
      signal(pid, 'SIGCONT')
      await sleep(50)
    }
    return scrape(healthy)
  }, 12)
  expect(blocked).toContain('ParleyEventLoop')

  const administer = (text: string) =>
    queryOnce({ ...superuser, options: '-c default_transaction_read_only=off' }, text)
  await administer('alter system set default_transaction_read_only = on')
  await administer('select pg_reload_conf()')
  const failing = await watch(async () => {
    await (await healthy.call('POST', '/teams', { name: 'refused' })).text()
    return scrape(healthy)
  }, 12)
  await administer('alter system reset default_transaction_read_only')
  await administer('select pg_reload_conf()')
  expect(failing).toContain('ParleyErrors')
})

test('a process that does not answer, and values that take long to reach, fire their alerts', async () => {
  const page = (await scrape(healthy))!
  // Ten minutes of an open transaction and a gigabyte of memory are written into a real page.
  const replace = (name: string, value: string) => {
    const changed = page.replace(new RegExp(`^${name} .*$`, 'm'), `${name} ${value}`)
    expect(changed).not.toBe(page)
    return changed
  }
  const old = replace('parley_database_oldest_snapshot_seconds', '700')
  expect(withoutLoad(await watch(async () => old))).toEqual(['ParleyOldSnapshot'])
  const large = replace('process_resident_memory_bytes', '1200000000')
  expect(withoutLoad(await watch(async () => large))).toEqual(['ParleyMemory'])
  await stuck.kill()
  expect(await watch(() => scrape(stuck))).toEqual(['ParleyDown'])
})

test('every alert is covered', () => {
  expect(alerts.map(({ name }) => name).sort()).toEqual([
    'ParleyConsumerBehind',
    'ParleyDown',
    'ParleyErrors',
    'ParleyEventLoop',
    'ParleyEventsStuck',
    'ParleyInboxIssues',
    'ParleyJobsBehind',
    'ParleyJobsDead',
    'ParleyMemory',
    'ParleyNotAdopted',
    'ParleyOldSnapshot',
    'ParleySlow',
    'ParleyStorageFull',
    'ParleyWebhooksBehind',
  ])
})
