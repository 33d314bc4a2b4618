/** Tests the filters of conversation lists, and that their cost does not grow with the workspace. */
import { beforeAll, expect, test } from 'vitest'
import { listConversations } from '../../src/conversations/store/conversation-pages.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { raw, type Sql, sql } from '../../src/platform/db/sql.ts'
import type { Client, Workspace } from '../harness/api.ts'
import { testService } from '../harness/service.ts'

const service = await testService()
const { clock, db } = service.deps
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

test('each filter reads about as many rows as it returns, among twenty thousand conversations', async () => {
  const { tenantId, owner: other } = await service.workspace()
  const at = clock.now().toISOString()
  const contacts = await Promise.all(
    Array.from({ length: 20 }, () => other.post('/contacts', { name: 'Ada' })),
  )
  const contactIds: string[] = contacts.map(({ body }) => body.id)
  await db.run(sql`
    with created as (
      insert into conversations (tenant_id, id, channel, external_id, contact_id, created_at)
      select ${tenantId}, 'cnv_' || n, 'chatapp', 'x' || n, (${contactIds}::text[])[case when n % 2000 = 0 then 1 else 2 + n % 19 end],
        ${at}::timestamptz - n * interval '1 minute' from generate_series(1, 20000) n
    )
    insert into conversation_states (tenant_id, conversation_id, status, session_id, inbox_id, contact_id,
      last_message_at, updated_at)
    select ${tenantId}, 'cnv_' || n, 'open', 'ses_' || n, case when n % 2000 = 0 then 'ibx_rare' else 'ibx_' || n % 3 end, null,
      ${at}::timestamptz - n * interval '1 minute', ${at}::timestamptz - ((n * 7919) % 20000) * interval '1 minute'
    from generate_series(1, 20000) n`)
  for (const table of ['conversations', 'conversation_states']) await db.run(sql`analyze ${raw(table)}`)
  const ago = (minutes: number) => new Date(Date.parse(at) - minutes * 60_000).toISOString()
  for (const filter of [
    { contactId: contactIds[0]! },
    { inboxId: 'ibx_rare' },
    { inboxId: 'ibx_1' },
    { createdAfter: ago(20) },
    { createdBefore: ago(19_980) },
    { updatedAfter: ago(20) },
    { updatedBefore: ago(19_980) },
    { updatedAfter: ago(15_000), sort: 'updatedAt' as const, direction: 'asc' as const },
  ]) {
    const statements: Sql[] = []
    const search = (_tenantId: string, statement: Sql) => statements.push(statement)
    const capture = { search } as unknown as Db
    const viewer = { tenantId, id: 'usr_1', role: 'owner' as const, teamIds: [] }
    const query = { sort: 'lastMessageAt' as const, direction: 'desc' as const, ...filter }
    listConversations(capture, viewer, query, { limit: 20 })
    const plan = await db.unprepared<{ 'QUERY PLAN': unknown }>(
      sql`explain (analyze, timing off, format json) ${statements[0]!}`,
    )
    const text = JSON.stringify(plan)
    const read = [...text.matchAll(/"Actual Rows":(\d+)[^{}]*?"Actual Loops":(\d+)/g)].map(
      ([, rows, loops]) => Number(rows) * Number(loops),
    )
    const removed = [...text.matchAll(/"Rows Removed by [A-Za-z ]+":(\d+)/g)].map(match => Number(match[1]))
    expect(Math.max(...read, ...removed), JSON.stringify(filter)).toBeLessThan(1_000)
  }
})
