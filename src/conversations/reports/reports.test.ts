/** Tests reports: figures of replies and closings, by group and caller, before and after they are added to the counters. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { foldFacts } from '../store/reports.ts'

const service = await testService()
const { clock, db } = service.deps
const none = { count: 0, averageSeconds: null, medianSeconds: null }
let workspace: Workspace
let owner: Client
let inboxId: string
let numbers = 1000

const text = (body: string) => ({ type: 'text', text: { body } })
const overview = async (query = '', client = owner) => (await client.get(`/reports/overview${query}`)).body

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5571'], phoneNumberIds: [`557${numbers++}`] },
  })
  inboxId = body.inboxes[0].id
})

/** Lets the customer write; returns the id of the conversation once it has the message. */
async function receive(from: string, body: string): Promise<string> {
  await owner.post('/sandbox/inbound', { inboxId, from, content: text(body) })
  const [found] = await until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations,
    rows => rows[0]?.lastMessagePreview === body,
  )
  return found.id
}

async function reply(id: string, client = owner): Promise<void> {
  expect((await client.post(`/conversations/${id}/messages`, { content: text('Hello') })).status).toBe(202)
}

const close = (id: string, client = owner) => client.post(`/conversations/${id}/close`)

test('figures of replies, closings and reopenings, the same before and after they are folded into counters', async () => {
  const agent = await workspace.user('agent', [workspace.teamId])
  const first = await receive('+14155570001', 'one')
  clock.advance(90_000)
  await reply(first)
  await receive('+14155570001', 'two')
  clock.advance(30_000)
  await reply(first, agent)
  await reply(first) // nobody waits: not counted
  clock.advance(60_000)
  await close(first, agent)
  const second = await receive('+14155570002', 'three')
  await close(second)
  await owner.post(`/conversations/${second}/reopen`)
  const before = await overview()
  const near = (seconds: number) =>
    expect.toSatisfy((n: number) => Math.abs(n - seconds) <= 5, `near ${seconds}`)
  expect(before.totals).toEqual({
    opened: 2,
    reopened: 1,
    closed: 2,
    replies: 2,
    firstReply: { count: 1, averageSeconds: near(90), medianSeconds: expect.any(Number) },
    waiting: { count: 2, averageSeconds: near(60), medianSeconds: expect.any(Number) },
    resolution: { count: 2, averageSeconds: near(90), medianSeconds: expect.any(Number) },
  })
  expect(before.totals.firstReply.medianSeconds).toBeGreaterThanOrEqual(63)
  expect(before.totals.firstReply.medianSeconds).toBeLessThanOrEqual(126)
  const byUser = (await overview('?groupBy=user')).groups
  const find = (key: string | null) => byUser.find((group: { key: string | null }) => group.key === key)
  expect(find(agent.id!)).toMatchObject({ opened: 0, closed: 1, replies: 1, firstReply: none })
  expect(find(owner.id!)).toMatchObject({ opened: 0, closed: 1, replies: 1, firstReply: { count: 1 } })
  expect(find(null)).toMatchObject({ opened: 2, reopened: 1, closed: 0 })
  expect((await overview('?groupBy=inbox')).groups).toMatchObject([{ key: inboxId, opened: 2 }])
  expect((await overview(`?userId=${agent.id}`)).totals).toMatchObject({ closed: 1, replies: 1, opened: 0 })
  expect((await overview('', agent)).totals).toMatchObject({ closed: 1, replies: 1, opened: 0 })
  expect((await overview(`?userId=${agent.id}`, agent)).totals).toMatchObject({ closed: 1, replies: 1 })
  expect((await overview(`?userId=${owner.id}`, agent)).totals).toMatchObject({ closed: 0, replies: 0 })

  while ((await transact(db, tx => foldFacts(tx, 2))) > 0);
  const count = (table: 'conversation_facts' | 'conversation_counts') =>
    db.one<{ n: number }>(
      table === 'conversation_facts'
        ? sql`select count(*)::int as n from conversation_facts where tenant_id = ${workspace.tenantId}`
        : sql`select sum(count)::int as n from conversation_counts where tenant_id = ${workspace.tenantId}`,
    )
  expect(await count('conversation_facts')).toEqual({ n: 0 })
  expect(await count('conversation_counts')).toEqual({ n: 7 })
  expect(await overview()).toEqual(before)

  const other = await service.workspace()
  expect((await overview('', other.owner)).totals).toMatchObject({ opened: 0, closed: 0, replies: 0 })
})

test('days and hours are those of the time zone of the workspace', async () => {
  const other = await service.workspace()
  await other.owner.patch('/workspace', { timezone: 'Asia/Kolkata' })
  await db.run(sql`
    insert into conversation_counts (tenant_id, hour, type, inbox_id, team_id, user_id, bucket, count, seconds)
    select ${other.tenantId}, hour, 'opened', 'i', '', '', 0, 1, 0
    from unnest(array['2026-03-01T18:00Z', '2026-03-01T19:00Z']::timestamptz[]) as hour`)
  const range = 'from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z'
  const read = async (groupBy: string) =>
    (await overview(`?${range}&groupBy=${groupBy}`, other.owner)).groups.map(
      (group: { key: string; opened: number }) => [group.key, group.opened],
    )
  expect(await read('day')).toEqual([
    ['2026-03-01', 1],
    ['2026-03-02', 1],
  ])
  expect(await read('hourOfDay')).toEqual([
    ['0', 1],
    ['23', 1],
  ])
  // 1 March 2026 is a Sunday.
  expect(await read('hourOfWeek')).toEqual([
    ['1-0', 1],
    ['7-23', 1],
  ])
})

test('customers who wait now, for the first or the next reply, by how long, within what the caller can see', async () => {
  const agent = await workspace.user('agent')
  const [first, second] = [await receive('+14155570011', 'one'), await receive('+14155570012', 'two')]
  clock.advance(600_000)
  await reply(second)
  await receive('+14155570012', 'three')
  await close(await receive('+14155570013', 'done'))
  clock.advance(60_000)
  const waiting = async (client: Client, query = '') => (await client.get(`/reports/waiting${query}`)).body
  const { ranges, ...found } = await waiting(owner)
  const near = (seconds: number) =>
    expect.toSatisfy((n: number) => Math.abs(n - seconds) <= 30, `near ${seconds}`)
  expect(found).toEqual({
    at: expect.any(String),
    firstReply: { count: 1, averageSeconds: near(660), maxSeconds: near(660) },
    nextReply: { count: 1, averageSeconds: near(60), maxSeconds: near(60) },
  })
  expect(ranges.slice(0, 2)).toEqual([
    { fromSeconds: 0, toSeconds: 300, firstReply: 0, nextReply: 1 },
    { fromSeconds: 300, toSeconds: 900, firstReply: 1, nextReply: 0 },
  ])
  expect(ranges.at(-1)).toEqual({ fromSeconds: 86_400, toSeconds: null, firstReply: 0, nextReply: 0 })
  expect(await waiting(owner, `?inboxId=${inboxId}`)).toMatchObject({ firstReply: { count: 1 } })
  expect(await waiting(owner, '?teamId=none')).toMatchObject({ firstReply: { count: 1 } })
  expect(await waiting(owner, '?inboxId=inb_unknown')).toMatchObject({
    firstReply: { count: 0, averageSeconds: null, maxSeconds: null },
  })
  // Conversations of another team are not visible to an agent.
  const team = (await owner.post('/teams', { name: 'Night shift' })).body.id
  await owner.put(`/conversations/${first}/owner`, { type: 'team', id: team })
  expect(await waiting(agent)).toMatchObject({ firstReply: { count: 0 }, nextReply: { count: 1 } })
  expect((await agent.get('/conversations?waiting=true')).body.conversations).toMatchObject([{ id: second }])
  await owner.put(`/conversations/${second}/snooze`, { untilReply: true })
  expect(await waiting(owner)).toMatchObject({ firstReply: { count: 1 }, nextReply: { count: 0 } })
})

test('400 for a range that is reversed or longer than a year', async () => {
  for (const range of [
    'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
    'from=2020-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
  ]) {
    const { status, body } = await owner.get(`/reports/overview?${range}`)
    expect([status, body.violations[0].code]).toEqual([400, 'invalid_range'])
  }
})

test('200 at the ends of the calendar', async () => {
  for (const range of ['from=9999-12-31T23:00:00Z&to=9999-12-31T23:59:59Z', 'to=0001-01-01T00:00:00Z'])
    expect((await overview(`?${range}`)).totals).toMatchObject({ opened: 0 })
})
