/** Tests actions on many conversations: their results, their events and undoing them. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { exhaustAttempts } from '../../platform/jobs/testing/exhaust.ts'
import { seedConversations, snapshot } from '../testing/bulk.ts'
import { conversationBulk } from './run-bulk.ts'

const service = await testService()
const { clock, db } = service.deps
const count = 42
let workspace: Workspace
let owner: Client
let agent: Client
let labelId: string
let inboxId: string
let inboxes = 0
const toId = (n: number) => `cnv_${String(n).padStart(26, '0')}`

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  agent = await workspace.user('agent')
  const other = await workspace.user('agent')
  labelId = (await owner.post('/labels', { name: 'Billing' })).body.id
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5551'], phoneNumberIds: [`5550${800 + inboxes++}`] },
  })
  inboxId = body.inboxes[0].id
  const { tenantId, teamId } = workspace
  const userIds = [agent.id, other.id]
  await seedConversations(db, { tenantId, inboxId, teamId, labelId, count, userIds })
})

const finished = (id: string, status = 'completed', client = owner) =>
  until(
    async () => (await client.get(`/conversations/bulk/${id}`)).body,
    bulk => bulk.status === status,
  )

async function run(action: object, target: object = { filter: {} }, client = owner) {
  const { status, body } = await client.post('/conversations/bulk', { ...target, action })
  expect(status, JSON.stringify(body)).toBe(202)
  return finished(body.id, 'completed', client)
}

async function undo(id: string, client = owner) {
  const { status, body } = await client.post(`/conversations/bulk/${id}/undo`)
  expect(status, JSON.stringify(body)).toBe(202)
  return finished(id, 'undone', client)
}

const listItems = async (id: string, query = '') =>
  (await owner.get(`/conversations/bulk/${id}/items?limit=200${query}`)).body.items as {
    conversationId: string
    result: string
    error: string | null
    undoResult: string | null
    undoError: string | null
  }[]
const read = () => snapshot(db, workspace.tenantId)

test('a bulk action equals the action on one conversation, with its events', async () => {
  const [first, second] = [toId(12), toId(24)]
  const actor = { type: 'user', id: owner.id }
  const bulk = await run({ type: 'close' }, { ids: [first] })
  await owner.post(`/conversations/${second}/close`)
  const types = async (id: string) => {
    const { events } = (await owner.get('/events?limit=500')).body as {
      events: { type: string; data: { conversation?: { id: string }; changes?: string[] } }[]
    }
    return events
      .filter(({ data }) => data.conversation?.id === id)
      .map(({ type, data }) => [type, data.changes?.toSorted()])
      .slice(-2)
  }
  await until(
    () => types(second),
    found => found.at(-1)?.[0] === 'conversation.closed',
  )
  expect((await types(first)).at(-1)).toEqual((await types(second)).at(-1))
  const timeline = async (id: string) =>
    (await owner.get(`/conversations/${id}/timeline`)).body.items[0].event
  expect(await timeline(first)).toMatchObject({ type: 'closed', actor })
  await undo(bulk.id)
  await owner.post(`/conversations/${second}/reopen`)
  expect(await timeline(first)).toMatchObject({ type: 'reopened', actor })
})

describe('undo restores each conversation exactly', () => {
  test.each([
    ['close', () => ({ type: 'close' }), count],
    ['assign to a user', () => ({ type: 'assign', owner: { type: 'user', id: owner.id } }), count],
    [
      'assign to a team',
      () => ({ type: 'assign', owner: { type: 'team', id: workspace.teamId } }),
      undefined,
    ],
    ['assign to nobody', () => ({ type: 'assign', owner: { type: 'none' } }), undefined],
    ['addLabel', () => ({ type: 'addLabel', labelId }), count - 7],
    ['removeLabel', () => ({ type: 'removeLabel', labelId }), 7],
    ['setPriority', () => ({ type: 'setPriority', priority: 'urgent' }), undefined],
    ['snooze', () => ({ type: 'snooze', until: '2099-01-01T00:00:00.000Z' }), count],
    ['snooze until a reply', () => ({ type: 'snooze', untilReply: true }), undefined],
    ['wake', () => ({ type: 'wake' }), 12],
    ['markRead', () => ({ type: 'markRead' }), count],
  ] as const)('%s', async (_name, action, changed) => {
    const before = await read()
    const bulk = await run(action())
    expect(bulk).toMatchObject({ total: count, failed: 0 })
    expect(bulk.changed + bulk.unchanged).toBe(count)
    if (changed !== undefined) expect(bulk.changed).toBe(changed)
    expect(bulk.changed).toBeGreaterThan(0)
    const after = await read()
    expect(
      after.filter(({ state }, i) => JSON.stringify(state) !== JSON.stringify(before[i]!.state)),
    ).toHaveLength(bulk.changed)
    const again = await run(action())
    expect(again).toMatchObject({ changed: 0, unchanged: count })
    expect(await undo(bulk.id)).toMatchObject({ restored: bulk.changed, notRestored: 0 })
    expect(await read()).toEqual(before)
  })

  test('reopen, after which the conversations are closed as before', async () => {
    const closing = await run({ type: 'close' })
    const closed = await read()
    clock.advance(60_000)
    const reopening = await run({ type: 'reopen' })
    expect(reopening).toMatchObject({ changed: count, failed: 0 })
    await undo(reopening.id)
    expect(await read()).toEqual(closed)
    // The conversations are as closing left them, so closing can be undone, too.
    expect(await undo(closing.id)).toMatchObject({ restored: count, notRestored: 0 })
  })
})

test('undo leaves conversations that were changed since, and says so', async () => {
  const ids = [1, 2, 3, 4, 5].map(toId)
  const bulk = await run({ type: 'assign', owner: { type: 'user', id: owner.id } }, { ids })
  await owner.put(`/conversations/${ids[0]}/owner`, { type: 'user', id: agent.id })
  await owner.put(`/conversations/${ids[0]}/owner`, { type: 'user', id: owner.id })
  await owner.post(`/conversations/${ids[1]}/close`)
  expect(await undo(bulk.id)).toMatchObject({ restored: 3, notRestored: 2 })
  const results = new Map((await listItems(bulk.id)).map(item => [item.conversationId, item.undoResult]))
  expect(ids.map(id => results.get(id))).toEqual(['changed', 'changed', 'restored', 'restored', 'restored'])
  expect((await owner.get(`/conversations/${ids[0]}`)).body.activeOwner).toEqual({
    type: 'user',
    id: owner.id,
  })
  expect((await undo(bulk.id)).restored).toBe(3)
})

test('undo fails for conversations whose team or inbox no longer exists', async () => {
  const team = (await owner.post('/teams', { name: 'Night shift' })).body.id
  const id = toId(7)
  await owner.put(`/conversations/${id}/owner`, { type: 'team', id: team })
  const bulk = await run({ type: 'close' }, { ids: [id] })
  expect((await owner.delete(`/teams/${team}`)).status).toBe(204)
  expect(await undo(bulk.id)).toMatchObject({ restored: 0, notRestored: 1 })
  expect(await listItems(bulk.id)).toMatchObject([{ undoResult: 'failed', undoError: 'team_not_found' }])
})

test('agents change only conversations that they can see, and see only their own actions', async () => {
  const visible = toId(8)
  const hidden = toId(9)
  const ids = [visible, hidden, 'cnv_unknown']
  const bulk = await run({ type: 'setPriority', priority: 'low' }, { ids }, agent)
  expect(bulk).toMatchObject({ total: 3, changed: 1, failed: 2 })
  const failed = await listItems(bulk.id, '&result=failed')
  expect(failed.map(item => [item.conversationId, item.error])).toEqual([
    [hidden, 'conversation_not_found'],
    ['cnv_unknown', 'conversation_not_found'],
  ])
  const colleague = await workspace.user('agent')
  for (const path of ['', '/items']) {
    expect((await colleague.get(`/conversations/bulk/${bulk.id}${path}`)).status).toBe(404)
    expect((await agent.get(`/conversations/bulk/${bulk.id}${path}`)).status).toBe(200)
  }
  expect((await colleague.post(`/conversations/bulk/${bulk.id}/undo`)).status).toBe(404)
  const all = await run({ type: 'setPriority', priority: 'low' }, { filter: {} }, agent)
  expect(all.total).toBeLessThan(count)
})

test('an action whose job is given up ends as failed; what it changed can be undone', async () => {
  const ids = [1, 2, 3, 4, 5].map(toId)
  const before = await read()
  const bulk = await run({ type: 'assign', owner: { type: 'user', id: owner.id } }, { ids: ids.slice(0, 3) })
  // As if the job had two more conversations, which it cannot change.
  await db.run(sql`
    create or replace function refuse_item() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$`)
  await db.run(sql`create or replace trigger refuse_item before update on conversation_bulk_items for each row
    when (new.bulk_id = ${raw(`'${bulk.id}'`)} and new.n > 3 and new.result = 'changed') execute function refuse_item()`)
  await db.run(sql`
    update conversation_bulk_actions set status = 'running', total = 5, finished_at = null
    where tenant_id = ${workspace.tenantId} and id = ${bulk.id}`)
  await db.run(sql`
    insert into conversation_bulk_items (tenant_id, bulk_id, n, conversation_id)
    select ${workspace.tenantId}, ${bulk.id}, 3 + n, id from unnest(${ids.slice(3)}::text[]) with ordinality as left_over (id, n)`)
  await transact(db, tx =>
    enqueue(tx, conversationBulk.job, {
      tenantId: workspace.tenantId,
      orderingKey: bulk.id,
      payload: { bulkId: bulk.id },
    }),
  )
  const failed = await until(
    async () => {
      await exhaustAttempts(db, conversationBulk.job.name, workspace.tenantId)
      return (await owner.get(`/conversations/bulk/${bulk.id}`)).body
    },
    found => found.status !== 'running',
  )
  expect(failed).toMatchObject({ status: 'failed', error: 'internal_error', total: 5, changed: 3, failed: 2 })
  expect(failed.undoUntil).not.toBeNull()
  await db.run(sql`drop trigger refuse_item on conversation_bulk_items`)
  expect((await listItems(bulk.id, '&result=failed')).map(item => [item.conversationId, item.error])).toEqual(
    ids.slice(3).map(id => [id, 'internal_error']),
  )
  expect(await undo(bulk.id)).toMatchObject({ status: 'undone', error: null, restored: 3, notRestored: 0 })
  expect(await read()).toEqual(before)
})

test('409 when the time to undo is over', async () => {
  const bulk = await run({ type: 'setPriority', priority: 'high' }, { ids: [toId(10)] })
  clock.advance(10 * 60_000 + 1)
  const late = await owner.post(`/conversations/bulk/${bulk.id}/undo`)
  expect(late).toMatchObject({ status: 409, body: { code: 'bulk_undo_expired' } })
})

test('400 without a target or with two, and for unknown references; 403 without the scope of the action', async () => {
  const action = { type: 'close' }
  for (const [field, body] of [
    ['ids', { action }],
    ['ids', { ids: [toId(1)], filter: {}, action }],
    [
      'action.owner.id',
      { filter: {}, action: { type: 'assign', owner: { type: 'user', id: 'usr_unknown' } } },
    ],
    ['action.labelId', { filter: {}, action: { type: 'addLabel', labelId: 'lbl_unknown' } }],
    ['until', { filter: {}, action: { type: 'snooze' } }],
    ['until', { filter: {}, action: { type: 'snooze', until: '2001-01-01T00:00:00Z' } }],
  ] as const)
    expect(await owner.post('/conversations/bulk', body), field).toMatchObject({
      status: 400,
      body: { violations: [{ field }] },
    })
  const key = await workspace.key({ scopes: ['conversation:list', 'conversation:close'] })
  expect((await key.post('/conversations/bulk', { ids: [toId(1)], action })).status).toBe(202)
  const assign = { ids: [toId(1)], action: { type: 'assign', owner: { type: 'none' } } }
  expect((await key.post('/conversations/bulk', assign)).status).toBe(403)
})
