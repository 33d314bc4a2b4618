/**
 * Kills processes that run workflows repeatedly: changes of steps in the database are made exactly once, HTTP requests are
 * sent at least once with one key and one recorded response, and every run ends. FULL=1 runs the large form.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { bundled } from '../../../test/harness/bundled.ts'
import { withDatabase } from '../../../test/harness/server.ts'
import { until } from '../../../test/harness/service.ts'
import { InboxId } from '../../inboxes/schemas.ts'
import { insertInbox } from '../../inboxes/store/inboxes.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { emitMany, pendingEvent } from '../../platform/events/event.ts'
import { eventReceived } from '../events.ts'
import { createJourney, expectStatus, text } from '../testing/fixtures.ts'

const full = process.env.FULL === '1'
const runs = full ? 5_000 : 90
const kills = full ? 30 : 3
/** In the large form all runs are in flight at the same time. */
const perKill = full ? runs : Math.ceil(runs / kills)
const restSeconds = full ? 30 : 1

const api = await testApi()
const { db } = api.deps
const { name } = await db.one<{ name: string }>(sql`select current_database() as name`)
const connection = withDatabase(inject('server'), name)

const answers = new Map<string, number[]>()
let answered = 0
const shop = createServer((request, response) => {
  const key = request.headers['idempotency-key'] as string
  answered++
  answers.set(key, [...(answers.get(key) ?? []), answered])
  request.resume()
  const body = JSON.stringify({ n: answered })
  setTimeout(() => response.end(body), Math.random() * 30)
})

const children = new Set<ChildProcess>()
beforeAll(() => new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve)))
afterEach(async () => {
  await Promise.all([...children].map(kill))
  answers.clear()
})
afterAll(() => {
  shop.closeAllConnections()
  shop.close()
})

async function ready(): Promise<ChildProcess> {
  const file = bundled(path.join(import.meta.dirname, '../testing/child.fixture.ts'))
  const child = fork(file, [JSON.stringify(connection)])
  children.add(child)
  child.once('exit', () => children.delete(child))
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  // Expires the leases of the killed worker immediately, to save seconds per kill.
  await db.run(sql`update job_lanes set at = clock_timestamp() - interval '1 second' where state = 'leased'`)
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function prepare() {
  const workspace = await api.workspace()
  const { tenantId, owner } = workspace
  const inboxId = InboxId.create()
  await transact(db, tx =>
    insertInbox(tx, {
      tenantId,
      id: inboxId,
      channel: 'sms',
      externalId: inboxId,
      resourceId: inboxId,
      name: 'Shop',
      config: { phoneNumberSid: inboxId, accountSid: inboxId, phoneNumber: '+14155550000' },
      rate: null,
      createdBy: owner.id,
      credential: null,
    }),
  )
  const tag = async (label: string) =>
    (await expectStatus(owner.post('/tags', { name: label }), 201)).id as string
  const [first, last] = [await tag('first'), await tag('last')]
  const id = await createJourney(owner, {
    trigger: { type: 'event', name: 'order' },
    nodes: {
      begin: ['addTag', { tagId: first }],
      say: ['sendMessage', { content: text('Thank you'), inboxId }],
      rest: ['delay', { for: { seconds: restSeconds } }],
      call: [
        'http',
        {
          method: 'POST',
          url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
          saveAs: 'answer',
          timeoutSeconds: 20,
        },
      ],
      done: ['addTag', { tagId: last }],
    },
    edges: ['start > begin', 'begin > say', 'say > rest', 'rest > call', 'call > done'],
  })
  const contactIds: string[] = []
  for (let n = 0; n < runs; n++) {
    const phone = `+1415${String(5_560_000 + n)}`
    contactIds.push((await expectStatus(owner.post('/contacts', { name: `P${n}`, phone }), 201)).id)
  }
  return { tenantId, journeyId: id, first, last, contactIds }
}

test('kill -9 at random times: no effect is lost or repeated, and no run is stuck', {
  timeout: full ? 1_200_000 : 150_000,
}, async () => {
  const { tenantId, journeyId, first, last, contactIds } = await prepare()
  const standing = (status: string) =>
    db.one<{ n: number }>(sql`
      select count(*) as n from workflow_runs where workflow_id = ${journeyId} and status = ${status}`)
  const send = async (ids: readonly string[]) =>
    transact(db, tx =>
      emitMany(
        tx,
        ids.map(contactId =>
          pendingEvent(eventReceived, {
            tenantId,
            data: { contactId, event: { name: 'order', key: null, data: {} } },
          }),
        ),
      ),
    )
  let [working, standby] = [await ready(), ready()]
  working.send('go')
  for (let n = 0; n < kills; n++) {
    const before = (await standing('completed')).n + (await standing('waiting')).n
    await send(contactIds.slice(n * perKill, (n + 1) * perKill))
    if (!full)
      await until(
        async () => (await standing('completed')).n + (await standing('waiting')).n,
        now => now > before || n === 0,
        60_000,
      )
    await pause(Math.random() * (full ? 4_000 : 1_500))
    const next = await standby
    standby = ready()
    next.send('go')
    await kill(working)
    working = next
  }
  await until(
    async () => (await standing('completed')).n,
    n => n === runs,
    full ? 600_000 : 90_000,
  )

  const count = async (query: ReturnType<typeof sql>) => (await db.one<{ n: number }>(query)).n
  for (const tagId of [first, last]) {
    expect(
      await count(
        sql`select count(*) as n from contact_tags where tenant_id = ${tenantId} and tag_id = ${tagId}`,
      ),
    ).toBe(runs)
  }
  expect(await count(sql`select count(*) as n from messages where tenant_id = ${tenantId}`)).toBe(runs)
  await until(
    () => count(sql`select count(*) as n from outbox`),
    n => n === 0,
  )
  const tagged = await db.one<{ tagged: number; distinct: number }>(sql`
    select count(*) as tagged, count(distinct (data -> 'contact' ->> 'id') || (data -> 'contactChanges')::text) as distinct
    from event_log where tenant_id = ${tenantId} and type = 'contact.updated'`)
  expect(tagged).toEqual({ tagged: 2 * runs, distinct: 2 * runs })
  const paths = await db.rows<{ path: string; n: number }>(sql`
    select path, count(*) as n from (
      select run_id, string_agg(step.node_id || ':' || step.outcome, ' ' order by s.n, step.place) as path
      from workflow_steps s cross join lateral (
        select s.node_id, s.outcome, 0 as place
        union all select f.step->>'nodeId', f.step->>'outcome', f.place
        from json_array_elements(s.following) with ordinality as f (step, place)) step (node_id, outcome, place)
      where tenant_id = ${tenantId} group by run_id) p group by path`)
  expect(paths).toEqual([
    { path: 'start:to begin:to say:to rest:wait rest:to call:http call:to done:to', n: runs },
  ])
  const recorded = await db.rows<{ id: string; n: number }>(sql`
    select id, (variables -> 'answer' -> 'body' ->> 'n')::int as n from workflow_runs where tenant_id = ${tenantId}`)
  expect(answers.size).toBe(runs)
  for (const { id, n } of recorded) expect(answers.get(`${id}-6`)).toContain(n)
  expect(await count(sql`select count(*) as n from dead_jobs`)).toBe(0)
})
