import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { linkConversations, recordChats, recordInteractions } from '../activity.ts'
import { listStoredEvents } from '../testing/imports.ts'

const api = await testApi()

let phones = 0
const phone = () => `+1415${7_000_000 + phones++}`

async function make(owner: Client, body: object): Promise<string> {
  const answer = await owner.post('/contacts', body)
  expect(answer.status).toBe(201)
  return answer.body.id
}

const link = (tenantId: string, contactId: string, conversationId: string, teamId: string | null) =>
  transact(api.deps.db, tx =>
    linkConversations(tx, tenantId, [
      {
        contactId,
        conversationId,
        channel: 'chatapp',
        phone: null,
        teamId,
        ownerId: null,
      },
    ]),
  )

describe('POST /contacts/{id}/merge', () => {
  test('the survivor keeps its data and gets missing data', async () => {
    const { owner, tenantId } = await api.workspace()
    const field = (await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })).body
    const [a, b, c] = [phone(), phone(), phone()]
    const from = await make(owner, {
      name: 'Ada',
      phone: a,
      customFields: { cf_email: 'old@example.com', plan: 'gold' },
    })
    const into = await make(owner, { phone: b, customFields: { cf_email: 'new@example.com' } })
    const [x, y] = [
      (await owner.post('/tags', { name: 'x' })).body.id,
      (await owner.post('/tags', { name: 'y' })).body.id,
    ]
    for (const tag of [x, y]) await owner.post(`/contacts/${from}/tags/${tag}`)
    await owner.post(`/contacts/${into}/tags/${y}`)
    await owner.put(`/contacts/${from}/opt-outs/sms`)
    const before = (await listStoredEvents(api, tenantId)).length

    const answer = await owner.post(`/contacts/${from}/merge`, { intoContactId: into })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: into,
      name: 'Ada',
      customFields: { cf_email: 'new@example.com', plan: 'gold' },
      tagIds: [x, y].sort(),
      optOuts: ['sms'],
    })
    const numbers = answer.body.identities.map((identity: { metadata: object }) => identity.metadata)
    expect(numbers).toEqual([{ phoneNumber: b }, { phoneNumber: a }])

    expect((await owner.get(`/contacts/${from}`)).body).toEqual(answer.body)
    expect((await owner.get('/contacts')).body.contacts).toEqual([answer.body])
    expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: 1 })
    const { tags } = (await owner.get('/tags')).body
    expect(tags.map((tag: { labeledCount: number }) => tag.labeledCount)).toEqual([1, 1])
    for (const text of ['Ada', a, 'new@'])
      expect(
        (await owner.get(`/contacts?search=${encodeURIComponent(text)}`)).body.contacts,
        text,
      ).toHaveLength(1)
    expect((await owner.get('/contacts?customFields[plan]=gold')).body.contacts).toHaveLength(1)
    expect((await owner.post('/contacts', { phone: a })).body).toMatchObject({ status: 409, contactId: into })
    expect((await owner.patch(`/contacts/${from}`, { phone: c })).body.id).toBe(into)

    expect((await listStoredEvents(api, tenantId)).slice(before, before + 2)).toMatchObject([
      {
        type: 'contact.archived',
        data: { contact: { id: from, deletedAt: expect.any(String), mergedInto: into } },
      },
      {
        type: 'contact.updated',
        data: {
          contact: { id: into, name: 'Ada' },
          changes: ['name', 'phone', 'tagIds', 'customFields'],
          contactChanges: { name: true, phone: true, fieldIds: [field.id], addedTagIds: [x] },
        },
      },
    ])
  })

  test('history moves: conversations, chats and the times of messages', async () => {
    const { owner, tenantId, teamId } = await api.workspace()
    const [from, into] = [await make(owner, { name: 'A' }), await make(owner, { name: 'B' })]
    await link(tenantId, from, 'cnv_a', teamId)
    await link(tenantId, into, 'cnv_b', null)
    await transact(api.deps.db, async tx => {
      for (const [contactId, at] of [
        [from, '2026-01-01T00:00:00.000Z'],
        [into, '2026-02-01T00:00:00.000Z'],
        [from, '2026-03-01T00:00:00.000Z'],
      ] as const) {
        await recordInteractions(tx, tenantId, [{ contactId, at }])
        await recordChats(tx, tenantId, [{ contactId, sessionId: `ses_${at}`, at }])
      }
    })
    await owner.post(`/contacts/${from}/merge`, { intoContactId: into })
    const activity = await api.deps.db.rows(sql`
      select contact_id, first_seen_at, last_interaction_at, chat_count, conversation_count from contact_activity
      where tenant_id = ${tenantId}`)
    expect(activity).toEqual([
      {
        contact_id: into,
        first_seen_at: '2026-01-01T00:00:00.000Z',
        last_interaction_at: '2026-03-01T00:00:00.000Z',
        chat_count: 3,
        conversation_count: 2,
      },
    ])
    const chats = await api.deps.db.rows(
      sql`select contact_id from contact_chats where tenant_id = ${tenantId}`,
    )
    expect(chats).toEqual([{ contact_id: into }, { contact_id: into }, { contact_id: into }])
  })

  test('aliases of aliases resolve to the last survivor', async () => {
    const { owner } = await api.workspace()
    const [a, b, c] = [
      await make(owner, { name: 'A' }),
      await make(owner, { name: 'B' }),
      await make(owner, { name: 'C' }),
    ]
    await owner.post(`/contacts/${a}/merge`, { intoContactId: b })
    await owner.post(`/contacts/${b}/merge`, { intoContactId: c })
    for (const id of [a, b, c]) expect((await owner.get(`/contacts/${id}`)).body.id).toBe(c)
    expect((await owner.post(`/contacts/${a}/merge`, { intoContactId: c })).body.id).toBe(c)
    await owner.delete(`/contacts/${a}`)
    for (const id of [a, b, c]) expect((await owner.get(`/contacts/${id}`)).status).toBe(404)
  })

  test('400 into itself, 404 if either does not exist or is not visible', async () => {
    const { owner, tenantId, teamId, user } = await api.workspace()
    const stranger = await make((await api.workspace()).owner, { name: 'S' })
    const [a, b] = [await make(owner, { name: 'A' }), await make(owner, { name: 'B' })]
    expect(await owner.post(`/contacts/${a}/merge`, { intoContactId: a })).toMatchObject({
      status: 400,
      body: { violations: [{ field: 'intoContactId' }] },
    })
    for (const [from, into] of [
      [a, stranger],
      [stranger, a],
      ['nothing', a],
    ])
      expect((await owner.post(`/contacts/${from}/merge`, { intoContactId: into })).status).toBe(404)
    await link(tenantId, b, 'cnv_hidden', teamId)
    const agent = await user('agent')
    for (const [from, into] of [
      [a, b],
      [b, a],
    ])
      expect((await agent.post(`/contacts/${from}/merge`, { intoContactId: into })).status).toBe(404)
    const member = await user('agent', [teamId])
    expect((await member.post(`/contacts/${a}/merge`, { intoContactId: b })).status).toBe(200)
  })

  test('opposite concurrent merges leave one contact with all data', async () => {
    const { owner } = await api.workspace()
    for (let round = 0; round < 5; round++) {
      const numbers = Array.from({ length: 4 }, phone)
      const ids: string[] = []
      for (const number of numbers) ids.push(await make(owner, { name: number, phone: number }))
      const pairs = ids.flatMap(from => ids.filter(into => into !== from).map(into => [from, into] as const))
      const answers = await Promise.all(
        pairs.map(([from, into]) => owner.post(`/contacts/${from}/merge`, { intoContactId: into })),
      )
      expect(answers.map(answer => answer.status)).toEqual(pairs.map(() => 200))
      const shown = await Promise.all(ids.map(async id => (await owner.get(`/contacts/${id}`)).body))
      expect(new Set(shown.map(contact => contact.id)).size).toBe(1)
      const held = shown[0].identities.map(
        (identity: { metadata: { phoneNumber: string } }) => identity.metadata.phoneNumber,
      )
      expect(held.sort()).toEqual(numbers.sort())
      expect((await owner.get('/contacts/count')).body).toEqual({ totalSize: round + 1 })
    }
  })
})
