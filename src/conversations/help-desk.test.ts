/** Tests the state of conversations that a help desk works with: waiting, read state, owner, snooze, priority. */
import { beforeAll, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'

const service = await testService()
const { clock } = service.deps
let workspace: Workspace
let owner: Client
let inboxId: string
let phones = 0

const text = (body: string) => ({ type: 'text', text: { body } })
const read = async (id: string, client = owner) => (await client.get(`/conversations/${id}`)).body

beforeAll(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5551'], phoneNumberIds: ['5550801'] },
  })
  inboxId = body.inboxes[0].id
})

/** Lets the customer write; returns the conversation once it has the message. */
async function receive(from: string, body: string) {
  await owner.post('/sandbox/inbound', { inboxId, from, content: text(body) })
  const [found] = await until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations,
    rows => rows[0]?.lastMessagePreview === body,
  )
  return found
}

let names = 0
/** Returns a name that no other test and no other run of the test uses. */
const newName = (name: string) => `${name} ${++names}`

const newPhone = () => `+1415556${String(1000 + phones++)}`

async function reply(id: string, body = 'Hello'): Promise<void> {
  const { status } = await owner.post(`/conversations/${id}/messages`, { content: text(body) })
  expect(status).toBe(202)
}

/** The events of a conversation, oldest first. */
async function eventsOf(id: string, type: string) {
  const rows = (await owner.get('/events?limit=500')).body.events as {
    type: string
    data: { conversation: { id: string }; changes?: string[] }
  }[]
  return rows.filter(event => event.type === type && event.data.conversation?.id === id)
}

test('200 with the times of the session, of waiting and of the window', async () => {
  const from = newPhone()
  const first = await receive(from, 'one')
  expect(first).toMatchObject({
    teamId: null,
    labelIds: [],
    priority: null,
    snoozed: false,
    snoozedUntil: null,
    closedAt: null,
    unreadCount: 1,
    lastReadMessageId: null,
    lastMessageSenderId: null,
    contact: { id: first.contactId, optOuts: [] },
  })
  expect(first.waitingSince).toBe(first.lastMessageAt)
  expect(Date.parse(first.windowExpiresAt)).toBe(Date.parse(first.lastMessageAt) + 24 * 3_600_000)
  clock.advance(60_000)
  const second = await receive(from, 'two')
  expect(second).toMatchObject({
    waitingSince: first.waitingSince,
    unreadCount: 2,
    openedAt: first.openedAt,
  })
  await reply(first.id)
  const replied = await read(first.id)
  expect(replied).toMatchObject({
    waitingSince: null,
    unreadCount: 0,
    lastMessageSenderId: owner.id,
    lastMessageFailed: false,
    windowExpiresAt: second.windowExpiresAt,
  })
  expect(replied.lastReadMessageId).toMatch(/^msg_/)
  clock.advance(60_000)
  await receive(from, 'STOP')
  expect(await read(first.id)).toMatchObject({ contact: { optOuts: ['chatapp'] }, unreadCount: 1 })
  await owner.post(`/conversations/${first.id}/close`)
  const closed = await read(first.id)
  expect(closed).toMatchObject({ status: 'closed', waitingSince: null, openedAt: first.openedAt })
  expect(closed.closedAt > first.openedAt).toBe(true)
  clock.advance(60_000)
  const again = await receive(from, 'START')
  expect(again).toMatchObject({ id: first.id, closedAt: null, waitingSince: again.lastMessageAt })
  expect(again.openedAt > closed.closedAt).toBe(true)
})

test('200 with unread messages since the user joined, for each user', async () => {
  const from = newPhone()
  const { id } = await receive(from, 'before')
  const agent = await workspace.user('agent')
  expect(await read(id, agent)).toMatchObject({ unreadCount: 0 })
  clock.advance(1_000)
  await receive(from, 'after')
  expect(await read(id, agent)).toMatchObject({ unreadCount: 1 })
  expect(await read(id)).toMatchObject({ unreadCount: 2, lastReadMessageId: null })
  const { messages } = (await owner.get(`/conversations/${id}/messages`)).body
  await agent.post(`/conversations/${id}/read`, { lastMessageId: messages[0].id })
  expect(await read(id, agent)).toMatchObject({ unreadCount: 0, lastReadMessageId: messages[0].id })
  expect(await read(id)).toMatchObject({ unreadCount: 2 })
})

test('message.created shows the conversation as it is after the message', async () => {
  const from = newPhone()
  const { id, waitingSince, windowExpiresAt } = await receive(from, 'one')
  await reply(id)
  const events = await until(
    () => eventsOf(id, 'message.created'),
    found => found.length === 2,
  )
  const states = events.map(event => event.data.conversation)
  expect(states).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ waitingSince, windowExpiresAt, snoozed: false }),
      expect.objectContaining({ waitingSince: null, windowExpiresAt, lastMessageSender: 'user' }),
    ]),
  )
  for (const state of states) expect(state).not.toHaveProperty('unreadCount')
})

const changesOf = async (id: string) =>
  (await eventsOf(id, 'conversation.updated')).map(event => event.data.changes)

test('200 with each kind of owner; 400 for an owner that does not exist', async () => {
  const { id } = await receive(newPhone(), 'hello')
  const setOwner = (body: object) => owner.put(`/conversations/${id}/owner`, body)
  const agent = await workspace.user('agent')
  const outsider = await workspace.user('agent')
  const { body: team } = await owner.post('/teams', { name: newName('Second level') })
  await owner.put(`/teams/${team.id}/members/${agent.id}`)
  expect(await setOwner({ type: 'team', id: team.id })).toMatchObject({
    status: 200,
    body: { teamId: team.id, activeOwner: { type: 'team', id: team.id } },
  })
  expect((await outsider.get(`/conversations/${id}`)).status).toBe(404)
  expect((await outsider.put(`/conversations/${id}/owner`, { type: 'none' })).status).toBe(404)
  expect(await setOwner({ type: 'user', id: agent.id })).toMatchObject({
    body: { teamId: team.id, activeOwner: { type: 'user', id: agent.id } },
  })
  expect(await setOwner({ type: 'none' })).toMatchObject({ body: { teamId: team.id, activeOwner: null } })
  for (const [type, code] of [
    ['user', 'unknown_user'],
    ['team', 'unknown_team'],
    ['bot', 'unknown_bot'],
  ])
    expect(await setOwner({ type, id: 'x' })).toMatchObject({ status: 400, body: { violations: [{ code }] } })
  expect((await setOwner({ type: 'user' })).status).toBe(400)
  const changes = await until(
    () => changesOf(id),
    found => found.length === 3,
  )
  expect(changes).toEqual([['activeOwner', 'teamId'], ['activeOwner'], ['activeOwner']])
})

test('200 reopened with its session, team and owner', async () => {
  const from = newPhone()
  const { id } = await receive(from, 'hello')
  const { body: team } = await owner.post('/teams', { name: newName('Third level') })
  await owner.put(`/conversations/${id}/owner`, { type: 'team', id: team.id })
  await owner.put(`/conversations/${id}/owner`, { type: 'user', id: owner.id })
  const before = await read(id)
  await owner.post(`/conversations/${id}/close`)
  const { status, body } = await owner.post(`/conversations/${id}/reopen`)
  expect(status).toBe(200)
  const { status: open, openedAt, activeOwner, teamId } = before
  expect(body).toMatchObject({ status: open, openedAt, activeOwner, teamId, closedAt: null })
  expect((await owner.delete(`/teams/${team.id}`)).status).toBe(409)
  expect((await owner.post(`/conversations/${id}/reopen`)).body).toEqual(body)
  await owner.post(`/conversations/${id}/close`)
  expect((await owner.delete(`/teams/${team.id}`)).status).toBe(204)
  expect((await owner.post(`/conversations/${id}/reopen`)).body).toMatchObject({ activeOwner, teamId: null })
  await reply(id)
})

test('200 snoozed until a time, then awake; the customer wakes it earlier', async () => {
  const from = newPhone()
  const { id } = await receive(from, 'hello')
  const snooze = (body: object) => owner.put(`/conversations/${id}/snooze`, body)
  expect((await snooze({})).status).toBe(400)
  expect((await snooze({ until: '2020-01-01T00:00:00Z' })).status).toBe(400)
  const until1 = new Date(clock.now().getTime() + 3_600_000).toISOString()
  expect((await snooze({ until: until1, untilReply: true })).status).toBe(400)
  expect(await snooze({ until: until1 })).toMatchObject({
    status: 200,
    body: { snoozed: true, snoozedUntil: until1 },
  })
  expect(await snooze({ untilReply: true })).toMatchObject({ body: { snoozed: true, snoozedUntil: null } })
  await reply(id)
  expect(await read(id)).toMatchObject({ snoozed: true })
  expect(await receive(from, 'again')).toMatchObject({ snoozed: false, snoozedUntil: null })
  const until2 = new Date(clock.now().getTime() + 1_500).toISOString()
  await snooze({ until: until2 })
  await until(
    () => read(id),
    found => !found.snoozed,
  )
  await snooze({ until: until1 })
  expect((await owner.delete(`/conversations/${id}/snooze`)).body).toMatchObject({ snoozed: false })
  await snooze({ until: until1 })
  await owner.post(`/conversations/${id}/close`)
  expect(await read(id)).toMatchObject({ snoozed: false, snoozedUntil: null })
  expect((await snooze({ untilReply: true })).body.code).toBe('conversation_closed')
  const changes = await until(
    () => changesOf(id),
    found => found.length === 8,
  )
  expect(new Set(changes.flat())).toEqual(new Set(['snoozed', 'snoozedUntil']))
})

test('200 with a priority, and none again', async () => {
  const { id } = await receive(newPhone(), 'hello')
  const set = (priority: string | null) => owner.put(`/conversations/${id}/priority`, { priority })
  expect(await set('urgent')).toMatchObject({ status: 200, body: { priority: 'urgent' } })
  expect((await set('urgent')).status).toBe(200)
  expect((await set('highest')).status).toBe(400)
  expect(await set(null)).toMatchObject({ body: { priority: null } })
  const changes = await until(
    () => changesOf(id),
    found => found.length === 2,
  )
  expect(changes).toEqual([['priority'], ['priority']])
})

test('200 marked as unread from a message on, which never reads anything', async () => {
  const from = newPhone()
  const { id } = await receive(from, 'one')
  await receive(from, 'two')
  await receive(from, 'three')
  const { messages } = (await owner.get(`/conversations/${id}/messages`)).body
  const [three, two, one] = messages.map((message: { id: string }) => message.id)
  const unread = (query = '') => owner.delete(`/conversations/${id}/read${query}`)
  expect((await unread(`?from=${two}`)).body).toMatchObject({ unreadCount: 3, lastReadMessageId: null })
  await owner.post(`/conversations/${id}/read`, { lastMessageId: three })
  const counted = (await owner.get('/users/me/unread-summary')).body
  expect((await unread()).body).toMatchObject({ unreadCount: 1, lastReadMessageId: two })
  expect((await unread(`?from=${two}`)).body).toMatchObject({ unreadCount: 2, lastReadMessageId: one })
  expect((await unread(`?from=${three}`)).body).toMatchObject({ unreadCount: 2 })
  expect((await unread(`?from=${one}`)).body).toMatchObject({ unreadCount: 3, lastReadMessageId: null })
  const recounted = (await owner.get('/users/me/unread-summary')).body
  expect(recounted.count - counted.count).toBe(3)
  expect(recounted.version).toBeGreaterThan(counted.version)
  expect((await unread('?from=msg_x')).status).toBe(400)
})

test('200 labelled, 404 for a deleted label, which disappears from conversations', async () => {
  const { id } = await receive(newPhone(), 'hello')
  const [billing, bills, refund] = [newName('Billing'), newName('Bills'), newName('Refund')]
  const created = await owner.post('/labels', { name: ` ${billing} `, color: '#2B59C3' })
  expect(created).toMatchObject({ status: 201, body: { name: billing, color: '#2b59c3' } })
  const { body: other } = await owner.post('/labels', { name: refund })
  const taken = [
    await owner.post('/labels', { name: billing.toUpperCase() }),
    await owner.patch(`/labels/${other.id}`, { name: billing.toLowerCase() }),
  ]
  expect(taken.map(({ body }) => body.code)).toEqual(['label_name_taken', 'label_name_taken'])
  expect((await owner.post('/labels', { name: 'Red', color: 'red' })).status).toBe(400)
  const renamed = await owner.patch(`/labels/${created.body.id}`, { name: bills })
  expect(renamed.body).toMatchObject({ name: bills, color: '#2b59c3' })
  const agent = await workspace.user('agent')
  expect((await agent.post('/labels', { name: 'Mine' })).status).toBe(403)
  const labelled = await agent.put(`/conversations/${id}/labels/${created.body.id}`)
  expect(labelled).toMatchObject({ status: 200, body: { labelIds: [created.body.id] } })
  await owner.put(`/conversations/${id}/labels/${created.body.id}`)
  await owner.put(`/conversations/${id}/labels/${other.id}`)
  expect((await owner.delete(`/conversations/${id}/labels/${other.id}`)).body.labelIds).toEqual([
    created.body.id,
  ])
  expect((await owner.delete(`/labels/${created.body.id}`)).status).toBe(204)
  expect((await owner.put(`/conversations/${id}/labels/${created.body.id}`)).status).toBe(404)
  const { labels } = (await owner.get('/labels')).body as { labels: { name: string }[] }
  expect(labels.map(({ name }) => name).filter(name => [billing, bills, refund].includes(name))).toEqual([
    refund,
  ])
  await until(
    () => read(id),
    found => found.labelIds.length === 0,
  )
  const changes = await until(
    () => changesOf(id),
    found => found.length === 4,
  )
  expect(changes.flat()).toEqual(Array(4).fill('labelIds'))
})

test('200 with a tag renamed and colored', async () => {
  const [gold, lead] = [newName('Gold'), newName('Lead')]
  const { body: tag } = await owner.post('/tags', { name: newName('VIP') })
  expect(tag.color).toBeNull()
  await owner.post('/tags', { name: lead })
  const edited = await owner.patch(`/tags/${tag.id}`, { name: gold, color: '#B3261E' })
  expect(edited).toMatchObject({ status: 200, body: { name: gold, color: '#b3261e', labeledCount: 0 } })
  expect((await owner.patch(`/tags/${tag.id}`, { name: lead.toLowerCase() })).body.code).toBe(
    'tag_name_taken',
  )
  expect((await owner.patch(`/tags/${tag.id}`, { color: null })).body).toMatchObject({
    name: gold,
    color: null,
  })
})
