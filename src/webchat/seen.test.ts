/** Tests what a visitor sees of the reading of agents: that a person has read its messages, live, and nothing else. */
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { Client } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { createWebchat, startVisitor, type TestVisitor } from './testing/visitor.ts'

const service = await testService()
const workspace = await service.workspace('Shop')
const { owner } = workspace

async function startConversation(inboxKey: string, ...texts: string[]) {
  const visitor = await startVisitor(service.url, inboxKey)
  for (const text of texts) await visitor.say(text)
  await until(visitor.messages, messages => messages.length === texts.length)
  const { conversation } = (await visitor.get('/widget/messages')).body
  return { visitor, id: conversation.id as string }
}

const seenUpTo = async (visitor: TestVisitor): Promise<number | null> => {
  const [list, session] = await Promise.all([
    visitor.get('/widget/messages'),
    visitor.post(`/widget/${visitor.inboxKey}/sessions`, {}),
  ])
  expect(session.body.conversation).toEqual(list.body.conversation)
  return list.body.conversation.seenUpTo
}

async function read(reader: Client, id: string, at = -1) {
  const { messages } = (await reader.get(`/conversations/${id}/messages`)).body
  const { id: lastMessageId } = messages.toReversed().at(at)
  const response = await reader.post(`/conversations/${id}/read`, { lastMessageId })
  expect(response.status, JSON.stringify(response.body)).toBe(200)
}

test('a visitor sees within a second which of its messages a person has read, and not who', async () => {
  const { inboxKey } = await createWebchat(owner)
  const { visitor, id } = await startConversation(inboxKey, 'one', 'two')
  expect(await seenUpTo(visitor)).toBeNull()
  const socket = await visitor.connect()
  const agent = await workspace.user('agent')
  await visitor.say('three')
  const [one, two, three] = await until(visitor.messages, messages => messages.length === 3)
  const startedAt = performance.now()
  await read(agent, id)
  const frame = await socket.wait(({ type, data }) => type === 'conversation' && data.seenUpTo !== null)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  expect(frame.data).toEqual({
    id,
    status: 'open',
    canRate: false,
    rating: null,
    agent: null,
    seenUpTo: three!.seq,
  })
  expect(JSON.stringify(frame)).not.toContain(agent.id)
  expect(await seenUpTo(visitor)).toBe(three!.seq)
  expect([one!.seq, two!.seq]).toEqual([1, 2])
  // A frame that was missed arrives with `since`.
  await socket.close()
  const again = await visitor.connect(frame.seq! - 1)
  await again.wait(({ type, data }) => type === 'conversation' && data.seenUpTo === three!.seq)
  await again.close()
})

test('a message that nobody has read is not seen, whatever our side writes', async () => {
  const { inboxKey } = await createWebchat(owner)
  const { visitor, id } = await startConversation(inboxKey, 'one', 'two')
  await read(owner, id, 0)
  expect(await seenUpTo(visitor)).toBe(1)
  await owner.post(`/conversations/${id}/notes`, { text: 'A note' })
  const robot = await workspace.key({ scopes: ['message:create', 'conversation:read'] })
  const content = { type: 'text', text: { body: 'From a service' } }
  expect((await robot.post(`/conversations/${id}/messages`, { content })).status).toBe(202)
  await until(visitor.messages, messages => messages.length === 3)
  expect(await seenUpTo(visitor)).toBe(1)
  // A user who joined later counts what is older as read, without having read it.
  const newcomer = await workspace.user('agent')
  await newcomer.get('/users/me/unread-summary')
  await visitor.say('three')
  await until(visitor.messages, messages => messages.length === 4)
  await newcomer.get('/users/me/unread-summary')
  expect(await seenUpTo(visitor)).toBe(1)
  await read(newcomer, id, 1)
  expect(await seenUpTo(visitor)).toBe(2)
})

test('what was seen stays so when the agent marks it as unread; an undone bulk action takes it back', async () => {
  const { inboxKey } = await createWebchat(owner)
  const { visitor, id } = await startConversation(inboxKey, 'one')
  const finish = (path: string, status: string) =>
    until(
      () => owner.get(path),
      ({ body }) => body.status === status,
    )
  const bulk = await owner.post('/conversations/bulk', { ids: [id], action: { type: 'markRead' } })
  expect(bulk.status, JSON.stringify(bulk.body)).toBe(202)
  const path = `/conversations/bulk/${bulk.body.id}`
  await finish(path, 'completed')
  expect(await seenUpTo(visitor)).toBe(1)
  expect((await owner.post(`${path}/undo`)).status).toBe(202)
  await finish(path, 'undone')
  expect(await seenUpTo(visitor)).toBeNull()
  await read(owner, id)
  expect((await owner.delete(`/conversations/${id}/read`)).body.unreadCount).toBe(1)
  expect(await seenUpTo(visitor)).toBe(1)
})

test('messages that a person has read stay seen when the site identifies the visitor', async () => {
  const { id: inboxId, inboxKey } = await createWebchat(owner)
  const { secret } = (await owner.post(`/inboxes/${inboxId}/identity-key`)).body
  const sign = () =>
    new SignJWT({ sub: `of ${inboxId}` })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('2m')
      .sign(Buffer.from(secret))
  const first = await startConversation(inboxKey, 'one')
  await first.visitor.post('/widget/identify', { jwt: await sign() })
  await read(owner, first.id)
  const second = await startConversation(inboxKey, 'two', 'three')
  await read(owner, second.id, 0)
  await second.visitor.post('/widget/identify', { jwt: await sign() })
  const merged = await until(second.visitor.messages, messages => messages.length === 3)
  expect(await seenUpTo(second.visitor)).toBe(merged[1]!.seq)
})
