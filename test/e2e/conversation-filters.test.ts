/** Tests the filters of conversation lists, and that their cost does not grow with the workspace. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type ConversationFilter, toSort } from '../../src/conversations/lists/schemas.ts'
import {
  countConversations,
  listConversations,
} from '../../src/conversations/store/conversations/conversation-pages.ts'
import { buildConditions } from '../../src/conversations/store/lists/conditions.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { and, raw, type Sql, sql } from '../../src/platform/db/sql.ts'
import type { Client, Workspace } from '../harness/api.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService({}, { spread: true })
const { clock } = service.deps
let workspace: Workspace
let owner: Client
const inboxIds: string[] = []
const sent: { id: string; contactId: string; at: string }[] = []

const list = async (query: string): Promise<string[]> => {
  const { status, body } = await owner.get(`/conversations?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.conversations.map((conversation: { id: string }) => conversation.id)
}

beforeAll(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  for (const number of ['5550101', '5550102']) {
    const { body } = await owner.post('/inboxes', {
      chatapp: { resourceIds: ['5551'], phoneNumberIds: [number] },
    })
    inboxIds.push(body.inboxes[0].id)
  }
  for (let n = 0; n < 4; n++) {
    clock.advance(60_000)
    const at = clock.now().toISOString()
    const { body } = await owner.post('/messages', {
      recipient: { type: 'phone', phoneNumber: `+1415555060${n}` },
      inboxId: inboxIds[n % 2],
      content: { type: 'text', text: { body: 'Hello' } },
    })
    sent.push({ id: body.conversation.id, contactId: body.conversation.contactId, at })
  }
})

const ids = (...numbers: number[]) => numbers.map(n => sent[n]!.id)

test('200 filtered by contact and by inbox', async () => {
  expect(await list(`contactId=${sent[1]!.contactId}`)).toEqual(ids(1))
  expect(await list('contactId=con_unknown')).toEqual([])
  expect(await list(`inboxId=${inboxIds[0]}`)).toEqual(ids(2, 0))
  expect(await list(`inboxId=${inboxIds[1]}&contactId=${sent[0]!.contactId}`)).toEqual([])
})

test('200 filtered by creation time, with the start and without the end', async () => {
  expect(await list(`createdAfter=${sent[1]!.at}&createdBefore=${sent[3]!.at}`)).toEqual(ids(2, 1))
  expect(await list(`createdAfter=${sent[3]!.at}`)).toEqual(ids(3))
  expect((await owner.get('/conversations?createdAfter=yesterday')).status).toBe(400)
})

test('200 with the conversations that a message, an assignment or closing has updated', async () => {
  await owner.put(`/conversations/${sent[1]!.id}/owner`, { type: 'none' })
  await owner.post(`/conversations/${sent[2]!.id}/reopen`)
  clock.advance(60_000)
  const since = clock.now().toISOString()
  expect(await list(`updatedAfter=${since}`)).toEqual([])
  await owner.post(`/conversations/${sent[0]!.id}/messages`, {
    content: { type: 'text', text: { body: 'Again' } },
  })
  clock.advance(1_000)
  await owner.post(`/conversations/${sent[1]!.id}/reassign`, { userId: owner.id })
  clock.advance(1_000)
  const closedAt = clock.now().toISOString()
  await owner.post(`/conversations/${sent[2]!.id}/close`)
  const sorted = `updatedAfter=${since}&sort=updatedAt&orderDirection=asc`
  expect(await list(sorted)).toEqual(ids(0, 1, 2))
  expect(await list(`${sorted}&updatedBefore=${closedAt}`)).toEqual(ids(0, 1))
  const first = (await owner.get(`/conversations?${sorted}&pageSize=2`)).body
  expect(await list(`${sorted}&pageSize=2&pageToken=${first.nextPageToken}`)).toEqual(ids(2))
})

test.each([
  'status=open&status=closed',
  'status[]=open&status[]=closed',
  'status=open,closed',
  'status=open&status[]=closed',
])('200 with the array written as %s', async query => {
  expect(await list(query)).toHaveLength(4)
  expect(await list(`conversationIds=${ids(1, 2).join()}`)).toHaveLength(2)
  expect(await list(`conversationIds[]=${sent[1]!.id}`)).toEqual(ids(1))
})

test('400 for an unknown item of a list, and for brackets after a parameter that is not a list', async () => {
  const unknown = await owner.get('/conversations?status=open,sleeping')
  expect(unknown).toMatchObject({ status: 400, body: { violations: [{ field: 'status[1]' }] } })
  expect((await owner.get('/conversations?search[]=a')).status).toBe(400)
})

describe('the views of a help desk', () => {
  let labelId: string
  let agent: Client
  let outsider: Client
  let botId: string

  /** Lists, searches and counts by the same filter; all three must agree. */
  async function find(filter: Record<string, unknown>, client = owner): Promise<string[]> {
    const query = Object.entries(filter).map(([name, value]) => `${name}=${value}`)
    const listed = await client.get(`/conversations?${query.join('&')}`)
    expect(listed.status, JSON.stringify(listed.body)).toBe(200)
    const searched = await client.post('/conversations/search', { filter })
    const counted = await client.post('/conversations/counts', { filters: [{}, filter] })
    expect(searched.status, JSON.stringify(searched.body)).toBe(200)
    expect(searched.body.items).toEqual(listed.body.conversations)
    const { length } = listed.body.conversations
    expect(counted.body.counts[1]).toEqual({ count: length, approximate: false })
    return listed.body.conversations.map((conversation: { id: string }) => conversation.id)
  }

  beforeAll(async () => {
    agent = await workspace.user('agent', [workspace.teamId])
    outsider = await workspace.user('agent')
    labelId = (await owner.post('/labels', { name: 'Billing' })).body.id
    const draft = { nodes: [{ id: 's', type: 'start', data: {} }], edges: [] }
    botId = (await owner.post('/chatbots', { name: 'B', draft })).body.id
    await owner.post(`/chatbots/${botId}/publish`)
    await owner.post(`/chatbots/${botId}/activate`)
    const [first, second, third, fourth] = sent.map(({ id }) => id)
    for (const id of [first, second, third, fourth]) await owner.post(`/conversations/${id}/reopen`)
    await owner.put(`/conversations/${first}/owner`, { type: 'user', id: agent.id })
    await owner.put(`/conversations/${second}/owner`, { type: 'team', id: workspace.teamId })
    await owner.put(`/conversations/${third}/owner`, { type: 'bot', id: botId })
    await owner.put(`/conversations/${fourth}/owner`, { type: 'none' })
    await owner.put(`/conversations/${first}/labels/${labelId}`)
    await owner.put(`/conversations/${third}/labels/${labelId}`)
    await owner.put(`/conversations/${second}/priority`, { priority: 'high' })
    await owner.put(`/conversations/${fourth}/snooze`, { untilReply: true })
    for (const [n, id] of [first, second].entries()) {
      clock.advance(60_000)
      await owner.post('/sandbox/inbound', {
        inboxId: inboxIds[n % 2],
        from: `+1415555060${n}`,
        content: { type: 'text', text: { body: 'Hi' } },
      })
      await until(
        async () => (await owner.get(`/conversations/${id}`)).body,
        ({ waitingSince }) => waitingSince !== null,
      )
    }
  })

  test('200 by owner: me, none, a user, a team, a chatbot', async () => {
    expect(await find({ ownerId: 'me' }, agent)).toEqual(ids(0))
    expect(await find({ ownerId: agent.id })).toEqual(ids(0))
    expect(await find({ ownerId: workspace.teamId })).toEqual(ids(1))
    expect(await find({ ownerId: botId })).toEqual(ids(2))
    expect(await find({ ownerId: 'none' })).toEqual(ids(3))
    expect(await find({ ownerId: 'me' })).toEqual([])
  })

  test('200 by team, label, priority, snooze, waiting and channel', async () => {
    expect(await find({ teamId: workspace.teamId })).toEqual(ids(1))
    expect(new Set(await find({ teamId: 'none' }))).toEqual(new Set(ids(0, 2, 3)))
    expect(new Set(await find({ labelIds: [labelId] }))).toEqual(new Set(ids(0, 2)))
    expect(await find({ labelIds: [labelId, 'lbl_unknown'], ownerId: botId })).toEqual(ids(2))
    expect(await find({ priority: ['high', 'urgent'] })).toEqual(ids(1))
    expect(await find({ priority: ['none', 'high'] })).toHaveLength(4)
    expect(await find({ snoozed: true })).toEqual(ids(3))
    expect(await find({ snoozed: false })).toHaveLength(3)
    expect(await find({ waiting: true })).toEqual(ids(1, 0))
    expect(await find({ waiting: false })).toHaveLength(2)
    expect(await find({ channel: ['chatapp', 'sms'] })).toHaveLength(4)
    expect(await find({ channel: ['sms'] })).toEqual([])
    const { body } = await owner.post('/conversations/search', { filter: { status: [] } })
    expect(body.items).toEqual([])
  })

  test('200 by unread, as many as the unread summary counts', async () => {
    for (const client of [owner, agent, outsider]) {
      const unread = await find({ unread: true }, client)
      const { conversations } = (await client.get('/users/me/unread-summary')).body
      expect(unread).toHaveLength(conversations)
    }
    expect(await find({ unread: true }, agent)).toEqual(ids(1, 0))
    expect(await find({ unread: false }, agent)).toHaveLength(2)
    const { messages } = (await agent.get(`/conversations/${sent[0]!.id}/messages`)).body
    await agent.post(`/conversations/${sent[0]!.id}/read`, { lastMessageId: messages[0].id })
    expect(await find({ unread: true }, agent)).toEqual(ids(1))
    expect(await find({ unread: true, ownerId: 'me' }, agent)).toEqual([])
    expect((await agent.delete(`/conversations/${sent[0]!.id}/read`)).status).toBe(200)
  })

  test('200 by mention in a note, as long as a note has it; the conversation says so to this user only', async () => {
    const findMentioned = (mentioned: boolean, client: Client) =>
      find({ mentioned, status: ['open'] }, client)
    expect(await findMentioned(true, agent)).toEqual([])
    const path = `/conversations/${sent[0]!.id}`
    const note = (await owner.post(`${path}/notes`, { text: 'look', mentions: [agent.id] })).body
    const second = (await owner.post(`${path}/notes`, { text: 'again', mentions: [agent.id] })).body
    await owner.post(`/conversations/${sent[1]!.id}/notes`, { text: 'mine', mentions: [owner.id] })
    expect(await findMentioned(true, agent)).toEqual(ids(0))
    expect(await findMentioned(true, owner)).toEqual(ids(1))
    expect(await find({ mentioned: true, ownerId: 'me' }, agent)).toEqual(ids(0))
    expect(await find({ mentioned: true, status: ['closed'] }, agent)).toEqual([])
    expect(await findMentioned(false, agent)).toEqual(
      (await find({ status: ['open'] }, agent)).filter(id => id !== sent[0]!.id),
    )
    expect((await agent.get(path)).body.mentioned).toBe(true)
    expect((await owner.get(path)).body.mentioned).toBe(false)
    expect((await (await workspace.key()).get(path)).body).not.toHaveProperty('mentioned')
    await owner.delete(`/notes/${note.id}`)
    expect(await findMentioned(true, agent)).toEqual(ids(0))
    await owner.patch(`/notes/${second.id}`, { mentions: [] })
    expect(await findMentioned(true, agent)).toEqual([])
  })

  test('200 by the teams of the caller', async () => {
    expect(await find({ teamId: 'me' }, agent)).toEqual(ids(1))
    expect(await find({ teamId: 'me', status: ['closed'] }, agent)).toEqual([])
    expect(await find({ teamId: 'me' }, outsider)).toEqual([])
    const other = (await owner.post('/teams', { name: 'Second line' })).body.id
    await owner.put(`/teams/${other}/members/${agent.id}`)
    await owner.put(`/conversations/${sent[2]!.id}/owner`, { type: 'team', id: other })
    await until(
      () => find({ teamId: 'me' }, agent),
      found => found.length === 2,
    )
    expect(new Set(await find({ teamId: 'me' }, agent))).toEqual(new Set(ids(1, 2)))
    await owner.put(`/conversations/${sent[2]!.id}/owner`, { type: 'bot', id: botId })
    await owner.delete(`/teams/${other}/members/${agent.id}`)
  })

  test('200 sorted by waitingSince, the longest wait first, in pages', async () => {
    expect(await list('sort=waitingSince')).toEqual(ids(0, 1))
    expect(await list('sort=waitingSince&orderDirection=desc')).toEqual(ids(1, 0))
    const search = (cursor: string | null) =>
      owner.post('/conversations/search', {
        filter: { status: ['open'] },
        sort: { field: 'waitingSince' },
        limit: 1,
        cursor,
      })
    const first = (await search(null)).body
    expect(first).toMatchObject({ hasMore: true, items: [{ id: sent[0]!.id }] })
    expect((await search(first.nextCursor)).body).toMatchObject({
      hasMore: false,
      items: [{ id: sent[1]!.id }],
    })
  })

  let labels = 0
  test('200 in pages without gaps, also for conversations with several of the labels', async () => {
    const other = (await owner.post('/labels', { name: `Returns ${++labels}` })).body.id
    for (const n of [0, 1]) await owner.put(`/conversations/${sent[n]!.id}/labels/${other}`)
    const labelIds = [labelId, other]
    const all = await find({ labelIds })
    expect(all).toHaveLength(3)
    const pages: string[] = []
    for (let cursor: string | null = null, more = true; more; ) {
      const body: { items: { id: string }[]; nextCursor: string | null; hasMore: boolean } = (
        await owner.post('/conversations/search', { filter: { labelIds }, limit: 1, cursor })
      ).body
      pages.push(...body.items.map(({ id }) => id))
      cursor = body.nextCursor
      more = body.hasMore
    }
    expect(pages).toEqual(all)
    expect(
      (await owner.post('/conversations/counts', { filters: [{ labelIds }] })).body.counts[0].count,
    ).toBe(3)
  })

  test('agents find and count only the conversations that they can see', async () => {
    const hidden = sent[1]!.id
    expect(await find({ status: ['open'] }, agent)).toContain(hidden)
    expect(await find({ status: ['open'] }, outsider)).not.toContain(hidden)
    for (const filter of [
      { teamId: workspace.teamId },
      { ownerId: workspace.teamId },
      { priority: ['high'] },
    ])
      expect(await find(filter, outsider)).toEqual([])
    expect(await find({ waiting: true }, outsider)).toEqual(ids(0))
  })

  test('400 for filters of users with an API key, and for more than 20 counts', async () => {
    const key = await workspace.key()
    for (const filter of [{ unread: true }, { mentioned: false }, { ownerId: 'me' }, { teamId: 'me' }])
      expect((await key.post('/conversations/search', { filter })).body.violations).toMatchObject([
        { code: 'user_required' },
      ])
    const filters = Array.from({ length: 21 }, () => ({}))
    expect((await owner.post('/conversations/counts', { filters })).status).toBe(400)
    expect((await owner.post('/conversations/search', { filter: { owner: 'me' } })).status).toBe(400)
  })
})

describe('among twenty thousand conversations', () => {
  let tenantId: string
  let db: Db
  let contactIds: string[]
  let at: string
  const viewer = (role: 'owner' | 'agent') => ({ tenantId, id: 'usr_1', role, teamIds: ['team_1'] })

  beforeAll(async () => {
    const other = await service.workspace()
    tenantId = other.tenantId
    db = (await service.depsOf(tenantId)).db
    at = clock.now().toISOString()
    // Without autovacuum, nothing analyzes the tables before the test does.
    for (const table of ['conversations', 'conversation_states', 'conversation_labels', 'conversation_notes'])
      await db.run(sql`alter table ${raw(table)} set (autovacuum_enabled = false)`)
    const contacts = await Promise.all(
      Array.from({ length: 20 }, () => other.owner.post('/contacts', { name: 'Ada' })),
    )
    contactIds = contacts.map(({ body }) => body.id)
    await db.run(sql`
      with created as (
        insert into conversations (tenant_id, id, channel, external_id, contact_id, created_at)
        select ${tenantId}, 'cnv_' || n, case when n % 2000 = 1 then 'sms' else 'chatapp' end, 'x' || n,
          (${contactIds}::text[])[case when n % 2000 = 0 then 1 else 2 + n % 19 end],
          ${at}::timestamptz - n * interval '1 minute' from generate_series(1, 20000) n
      ), labels as (
        insert into labels (tenant_id, id, name, name_key, color, created_at)
        select ${tenantId}, id, id, id, '#000000', now() from unnest(array['lbl_rare', 'lbl_common']) id
      )
      insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, contact_id, owner_type, owner_id,
        team_id, priority, snoozed, waiting_since, customer_count, last_customer_at, label_ids, last_message_at, updated_at)
      select ${tenantId}, 'cnv_' || n, case when n % 10 < 7 and n % 2000 > 20 then 'closed' else 'open' end, 'ses_' || n,
        case when n % 2000 = 0 then 'ibx_rare' when n % 2000 = 1 then 'ibx_sms' else 'ibx_' || n % 3 end, null,
        case when n % 2000 < 2 then null else 'user' end,
        case when n % 2000 = 2 then 'usr_1' when n % 2000 >= 2 then 'usr_' || 2 + n % 2 end,
        'team_' || case when n % 2000 = 3 then 3 else 1 + n % 2 end, case when n % 2000 = 4 then 4 end, n % 2000 = 5,
        case when n % 2000 = 6 then ${at}::timestamptz - n * interval '1 second' end,
        case when n % 2000 < 20 then 1 else 0 end, case when n % 2000 < 20 then now() end,
        case when n % 2000 = 7 then '{lbl_rare}'::text[] when n % 2 = 0 then '{lbl_common}' else '{}' end,
        ${at}::timestamptz - n * interval '1 minute', ${at}::timestamptz - ((n * 7919) % 20000) * interval '1 minute'
      from generate_series(1, 20000) n`)
    await db.run(sql`
      insert into conversation_labels (tenant_id, label_id, conversation_id)
      select tenant_id, unnest(label_ids), conversation_id from conversation_states where tenant_id = ${tenantId}`)
    await db.run(sql`
      insert into conversation_notes (tenant_id, id, conversation_id, session_id, position, author_type, author_id, text, mentions,
        media_ids, created_at, updated_at)
      select ${tenantId}, 'note_' || n, 'cnv_' || n, 'ses_' || n, 0, 'user', 'usr_2', 'look',
        case when n % 2000 = 8 then '{usr_1}'::text[] when n % 4 = 0 then '{usr_3}' else '{}' end, '{}', now(), now()
      from generate_series(1, 20000) n where n % 2 = 0`)
    await db.run(sql`
      insert into inboxes (tenant_id, id, channel, external_id, resource_id, name, config, created_by, created_at, updated_at)
      select ${tenantId}, id, case id when 'ibx_sms' then 'sms' else 'chatapp' end, id, id, id, '{}', '', now(), now()
      from unnest(array['ibx_rare', 'ibx_sms', 'ibx_0', 'ibx_1', 'ibx_2']) id`)
  })

  /** The largest number of rows that a step of the plan read. */
  async function rowsRead(list: (capture: Db) => unknown): Promise<number> {
    const statements: Sql[] = []
    const rows = (statement: Sql) => {
      statements.push(statement)
      return Promise.resolve([{ counts: [] }])
    }
    const search = (_tenantId: string, statement: Sql) => rows(statement)
    await list({ rows, search } as unknown as Db)
    const plan = await db.unprepared<{ 'QUERY PLAN': unknown }>(
      sql`explain (analyze, timing off, format json) ${statements[0]!}`,
    )
    const text = JSON.stringify(plan)
    const read = [...text.matchAll(/"Actual Rows":([\d.]+)[^{}]*?"Actual Loops":(\d+)/g)].map(
      ([, rows, loops]) => Number(rows) * Number(loops),
    )
    const removed = [...text.matchAll(/"Rows Removed by [A-Za-z ]+":(\d+)/g)].map(match => Number(match[1]))
    return Math.max(...read, ...removed)
  }

  const views: ConversationFilter[] = [
    { ownerId: 'me' },
    { ownerId: 'me', status: ['open'] },
    { ownerId: 'none', status: ['open'] },
    { ownerType: ['none'] },
    { teamId: 'team_1', status: ['open'], snoozed: false },
    { teamId: 'team_3' },
    { teamId: 'me', status: ['open'], snoozed: false },
    { mentioned: true },
    { mentioned: true, status: ['open'], snoozed: false },
    { mentioned: false, status: ['open'] },
    { labelIds: ['lbl_rare'] },
    { labelIds: ['lbl_common', 'lbl_rare'], status: ['open'] },
    { unread: true },
    { snoozed: true },
    { waiting: true },
    { priority: ['urgent'] },
    { priority: ['low', 'high'] },
    { channel: ['sms'] },
    { inboxId: 'ibx_rare', status: ['open'] },
    { inboxId: 'ibx_1', status: ['closed'] },
    { status: ['open'] },
    { status: ['closed'] },
  ]
  const byLastMessage = toSort({})

  async function expectFewRowsRead(): Promise<void> {
    const costly: unknown[] = []
    const limit = async (max: number, query: unknown, list: (on: Db) => unknown) => {
      const read = await rowsRead(list)
      if (read > max) costly.push([query, read])
    }
    for (const role of ['owner', 'agent'] as const)
      for (const filter of views) {
        const query = { viewer: viewer(role), filter }
        const list = (on: Db) => listConversations(on, query, byLastMessage, { limit: 20 })
        await limit(250, [role, filter], list)
        const after = [new Date(Date.parse(at) - 60_000 * 9_000).toISOString(), 'cnv_9000']
        const next = (on: Db) => listConversations(on, query, byLastMessage, { limit: 20, after })
        await limit(250, [role, filter, 'next page'], next)
        const count = (on: Db) => countConversations(on, [query], 101)
        await limit(1_200, [role, filter, 'count'], count)
      }
    for (const filter of [{}, { ownerId: 'none' }, { ownerId: 'me' }, { teamId: 'team_1' }]) {
      const query = { viewer: viewer('owner'), filter }
      const sort = toSort({ field: 'waitingSince' })
      await limit(250, [filter, sort], on => listConversations(on, query, sort, { limit: 20 }))
    }
    expect(costly).toEqual([])
  }

  const ago = (minutes: number) => new Date(Date.parse(at) - minutes * 60_000).toISOString()
  const listed: () => [ConversationFilter, Parameters<typeof toSort>[0]][] = () => [
    [{}, {}],
    [{ search: 'ada' }, {}],
    [
      { search: 'ada', status: ['open'] },
      { field: 'lastMessageAt', direction: 'asc' },
    ],
    [{ search: 'nobody' }, {}],
    [{ mentioned: true }, {}],
    [{ teamId: 'me', status: ['open'] }, {}],
    [{ labelIds: ['lbl_common'], ownerId: 'me' }, {}],
    [{ labelIds: ['lbl_rare', 'lbl_common'], ownerId: 'usr_2', status: ['closed'] }, {}],
    [{ labelIds: ['lbl_rare'], ownerId: 'usr_3' }, {}],
    [{ createdAfter: ago(20) }, {}],
    [{ createdBefore: ago(19_980) }, {}],
    [{ createdBefore: ago(19_900), status: ['open'] }, {}],
    [{ createdAfter: ago(19_000), createdBefore: ago(200), inboxId: 'ibx_1' }, {}],
    [{ updatedAfter: ago(20) }, {}],
    [{ updatedBefore: ago(19_980) }, {}],
    [{ updatedAfter: ago(19_990), teamId: 'team_3' }, {}],
    [{ updatedAfter: ago(20) }, { field: 'name' }],
    [
      { updatedAfter: ago(20), status: ['open'] },
      { field: 'createdAt', direction: 'asc' },
    ],
    [{ updatedAfter: ago(19_990), inboxId: 'ibx_rare' }, { field: 'name' }],
    [{ updatedAfter: ago(15_000), interacted: true }, { field: 'name' }],
    [
      { updatedAfter: ago(15_000), interacted: true },
      { field: 'createdAt', direction: 'asc' },
    ],
    ...(['name', 'createdAt', 'updatedAt'] as const).flatMap(field =>
      (['asc', 'desc'] as const).flatMap(
        (direction): [ConversationFilter, Parameters<typeof toSort>[0]][] => [
          [{}, { field, direction }],
          [
            { status: ['open'], teamId: 'team_1' },
            { field, direction },
          ],
          [
            { createdAfter: ago(9_000), status: ['closed'] },
            { field, direction },
          ],
          [{ inboxId: 'ibx_rare' }, { field, direction }],
          [
            { channel: ['sms'], status: ['open'] },
            { field, direction },
          ],
        ],
      ),
    ),
  ]

  test('each view and its count reads a small multiple of the rows it returns, without statistics', async () => {
    await expectFewRowsRead()
    const costly: unknown[] = []
    for (const role of ['owner', 'agent'] as const)
      for (const [filter, sort] of listed()) {
        const query = { viewer: viewer(role), filter }
        const read = await rowsRead(on => listConversations(on, query, toSort(sort), { limit: 20 }))
        // Without statistics the planner prefers to read the conversations of a small workspace once.
        const isOnce =
          sort.field === 'name' ||
          sort.field === 'createdAt' ||
          filter.search === 'nobody' ||
          filter.updatedAfter === ago(19_990)
        // 2,000 conversations of a label are counted first.
        const isCounted = filter.labelIds && filter.ownerId
        if (read > (isOnce ? 20_000 : isCounted ? 2_100 : 1_000)) costly.push([role, filter, sort, read])
      }
    expect(costly).toEqual([])
  })

  test('each filter reads a small multiple of the rows it returns, with statistics', async () => {
    for (const table of ['conversations', 'conversation_states', 'conversation_labels', 'conversation_notes'])
      await db.run(sql`analyze ${raw(table)}`)
    await expectFewRowsRead()
    for (const [filter, sort] of [
      [{ contactId: contactIds[0]! }, {}],
      [{ createdAfter: ago(20) }, {}],
      [{ createdBefore: ago(19_980) }, {}],
      [{ updatedAfter: ago(20) }, {}],
      [{ updatedAfter: ago(20) }, { field: 'name' }],
      [{ updatedBefore: ago(19_980) }, {}],
      [{ updatedAfter: ago(15_000) }, { field: 'updatedAt', direction: 'asc' }],
    ] as const) {
      const query = { viewer: viewer('owner'), filter }
      const list = (on: Db) => listConversations(on, query, toSort(sort), { limit: 20 })
      expect(await rowsRead(list), JSON.stringify(filter)).toBeLessThan(1_000)
    }
  })

  test('a list that its first rows do not fill is read on in its order', async () => {
    const filter = { updatedAfter: ago(15_000), interacted: true }
    for (const field of ['name', 'createdAt'] as const) {
      const query = { viewer: viewer('owner'), filter }
      const list = (on: Db) => listConversations(on, query, toSort({ field }), { limit: 20 })
      // 10,000 updates are counted first.
      expect(await rowsRead(list), field).toBeLessThan(12_000)
    }
  })

  test('the conversations of a label and an owner are counted by that which has few', async () => {
    const read = (filter: ConversationFilter) =>
      rowsRead(on => countConversations(on, [{ viewer: viewer('agent'), filter }], 10_001))
    // 2,000 of the label are counted first.
    expect(await read({ labelIds: ['lbl_common'], ownerId: 'me' })).toBeLessThan(2_100)
    expect(await read({ labelIds: ['lbl_rare'], ownerId: 'usr_3' })).toBeLessThan(100)
  })

  const columns = {
    lastMessageAt: 's.last_message_at',
    waitingSince: 's.waiting_since',
    createdAt: 'c.created_at',
    updatedAt: 's.updated_at',
    name: 'c.search',
  }

  test('pages have the conversations of a plain query in its order, whatever index they are read from', async () => {
    for (const role of ['owner', 'agent'] as const)
      for (const [filter, given] of listed()) {
        const sort = toSort(given)
        const { onState, onConversation } = buildConditions(viewer(role), filter)
        const [column, direction] = [raw(columns[sort.field]), raw(sort.direction)]
        const expected = await db.values<string>(sql`
          select c.id from conversations c join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
          where ${and([sql`c.tenant_id = ${tenantId}`, ...onState, ...onConversation])}
          order by ${column} ${direction}, c.id ${direction} limit 95`)
        const found: string[] = []
        let after: unknown[] | undefined
        do {
          const page = { limit: 30, ...(after ? { after } : {}) } as Parameters<typeof listConversations>[3]
          const rows = await listConversations(db, { viewer: viewer(role), filter }, sort, page)
          found.push(...rows.slice(0, 30).map(({ id }) => id))
          const last = rows[29]
          after = rows.length > 30 && last ? [last.sortValue, last.id] : undefined
        } while (after && found.length < 95)
        expect(found.slice(0, 95), JSON.stringify([role, filter, given])).toEqual(expected)
        const counted = await countConversations(db, [{ viewer: viewer(role), filter }], 30_000)
        const { n } = await db.one<{ n: number }>(sql`
          select count(*)::int as n from conversations c
          join conversation_states s on s.tenant_id = c.tenant_id and s.conversation_id = c.id
          where ${and([sql`c.tenant_id = ${tenantId}`, ...onState, ...onConversation])}`)
        expect(counted).toEqual([n])
      }
  })
})
