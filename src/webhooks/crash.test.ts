/**
 * Kills delivering processes repeatedly while events are emitted. KILLS and EVENTS set the size:
 * KILLS=100 EVENTS=20000 npx vitest run src/webhooks/crash.test.ts
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { bundled } from '../../test/harness/bundled.ts'
import { sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../platform/events/event.ts'
import { startEndpoint } from './testing/endpoint.ts'
import { eventually, types } from './testing/harness.ts'

const kills = Number(process.env.KILLS ?? 4)
const events = Number(process.env.EVENTS ?? 400)
const tenants = 4
const { deps, connection, workspace } = await testApi()
const children = new Set<ChildProcess>()
afterEach(async () => {
  const ends = [...children].map(child => once(child, 'exit'))
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(ends)
})

async function startChild(): Promise<ChildProcess> {
  const secret = 'a secret of tests, and of nothing else'
  const file = bundled(path.join(import.meta.dirname, 'testing/child.fixture.ts'))
  const child = fork(file, [JSON.stringify({ connection, secret })])
  children.add(child)
  child.on('exit', () => children.delete(child))
  await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code, signal) => reject(new Error(`the child ended early: ${code ?? signal}`)))
  })
  return child
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Requests without a response. */
let inFlight = 0

/** Keeps two processes running and kills the older one while it has calls in flight. */
async function killRepeatedly(): Promise<void> {
  await startChild()
  for (let n = 0; n < kills; n++) {
    const next = startChild()
    await pause(200 + Math.random() * 1_500)
    for (let checks = 0; inFlight < 3 && checks < 600; checks++) await pause(5)
    const [oldest] = children
    oldest!.kill('SIGKILL')
    await next
  }
}

interface Logged {
  tenantId: string
  eventId: string
  status: string
  errorText: string | null
  numbers: number[]
}

function byKey<T>(items: readonly T[], getKey: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(getKey(item), [...(groups.get(getKey(item)) ?? []), item])
  return groups
}

test(
  'every event arrives, duplicates have the same id, and every attempt is logged',
  async () => {
    const endpoint = await startEndpoint(response => {
      inFlight++
      setTimeout(
        () => {
          inFlight--
          response.end()
        },
        10 + Math.random() * 60,
      )
    })
    const tenantIds: string[] = []
    for (let n = 0; n < tenants; n++) {
      const { owner, tenantId } = await workspace()
      await owner.patch('/webhooks', { url: endpoint.url, enabled: true })
      tenantIds.push(tenantId)
    }
    let isDone = false
    const killing = killRepeatedly().finally(() => {
      isDone = true
    })
    const perBatch = 10
    for (let sent = 0; sent < events; sent += perBatch) {
      const tenantId = tenantIds[(sent / perBatch) % tenants]!
      const data = (n: number) => ({ contact: { n: sent + n } })
      await transact(deps.db, tx =>
        emitMany(
          tx,
          Array.from({ length: perBatch }, (_, n) =>
            pendingEvent(types['contact.created'], { tenantId, data: data(n) }),
          ),
        ),
      )
      if (!isDone) await pause((kills * 900 * perBatch) / events)
    }
    await killing
    const numbers = () => new Set(endpoint.received.map(item => item.event.data.contact.n))
    await eventually(() => expect(numbers().size).toBe(events), 120_000)
    await eventually(async () => {
      const { left } = await deps.db.one<{ left: number }>(
        sql`select (select count(*) from webhook_deliveries) + (select count(*) from webhook_backlog) as left`,
      )
      expect(left).toBe(0)
    })

    const logged = await deps.db.rows<Logged>(sql`
    select tenant_id as "tenantId", event_id as "eventId", status, error_text as "errorText",
      array_agg(attempt_number order by id) as numbers
    from webhook_attempts where tenant_id = any(${tenantIds}) group by 1, 2, 3, 4`)
    const received = byKey(endpoint.received, item => item.id)
    const attempts = byKey(logged, item => item.eventId)
    expect(new Set([...received.keys()])).toEqual(new Set([...attempts.keys()]))
    let interrupted = 0
    for (const [id, requests] of received) {
      const rows = attempts.get(id)!
      expect(new Set(requests.map(item => item.body)).size).toBe(1)
      const all = rows.flatMap(row => row.numbers).sort((a, b) => a - b)
      expect(all, 'numbered without gaps').toEqual(all.map((_, n) => n + 1))
      expect(all.length, 'every request has an attempt').toBeGreaterThanOrEqual(requests.length)
      expect(rows.find(row => row.status === 'succeeded')?.numbers).toEqual([all.length])
      for (const row of rows.filter(item => item.status === 'failed'))
        expect(row.errorText).toBe('interrupted')
      interrupted += all.length - 1
    }
    console.log({ events, kills, requests: endpoint.received.length, interrupted })
    expect(interrupted).toBeGreaterThan(0)
    await endpoint.close()
  },
  60_000 + kills * 10_000 + events * 20,
)
