/** Tests polling of events: the same events as webhooks and sockets, each once, and only for callers who may receive them. */
import { afterAll, expect, test } from 'vitest'
import { type Client, testApi } from '../../test/harness/api.ts'
import { eventually } from '../../test/harness/wait.ts'
import { contactCreated } from '../contacts/events.ts'
import { conversationRead, messageCreated } from '../conversations/events.ts'
import { inboxUpdated } from '../inboxes/events.ts'
import { sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { emitMany, type PendingEvent, pendingEvent } from '../platform/events/event.ts'
import { startSequencer } from '../platform/events/sequencer.ts'

const api = await testApi()
const { deps, connection } = api
const sequencer = startSequencer(deps, { connection })
afterAll(() => sequencer.stop())

const emitAll = (events: PendingEvent[]) => transact(deps.db, tx => emitMany(tx, events))
const get = async (client: Client, query = '') => (await client.get(`/events${query}`)).body
const latest = (client: Client, number: number) =>
  eventually(async () => expect((await get(client)).latest).toBe(number))

/** A workspace with five public events, an internal one between them, and a conversation of a team. */
async function createLog() {
  const workspace = await api.workspace()
  const { tenantId, teamId } = workspace
  const message = (n: number, audience?: object) =>
    pendingEvent(messageCreated, {
      tenantId,
      data: { message: { id: `msg_${n}` }, conversation: { id: 'cnv_1' } } as never,
      ...(audience ? { audience } : {}),
    })
  await emitAll([
    pendingEvent(contactCreated, {
      tenantId,
      data: { contact: { id: 'con_1' }, contactChanges: { hidden: true } } as never,
    }),
    message(1, { teamIds: [teamId], userIds: [] }),
    pendingEvent(conversationRead, { tenantId, data: { userId: 'usr_1' } as never }),
    message(2),
    pendingEvent(inboxUpdated, { tenantId, data: { inbox: { id: 'ibx_1' }, changes: ['status'] } as never }),
    message(3, { teamIds: ['team_other'], userIds: [] }),
  ])
  await latest(workspace.owner, 5)
  return workspace
}

test('200 with all public events, oldest first, in pages that neither overlap nor leave gaps', async () => {
  const { owner } = await createLog()
  const all = await get(owner)
  expect(all).toMatchObject({ nextSince: 5, latest: 5, hasMore: false })
  expect(all.events.map((event: { sequence: number }) => event.sequence)).toEqual([1, 2, 3, 4, 5])
  expect(all.events[0]).toMatchObject({ type: 'contact.created', data: { contact: { id: 'con_1' } } })
  expect(all.events[0].data).toEqual({ contact: { id: 'con_1' } })
  const pages = []
  for (let since = 0, hasMore = true; hasMore; ) {
    const page = await get(owner, `?since=${since}&limit=2`)
    pages.push(page.events)
    ;({ nextSince: since, hasMore } = page)
  }
  expect(pages.map(page => page.length)).toEqual([2, 2, 1])
  expect(pages.flat()).toEqual(all.events)
  expect(await get(owner, '?since=5')).toEqual({ events: [], nextSince: 5, latest: 5, hasMore: false })
})

test('200 without the events of other types, scopes and teams, which nextSince passes over', async () => {
  const { owner, user, key, teamId } = await createLog()
  const sequences = async (client: Client, query = '') => {
    const { events, nextSince } = await get(client, query)
    expect(nextSince).toBe(5)
    return events.map((event: { sequence: number }) => event.sequence)
  }
  for (const query of [
    '?eventTypes=inbox.updated,contact.created',
    '?eventTypes[]=inbox.updated&eventTypes[]=contact.created',
  ])
    expect(await sequences(owner, query), query).toEqual([1, 4])
  expect(await sequences(await user('agent'))).toEqual([1, 3, 4])
  expect(await sequences(await user('agent', [teamId]))).toEqual([1, 2, 3, 4])
  const scoped = (...scopes: string[]) => key({ scopes: ['user:read_self', ...scopes] })
  expect(await sequences(await scoped('contact:read'))).toEqual([1])
  expect(await sequences(await scoped('conversation:read'))).toEqual([2, 3, 5])
  expect(await sequences(await scoped('inbox:read'))).toEqual([4])
  const blind = await (await scoped()).get('/events')
  expect(blind).toMatchObject({ status: 403, body: { code: 'auth_scope_missing' } })
})

test('410 for a number whose successors are no longer kept or were never assigned', async () => {
  const { owner, tenantId } = await createLog()
  expect(await owner.get('/events?since=6')).toMatchObject({ status: 410, body: { code: 'events_not_kept' } })
  await deps.db.run(sql`delete from event_log where tenant_id = ${tenantId} and public_seq <= 2`)
  expect(await owner.get('/events?since=1')).toMatchObject({ status: 410 })
  expect((await get(owner, '?since=2')).events).toHaveLength(3)
  expect((await get(owner)).events).toHaveLength(3)
  await deps.db.run(sql`delete from event_log where tenant_id = ${tenantId}`)
  expect(await get(owner)).toEqual({ events: [], nextSince: 5, latest: 5, hasMore: false })
})

test('200 and nothing before the first event; 400 for numbers that are not', async () => {
  const { owner } = await api.workspace()
  expect(await get(owner)).toEqual({ events: [], nextSince: 0, latest: 0, hasMore: false })
  for (const query of ['?since=-1', '?since=x', '?limit=0', '?eventTypes=comment.received'])
    expect((await owner.get(`/events${query}`)).status, query).toBe(400)
})

test('a page reads its events by number, however many internal events are between them', async () => {
  const { owner, tenantId } = await createLog()
  await deps.db.run(sql`
    insert into event_log (tenant_id, seq, public_seq, day, event_id, type, at, data, causation_depth)
    select tenant_id, 100 + n, case when n % 1000 = 0 then 5 + n / 1000 end, day, 'evt_' || n, 'message.created', at, data, 0
    from event_log, generate_series(1, 20000) n where tenant_id = ${tenantId} and seq = 2`)
  await deps.db.run(sql`update event_heads set seq = 20100, public_seq = 25 where tenant_id = ${tenantId}`)
  await deps.db.run(sql`analyze event_log`)
  const plan = await deps.db.unprepared<{ 'QUERY PLAN': string }>(sql`
    explain (analyze, timing off) select event_id from event_log
    where tenant_id = ${tenantId} and public_seq is not null and public_seq > ${7} order by public_seq limit 5`)
  const text = plan.map(row => row['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Index Cond:.* AND \(public_seq > /)
  expect(text).not.toContain('Rows Removed')
  expect((await get(owner, '?since=20')).events).toHaveLength(5)
})
