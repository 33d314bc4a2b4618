/**
 * Benchmarks messages: accepting over HTTP compared with plain connections that send the same statement one message at a
 * time (the embedded server has no pgbench); the delay until the provider has an accepted message; and messages per
 * second at the provider compared with a plain loop that posts to the same sandbox.
 */
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { jobs, routes } from '../src/app.ts'
import { createAuthenticator } from '../src/identity/auth/authenticate.ts'
import { pointAtSandbox, sandboxSecrets } from '../src/inboxes/channels.ts'
import { sql } from '../src/platform/db/sql.ts'
import { buildServer } from '../src/platform/http/server.ts'
import { startWorkers } from '../src/platform/jobs/workers.ts'
import { connectSandbox } from '../src/sandbox/control/client.ts'
import { addPeople, openAccounts } from './messages/accounts.ts'
import { run } from './messages/run.ts'
import { startSandboxProcess } from './messages/sandbox-process.ts'
import { benchDeps, report } from './support/environment.ts'
import { median, percentile } from './support/statistics.ts'

const people = 10_000
const connections = 64
const { deps, connection, close } = await benchDeps()
const desk = await openAccounts(deps)
await addPeople(deps, desk, { from: 0, to: people })
await deps.db.run(sql`analyze`)
const app = await buildServer({
  deps,
  routes,
  authenticate: createAuthenticator(deps),
  pageKey: deps.keys.current('page-tokens'),
})
await app.listen({ port: 0, host: '127.0.0.1' })
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

interface Loaded {
  rate: number
  p50: number
  p99: number
}
const load = (seconds: number, kind: 'reply' | 'message', pace: number | '' = '') =>
  run<Loaded>('load.ts', [url, desk.token, desk.inboxId, people, seconds, connections, kind, pace])
const bare = (seconds: number) =>
  run<{ rate: number }>('bare.ts', [JSON.stringify(connection), desk.tenantId, desk.ownerId, people, seconds])

/** `accepting` or `sending` runs that part alone. */
const part = process.argv[2]
if (part !== 'sending') await measureAccepting()
await deps.db.run(sql`truncate job_lanes, jobs, outbox`)
if (part !== 'accepting') await measureSending()
await app.close()
await close()

async function measureAccepting(): Promise<void> {
  await load(2, 'reply')
  await bare(1)
  const rates: Record<'reply' | 'message' | 'bare', number[]> = { reply: [], message: [], bare: [] }
  for (let round = 0; round < 3; round++) {
    rates.bare.push((await bare(4)).rate)
    rates.reply.push((await load(4, 'reply')).rate)
    rates.message.push((await load(4, 'message')).rate)
  }
  const limit = median(rates.bare)
  for (const kind of ['reply', 'message'] as const) {
    const value = median(rates[kind])
    const ratio = value / limit
    report({ name: `messages.accept_${kind}`, unit: 'messages/s', value, limit, ratio, wanted: '>= 0.90' })
  }
  const half = Math.floor(limit / 2)
  const { p99 } = await load(8, 'reply', half)
  report({
    name: 'messages.accept_p99_at_half_load',
    unit: 'ms',
    value: p99,
    limit: 25,
    ratio: p99 / 25,
    wanted: '<= 1',
  })
}

async function measureSending(): Promise<void> {
  const sandbox = await startSandboxProcess(deps)
  pointAtSandbox(deps.config, deps.channels, sandbox.urls)
  const control = connectSandbox({ url: sandbox.url, token: sandboxSecrets(deps.keys).controlToken })
  const account = { channel: 'chatapp', account: '5550001' } as const
  const workers = startWorkers(deps, jobs, {})
  await load(5, 'reply', 100)
  await settled()
  await control.reset()
  await load(10, 'reply', 200)
  await settled()
  const items = await control.sent(account)
  const arrived = new Map(
    items.map(item => [String(item.payload.biz_opaque_callback_data), Date.parse(item.receivedAt)]),
  )
  const accepted = await deps.db.rows<{ id: string; at: string }>(
    sql`select id, created_at as at from messages where id = any(${[...arrived.keys()]})`,
  )
  const delays = accepted.map(({ id, at }) => arrived.get(id)! - Date.parse(at))
  for (const [name, part, wanted] of [
    ['p50', 0.5, 20],
    ['p99', 0.99, 150],
  ] as const) {
    const value = percentile(delays, part)
    report({
      name: `messages.accept_to_provider_${name}`,
      unit: 'ms',
      value,
      limit: wanted,
      ratio: value / wanted,
      wanted: '<= 1',
    })
  }
  await workers.stop(5_000)
  await load(6, 'reply')
  const waiting = await pending()
  const again = startWorkers(deps, jobs, {})
  const startedAt = performance.now()
  await settled()
  const value = waiting / ((performance.now() - startedAt) / 1000)
  await again.stop(5_000)
  const limit = await bareLoop(`${sandbox.urls.chatapp}/v23.0`, 4_000)
  report({
    name: 'messages.sustained_send',
    unit: 'messages/s',
    value,
    limit,
    ratio: value / limit,
    wanted: '>= 0.50',
  })
  sandbox.stop()
}

async function pending(): Promise<number> {
  const row = await deps.db.one<{ count: number }>(
    sql`select count(*) as count from messages where status = 'pending' and created_at > now() - interval '1 hour'
      and id in (select (payload->>'messageId') from job_lanes where name = 'conversations.deliver_message' union all select (payload->>'messageId') from jobs)`,
  )
  return row.count
}

async function settled(): Promise<void> {
  for (;;) {
    const row = await deps.db.one<{ left: number }>(
      sql`select count(*) as left from job_lanes where name = 'conversations.deliver_message' and pending > 0`,
    )
    if (row.left === 0) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Sends the same request on 64 connections as fast as possible. */
async function bareLoop(base: string, ms: number): Promise<number> {
  const { origin, pathname } = new URL(base)
  const pool = new Pool(origin, { connections: 64, pipelining: 1 })
  const end = performance.now() + ms
  let count = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (performance.now() < end) {
        const to = `+1415${6_000_000 + Math.floor(Math.random() * people)}`
        const answer = await pool.request({
          method: 'POST',
          path: `${pathname}/5550001/messages`,
          headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
          body: JSON.stringify({
            messaging_product: 'whatsapp',
            recipient_type: 'individual',
            to,
            biz_opaque_callback_data: `msg_${count}`,
            type: 'text',
            text: { body: 'A message of ordinary length', preview_url: true },
          }),
        })
        await answer.body.dump()
        if (answer.statusCode !== 200) throw new Error(`the sandbox answered ${answer.statusCode}`)
        count++
      }
    }),
  )
  await pool.close()
  return count / (ms / 1000)
}
