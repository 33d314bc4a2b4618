/** Tests notifications over HTTP and realtime, made from events by the running service. */
import { beforeAll, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { openFrames } from '../../../test/harness/frames.ts'
import { testService, until } from '../../../test/harness/service.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let phones = 0

beforeAll(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const chatapp = { resourceIds: ['5567'], phoneNumberIds: ['55670001'] }
  inboxId = (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
})

async function startConversation(): Promise<{ id: string; contactId: string; from: string; path: string }> {
  const from = `+1415556${7000 + phones++}`
  const { body } = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: from },
    inboxId,
    content: { type: 'text', text: { body: 'Hello' } },
  })
  return { ...body.conversation, from, path: `/conversations/${body.conversation.id}` }
}

const write = (from: string, body: string) =>
  owner.post('/sandbox/inbound', { inboxId, from, content: { type: 'text', text: { body } } })

const list = async (client: Client, query = '') =>
  (await client.get(`/notifications${query}`)).body as {
    notifications: {
      id: string
      type: string
      conversationId: string
      count: number
      readAt: string | null
    }[]
    unreadCount: number
    nextPageToken: string | null
  }

const receives = (client: Client, types: string[]) =>
  until(
    async () => (await list(client)).notifications,
    found => found.map(({ type }) => type).join() === types.join(),
  )

test('mentions, assignments and messages of customers notify a user, and their own actions do not', async () => {
  const agent = await workspace.user('agent')
  const [frames, others] = [await openFrames(agent), await openFrames(owner)]
  const { id, path, from } = await startConversation()
  const note = (await owner.post(`${path}/notes`, { text: 'look', mentions: [agent.id, owner.id] })).body
  const [mention] = await receives(agent, ['mention'])
  expect(mention).toMatchObject({ conversationId: id, sourceId: note.id, actorId: owner.id, readAt: null })
  await owner.put(`${path}/owner`, { type: 'user', id: agent.id })
  const [assignment] = await receives(agent, ['assignment', 'mention'])
  expect(assignment).toMatchObject({ conversationId: id, sourceId: null, actorId: owner.id })
  await agent.put(`${path}/owner`, { type: 'none' })
  await agent.put(`${path}/owner`, { type: 'user', id: agent.id })
  await write(from, 'one')
  await receives(agent, ['message', 'assignment', 'mention'])
  await write(from, 'two')
  const found = await until(
    () => list(agent),
    ({ notifications }) => notifications[0]?.count === 2,
  )
  expect(found.notifications.map(({ type }) => type)).toEqual(['message', 'assignment', 'mention'])
  expect(found.unreadCount).toBe(3)
  const received = await until(
    async () => frames.filter(({ type }) => type === 'notification').map(({ data }) => data.notification),
    all => all.length === 4,
  )
  expect(received.map(({ type, count }) => [type, count])).toEqual([
    ['mention', 1],
    ['assignment', 1],
    ['message', 1],
    ['message', 2],
  ])
  // The owner of the workspace did not do any of this to themselves, and receives nothing of others.
  expect((await list(owner)).notifications).toEqual([])
  expect(others.filter(({ type }) => type === 'notification')).toEqual([])
})

test('reading a conversation reads its messages; the rest is read by id or together', async () => {
  const agent = await workspace.user('agent')
  const frames = await openFrames(agent)
  const [first, second] = [await startConversation(), await startConversation()]
  for (const { path } of [first, second]) await owner.put(`${path}/owner`, { type: 'user', id: agent.id })
  await receives(agent, ['assignment', 'assignment'])
  await write(first.from, 'hello')
  const [message] = await receives(agent, ['message', 'assignment', 'assignment'])
  const newest = (await agent.get(`${first.path}/messages`)).body.messages[0]
  await agent.post(`${first.path}/read`, { lastMessageId: newest.id })
  await until(
    () => list(agent),
    ({ unreadCount }) => unreadCount === 2,
  )
  const unread = (await list(agent, '?unread=true')).notifications
  expect(unread.map(({ type }) => type)).toEqual(['assignment', 'assignment'])
  expect((await agent.post('/notifications/read', { ids: [unread[0]!.id] })).status).toBe(204)
  expect((await list(agent)).unreadCount).toBe(1)
  expect((await owner.post('/notifications/read', { ids: [unread[1]!.id] })).status).toBe(204)
  expect((await list(agent)).unreadCount).toBe(1)
  expect((await agent.post('/notifications/read')).status).toBe(204)
  expect((await list(agent)).unreadCount).toBe(0)
  const read = await until(
    async () => frames.filter(({ type }) => type === 'notifications_read').flatMap(({ data }) => data.ids),
    ids => ids.length === 3,
  )
  expect(read).toEqual([message!.id, unread[0]!.id, unread[1]!.id])
  // The next message is a new notification.
  await write(first.from, 'again')
  await receives(agent, ['message', 'message', 'assignment', 'assignment'])
  const page = await list(agent, '?pageSize=3')
  expect(page.notifications).toHaveLength(3)
  expect((await list(agent, `?pageSize=3&pageToken=${page.nextPageToken}`)).notifications).toHaveLength(1)
})

test('kinds that a user does not want are left out', async () => {
  const agent = await workspace.user('agent')
  const wanted = { mention: true, assignment: false, message: true }
  const path = '/users/me/notification-preferences'
  expect((await agent.get(path)).body).toEqual({ mention: true, assignment: true, message: true })
  expect((await agent.put(path, wanted)).body).toEqual(wanted)
  expect((await agent.get(path)).body).toEqual(wanted)
  const conversation = await startConversation()
  await owner.put(`${conversation.path}/owner`, { type: 'user', id: agent.id })
  await owner.post(`${conversation.path}/notes`, { text: 'look', mentions: [agent.id] })
  await receives(agent, ['mention'])
})

test('a user who can no longer see the conversation, and an erased contact, leave nothing in the list', async () => {
  const agent = await workspace.user('agent')
  const [hidden, erased] = [await startConversation(), await startConversation()]
  for (const { path } of [hidden, erased])
    await owner.post(`${path}/notes`, { text: 'look', mentions: [agent.id] })
  await receives(agent, ['mention', 'mention'])
  await owner.put(`${hidden.path}/owner`, { type: 'team', id: workspace.teamId })
  expect((await list(agent)).notifications.map(({ conversationId }) => conversationId)).toEqual([erased.id])
  expect((await list(agent)).unreadCount).toBe(1)
  await owner.post(`/contacts/${erased.contactId}/erase`)
  const { notifications } = await until(
    () => list(agent),
    ({ unreadCount }) => unreadCount === 0,
  )
  expect(notifications).toEqual([])
})
