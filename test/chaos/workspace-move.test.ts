/**
 * Moves a workspace under load while the driver and the service are killed: each accepted message is at the provider once
 * and in order, the log has no gap, and webhooks and a socket continue. `FULL=1` moves 100,000 messages at 200 messages a
 * second.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEndpoint } from '../../src/webhooks/testing/endpoint.ts'
import { watch } from '../harness/realtime-watcher.ts'
import { within } from '../harness/wait.ts'
import { eventually, type Service } from '../system/program.ts'
import {
  accounts,
  addHistory,
  type MovedWorkspace,
  startLoad,
  startMovedWorkspace,
} from './moved-workspace.ts'

const isFull = process.env.FULL !== undefined
const size = isFull
  ? { history: 100_000, people: 100, perSecond: 200 }
  : { history: 2_500, people: 10, perSecond: 10 }
const people = Array.from({ length: size.people }, (_, n) => `+1415${5_550_000 + n}`)

/** The driver is killed when it prints this, after a delay; with `service` the service is killed, too. */
const kills: readonly { after: string; delayMs: number; service?: boolean }[] = [
  { after: 'capturing', delayMs: 100 },
  { after: 'copying', delayMs: isFull ? 5_000 : 200 },
  { after: 'verifying', delayMs: 50 },
  { after: 'pausing', delayMs: 30 },
  { after: 'pausing', delayMs: 150, service: true },
]

const waitForOutput = (driver: Service, text: string) =>
  eventually(() => driver.errors().includes(text) || driver.child.exitCode !== null, 200_000)

async function moveWithKills(workspace: MovedWorkspace): Promise<Service> {
  for (const { after, delayMs, service } of kills) {
    const driver = await workspace.startMove('two')
    await waitForOutput(driver, after)
    // A kill during the pause may come after the switch, which workers then complete.
    expect([null, 0], driver.errors()).toContain(driver.child.exitCode)
    await sleep(delayMs)
    const restarting = service ? workspace.restart() : undefined
    await driver.kill()
    process.stdout.write(`killed ${delayMs} ms after "${after}"\n`)
    await restarting
  }
  const driver = await workspace.startMove('two')
  const { code } = await driver.ended
  expect([code, driver.errors()], driver.errors()).toEqual([0, expect.any(String)])
  return driver
}

async function settle({ control, cells, tenantId }: MovedWorkspace): Promise<void> {
  const open = `select count(*)::int as n from messages where tenant_id = '${tenantId}' and status in ('pending', 'sent')`
  expect(await eventually(async () => (await cells.two.rows<{ n: number }>(open))[0]!.n === 0, 200_000)).toBe(
    true,
  )
  expect(await eventually(async () => (await control.pendingCallbacks()) === 0, 60_000)).toBe(true)
}

async function listSent({ control }: MovedWorkspace): Promise<Record<string, string[]>> {
  const groups: Record<string, string[]> = {}
  for (const account of accounts)
    for (const { to, payload } of await control.sent(account)) {
      groups[to] ??= []
      groups[to].push(String((payload.text as { body: string }).body))
    }
  return groups
}

const timeout = isFull ? 1_800_000 : 600_000

test('a workspace that moves under load, with kills, loses, repeats and reorders nothing', {
  timeout,
}, async () => {
  const workspace = await startMovedWorkspace()
  const { cells, tenantId } = workspace
  const endpoint = await startEndpoint()
  const created = await workspace.call('POST', '/webhooks/endpoints', {
    url: endpoint.url,
    eventTypes: ['message.created'],
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const watcher = watch(workspace.url, workspace.key)
  const sent = new Map<string, string[]>()
  const first = startLoad(workspace, { people, perSecond: size.perSecond }, sent)
  expect(await eventually(() => first.accepted >= people.length, 60_000)).toBe(true)
  await addHistory(workspace, size.history)
  const driver = await moveWithKills(workspace)
  await sleep(2_000)
  await first.stop()
  const paused = [...driver.errors().matchAll(/switched after (\d+) ms/g)].map(match => Number(match[1]))
  process.stdout.write(
    `${first.accepted} messages accepted, pause ${paused.join()} ms, slowest request ${Math.round(first.slowest.ms)} ms\n${driver.output()}`,
  )
  await settle(workspace)

  expect(await listSent(workspace)).toEqual(Object.fromEntries(sent))
  const [log] = await cells.two.rows<{ first: number; last: number; count: number; created: number }>(`
    select min(seq)::int as first, max(seq)::int as last, count(*)::int as count,
      count(distinct data->'message'->>'id') filter (where type = 'message.created')::int as created
    from event_log where tenant_id = '${tenantId}'`)
  expect(log).toEqual({ first: 1, last: log!.count, count: log!.count, created: first.accepted })
  const visible = await cells.two.rows<{ seq: number }>(`
    select seq::int as seq from event_log
    where tenant_id = '${tenantId}' and type in ('message.created', 'message.updated') order by seq`)
  expect(await eventually(() => watcher.received().length >= visible.length, 60_000)).toBe(true)
  expect(watcher.received()).toEqual(visible.map(({ seq }) => seq))
  watcher.stop()
  const delivered = () => new Set(endpoint.received.map(({ event }) => event.data.message.id)).size
  expect(await eventually(() => delivered() === first.accepted, 60_000)).toBe(true)
  await endpoint.close()

  // Workers delete the rows in the source after ten minutes.
  await cells.one.rows(`update workspace_moves set changed_at = changed_at - interval '10 minutes'`)
  const isEmpty = async () =>
    (await cells.one.rows<{ n: number }>('select count(*)::int as n from workspace_moves'))[0]!.n === 0
  expect(await eventually(isEmpty, 120_000)).toBe(true)
  const left = await cells.one.rows<{ n: number }>(
    `select count(*)::int as n from messages where tenant_id = '${tenantId}'`,
  )
  expect(left).toEqual([{ n: 0 }])
  if (paused.length > 0) expect(Math.max(...paused)).toBeLessThan(within(5_000))
})
