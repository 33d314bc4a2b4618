/** Tests the message search over HTTP: languages, highlights, filters, visibility, edits, erasure and old messages. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { queryable } from '../../platform/db/db.ts'
import { sql, toStatement } from '../../platform/db/sql.ts'
import { loadFound } from '../store/messages/message-search.ts'
import { backfillSearch } from './index-messages.ts'

const api = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let conversationId: string
let numbers = 1000
const newNumber = () => `7801${numbers++}`

async function start(client: Client, inbox: string, phoneNumber: string, body: string) {
  const content = { type: 'text', text: { body } }
  const recipient = { type: 'phone', phoneNumber }
  return (await client.post('/messages', { recipient, inboxId: inbox, content })).body
}

const reply = async (text: string): Promise<string> =>
  (
    await owner.post(`/conversations/${conversationId}/messages`, {
      content: { type: 'text', text: { body: text } },
    })
  ).body.message.id

async function search(q: string, filters: Record<string, string> = {}, client = owner) {
  const { status, body } = await client.get(`/messages/search?${new URLSearchParams({ q, ...filters })}`)
  expect([status, body.violations]).toEqual([200, undefined])
  return body.items
}

const found = (q: string, filters: Record<string, string> = {}, client = owner): Promise<string[]> =>
  search(q, filters, client).then(items => items.map(({ id }: { id: string }) => id))

beforeEach(async () => {
  workspace = await api.workspace('Harbor Lights')
  owner = workspace.owner
  const chatapp = { resourceIds: ['7801'], phoneNumberIds: [newNumber(), newNumber()] }
  const { inboxes } = (await owner.post('/inboxes', { chatapp })).body
  inboxId = inboxes[0].id
  conversationId = (await start(owner, inboxId, '+14155578001', 'Welcome aboard')).conversation.id
})

describe('words', () => {
  test('200 finds words and beginnings of words, newest first, with highlights and pages', async () => {
    const ids: string[] = []
    for (const text of ['Your order ORD-4711 has shipped', 'Shipping is free', 'The ship, ähm, sank'])
      ids.unshift(await reply(text))
    await eventually(async () => expect(await found('ship')).toEqual(ids))
    expect(await found('SHIP order')).toEqual([ids[2]])
    expect(await found('ord-4711')).toEqual([ids[2]])
    expect(await found('Ähm')).toEqual([ids[0]])
    expect(await found('hipp')).toEqual([])
    const [item] = await search('shipp ord-47')
    expect(item).toMatchObject({ type: 'message', id: ids[2], conversationId, inboxId, senderType: 'user' })
    const marked = item.highlights.map(({ start, end }: { start: number; end: number }) =>
      item.text.slice(start, end),
    )
    expect(marked).toEqual(['ORD-4711', 'shipped'])
    const first = (await owner.get('/messages/search?q=ship&limit=2')).body
    expect([first.items.length, first.hasMore]).toEqual([2, true])
    const second = (await owner.get(`/messages/search?q=ship&limit=2&cursor=${first.nextCursor}`)).body
    expect([second.items[0].id, second.hasMore]).toEqual([ids[2], false])
  })

  test.each([
    ['Chinese', '我想取消昨天的订单，谢谢', ['取消', '订单', '天', '昨天的订'], ['单订']],
    ['Japanese', 'コーヒーメーカーがこわれました', ['メーカー', 'こわれ', 'がこ'], ['カメ']],
    ['Thai', 'ขอบคุณครับสินค้าดีมาก', ['สินค้า', 'ครับ', 'ดีมาก'], ['มากดี']],
    ['Korean', '배송이 언제 오나요', ['배송', '언제'], ['송배']],
  ])('200 finds any part of %s text', async (_, text, parts, others) => {
    const id = await reply(text)
    for (const part of parts) await eventually(async () => expect(await found(part), part).toContain(id))
    for (const part of others) expect(await found(part), part).not.toContain(id)
    const [item] = await search(parts[0]!)
    const { start, end } = item.highlights[0]
    expect(item.text.slice(start, end).startsWith(parts[0])).toBe(true)
  })

  test('200 returns the part of a long text with the match', async () => {
    const id = await reply(`${'filler '.repeat(200)}needle ${'filler '.repeat(200)}`)
    await eventually(async () => expect(await found('needle')).toEqual([id]))
    const [{ text, highlights }] = await search('needle')
    expect(text.length).toBeLessThan(260)
    expect(text.slice(highlights[0].start, highlights[0].end)).toBe('needle')
  })

  test.each(['😀', '!?', ' '])('400 for %j, which has no letter and no digit', async q => {
    const { status, body } = await owner.get(`/messages/search?${new URLSearchParams({ q })}`)
    expect([status, body.violations[0].field]).toEqual([400, 'q'])
  })

  test('200 for a text that looks like a query or has quotes', async () => {
    const id = await reply(`it's a 'quoted' \\ back:* & slash | <-> !thing`)
    await eventually(async () =>
      expect(await found(`it's 'quoted' \\ back:* & slash | !thing`)).toEqual([id]),
    )
  })
})

describe('filters and visibility', () => {
  test('200 filters by inbox, sender and time; notes are searched as a type of their own', async () => {
    const { body } = await owner.get('/inboxes')
    const otherInbox = body.inboxes.find(({ id }: { id: string }) => id !== inboxId).id
    const mine = await reply('lighthouse one')
    const other = (await start(owner, otherInbox, '+14155578002', 'lighthouse two')).message.id
    const from = '+14155578003'
    const content = { type: 'text', text: { body: 'lighthouse three' } }
    await owner.post('/sandbox/inbound', { inboxId, from, content })
    const note = (await owner.post(`/conversations/${conversationId}/notes`, { text: 'lighthouse note' }))
      .body
    await eventually(async () => expect(await found('lighthouse')).toHaveLength(3))
    expect(await found('lighthouse', { inboxId: otherInbox })).toEqual([other])
    expect(await found('lighthouse', { senderType: 'user' })).toEqual([other, mine])
    expect(await search('lighthouse', { senderType: 'customer' })).toMatchObject([
      { text: 'lighthouse three', conversationName: expect.any(String) },
    ])
    const [{ createdAt }] = await search('lighthouse', { inboxId: otherInbox })
    expect(await found('lighthouse', { before: createdAt })).toEqual([mine])
    expect(await found('lighthouse', { after: createdAt })).not.toContain(mine)
    expect(await found('lighthouse', { after: '2999-01-01T00:00:00Z' })).toEqual([])
    await eventually(async () => expect(await found('lighthouse', { type: 'note' })).toEqual([note.id]))
    await owner.patch(`/notes/${note.id}`, { text: 'beacon' })
    await eventually(async () => expect(await found('beacon', { type: 'note' })).toEqual([note.id]))
    expect(await found('lighthouse', { type: 'note' })).toEqual([])
    await owner.delete(`/notes/${note.id}`)
    expect(await found('beacon', { type: 'note' })).toEqual([])
  })

  test('200 returns only messages of conversations that the caller can see', async () => {
    const hidden = await start(owner, inboxId, '+14155578004', 'submarine')
    const outsider = await workspace.user('agent')
    const member = await workspace.user('agent', [workspace.teamId])
    await owner.put(`/conversations/${hidden.conversation.id}/owner`, { type: 'team', id: workspace.teamId })
    await eventually(async () => expect(await found('submarine')).toEqual([hidden.message.id]))
    expect(await found('submarine', {}, member)).toEqual([hidden.message.id])
    expect(await found('submarine', {}, outsider)).toEqual([])
    expect(await found('submarine', {}, (await api.workspace()).owner)).toEqual([])
  })

  test('an erased contact leaves no words', async () => {
    const { message, conversation } = await start(owner, inboxId, '+14155578005', 'zeppelin')
    await eventually(async () => expect(await found('zeppelin')).toEqual([message.id]))
    await owner.post(`/contacts/${conversation.contactId}/erase`)
    await eventually(async () => expect(await found('zeppelin')).toEqual([]))
    const rows = await api.deps.db.rows(sql`select from message_search where id = ${message.id}`)
    expect(rows).toEqual([])
  })
})

describe('old messages', () => {
  test('the backfill indexes them, and a search finds rare and common words in any month', async () => {
    const old = await api.workspace()
    const chatapp = { resourceIds: ['7802'], phoneNumberIds: [newNumber()] }
    const { inboxes } = (await old.owner.post('/inboxes', { chatapp })).body
    const { message } = await start(old.owner, inboxes[0].id, '+14155578010', 'latest')
    await api.deps.db.run(sql`
      insert into messages (tenant_id, id, conversation_id, position, session_id, inbox_id, direction, sender_type, sender_id,
        content, status, created_at, updated_at)
      select tenant_id, 'msg_' || lpad(i::text, 6, '0'), conversation_id, 1 + i, session_id, inbox_id, direction, sender_type,
        sender_id, json_build_object('type', 'text', 'text', json_build_object('body', 'common' ||
          case when i % 1000 = 500 then ' rare' else '' end)), 'sent', created_at - i * interval '5 hours', updated_at
      from messages, generate_series(1, 4000) as i where id = ${message.id}`)
    await api.deps.db.run(sql`insert into search_backfills (tenant_id) values (${old.tenantId})`)
    await backfillSearch.job.handle(api.deps, { at: '' }, { holdsLease: () => true } as never)
    const at = (i: number) => `msg_${String(i).padStart(6, '0')}`
    expect(await found('rare', {}, old.owner)).toEqual([at(500), at(1500), at(2500), at(3500)])
    expect(await found('common', { limit: '2' }, old.owner)).toEqual([at(1), at(2)])
    const first = (await old.owner.get('/messages/search?q=rare%20common&limit=3')).body
    const second = await found('rare common', { limit: '3', cursor: first.nextCursor }, old.owner)
    expect(second).toEqual([at(3500)])
    const left = await api.deps.db.rows(sql`select from search_backfills where tenant_id = ${old.tenantId}`)
    expect(left).toEqual([])
  })

  test('the rows of a page are looked up by key, whatever the planner expects of the tables', async () => {
    const { tenantId } = workspace
    const viewer = { tenantId, id: owner.id, role: 'owner', teamIds: [] } as const
    const scope = { viewer, type: 'message', from: { at: 'infinity', id: '~' } } as const
    const plan = await api.deps.db.withClient(async client => {
      await client.query('begin')
      await client.query('set local enable_nestloop = off')
      const lines: string[] = []
      const explain = queryable(async query => {
        const { text, values } = toStatement(query)
        const result = await client.query(`explain ${text}`, values)
        lines.push(...result.rows.map(row => row['QUERY PLAN']))
        return { ...result, rows: [] }
      })
      await loadFound(explain, scope, ['msg_1', 'msg_2'])
      await client.query('rollback')
      return lines.join('\n')
    })
    expect(plan).toContain('messages')
    expect(plan).not.toMatch(/Hash Join|Merge Join/)
  })
})
