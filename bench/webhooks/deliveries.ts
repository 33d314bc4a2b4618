/** Creates workspaces with an endpoint, and measures how fast their events are delivered. */
import { Pool } from 'undici'
import { ContactId } from '../../src/contacts/schemas.ts'
import { UserId } from '../../src/identity/schemas.ts'
import { createWorkspace } from '../../src/identity/workspace/tenants.ts'
import type { ConnectionConfig } from '../../src/platform/db/db.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transact } from '../../src/platform/db/transact.ts'
import type { Deps } from '../../src/platform/deps.ts'
import { EventId, emitMany, event, pendingEvent } from '../../src/platform/events/event.ts'
import type { Caller } from '../../src/platform/http/caller.ts'
import { startDeliverer } from '../../src/webhooks/delivery/deliverer.ts'
import { buildSignedHeaders, decodeSecret } from '../../src/webhooks/delivery/sign.ts'
import { changeSettings } from '../../src/webhooks/settings.ts'
import { now, type Sink } from './sink.ts'

const events = Number(process.env.EVENTS ?? 10_000)
const created = event<object>({ type: 'contact.created' })
const contact = {
  id: ContactId.create(),
  name: 'x'.repeat(700),
  tagIds: [],
  customFields: {},
  conversations: [],
}

export async function createEndpoints(deps: Deps, url: string, count: number): Promise<string[]> {
  const tenantIds: string[] = []
  for (let n = 0; n < count; n++) {
    const owner = { name: 'Owner', email: `${UserId.create()}@example.com`, passwordHash: 'none' }
    await transact(deps.db, async tx => {
      const { tenantId, ownerId } = await createWorkspace(tx, { name: 'Bench', owner })
      const caller = { tenantId, id: ownerId, kind: 'user' } as Caller
      await changeSettings(tx, { ...deps, caller }, { url, enabled: true })
      tenantIds.push(tenantId)
    })
  }
  return tenantIds
}

export const emitFor = (deps: Deps, tenantId: string, count: number) =>
  transact(deps.db, tx =>
    emitMany(
      tx,
      Array.from({ length: count }, () => pendingEvent(created, { tenantId, data: { contact } })),
    ),
  )

export async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await new Promise(resolve => setTimeout(resolve, 5))
}

/** Measures the limit: a loop that signs and posts the same bytes and stores nothing. */
export async function bareLoop(sink: Sink): Promise<number> {
  const { origin, pathname } = new URL(sink.url)
  const pool = new Pool(origin, { connections: 16 })
  const keys = [
    { version: 1, secret: decodeSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), expiresAt: null },
  ]
  let left = events
  const startedAt = now()
  const worker = async () => {
    while (left-- > 0) {
      const id = EventId.create()
      const body = Buffer.from(
        JSON.stringify({
          id,
          type: 'contact.created',
          timestamp: new Date().toISOString(),
          data: { contact },
        }),
      )
      const headers = buildSignedHeaders(keys, { id, timestamp: Math.floor(Date.now() / 1000), body })
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  const rate = (events * 1000) / (now() - startedAt)
  await pool.close()
  return rate
}

/** Measures from the first to the last request of a backlog that exists when delivery starts. */
export async function drain(
  deps: Deps,
  sink: Sink,
  tenantIds: string[],
  connection: ConnectionConfig,
): Promise<number> {
  sink.arrived.clear()
  const each = Math.ceil(events / tenantIds.length)
  const whole = each * tenantIds.length
  for (let left = each; left > 0; left -= 500)
    await Promise.all(tenantIds.map(tenantId => emitFor(deps, tenantId, Math.min(left, 500))))
  await until(async () => (await countDeliveries(deps)) === whole)
  const deliverer = startDeliverer(deps, { connection })
  await until(async () => sink.arrived.size >= whole)
  await until(async () => (await countDeliveries(deps)) === 0)
  await deliverer.stop(1000)
  const times = [...sink.arrived.values()]
  return (whole * 1000) / (Math.max(...times) - Math.min(...times))
}

async function countDeliveries(deps: Deps): Promise<number> {
  const dead = sql`select tenant_id from webhook_settings where url like '%/dead'`
  const { count } = await deps.db.one<{ count: number }>(
    sql`select count(*) as count from webhook_deliveries where tenant_id not in (${dead})`,
  )
  return count
}

interface Pace {
  perSecond: number
  forSeconds: number
}

export async function latencies(
  deps: Deps,
  sink: Sink,
  tenantIds: string[],
  { perSecond, forSeconds }: Pace,
) {
  sink.arrived.clear()
  const committed = new Map<string, number>()
  const emitting = new Set<Promise<void>>()
  const ids = new Map<string, string>()
  const startedAt = now()
  for (let n = 0; n < perSecond * forSeconds; n++) {
    const wait = startedAt + (n * 1000) / perSecond - now()
    if (wait > 1) await new Promise(resolve => setTimeout(resolve, wait))
    const tenantId = tenantIds[n % tenantIds.length]!
    const mark = `mark ${n}`
    const one = transact(deps.db, tx =>
      emitMany(tx, [pendingEvent(created, { tenantId, data: { contact: { ...contact, mark } } })]),
    ).then(() => {
      committed.set(mark, now())
      emitting.delete(one)
    })
    emitting.add(one)
  }
  await Promise.all(emitting)
  await until(async () => sink.arrived.size >= committed.size)
  const rows = await deps.db.rows<{ id: string; mark: string }>(
    sql`select event_id as id, data -> 'contact' ->> 'mark' as mark from event_log where data -> 'contact' ->> 'mark' is not null`,
  )
  for (const { id, mark } of rows) ids.set(mark, id)
  const all = [...committed].map(([mark, at]) => sink.arrived.get(ids.get(mark)!)! - at).sort((a, b) => a - b)
  await deps.db.run(sql`update event_log set data = '{}' where data -> 'contact' ->> 'mark' is not null`)
  return { p50: all[Math.floor(all.length * 0.5)]!, p99: all[Math.floor(all.length * 0.99)]! }
}
