/** Tests the web chat over HTTP and WebSocket: sessions, messages in both directions, and what the socket shows of them. */
import { expect, test } from 'vitest'
import { client } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { asVisitor, createWebchat, openSocket, startVisitor } from './testing/visitor.ts'

const service = await testService()
const workspace = await service.workspace('Shop')
const { owner } = workspace

test('an inbox is created with its settings, which can be changed', async () => {
  const created = await owner.post('/inboxes', {
    webchat: { name: 'Website', allowedOrigins: ['https://Shop.example/', 'http://localhost:3000'] },
  })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const [inbox] = created.body.inboxes
  expect(inbox).toMatchObject({
    channel: 'webchat',
    name: 'Website',
    status: { state: 'active', reasons: [] },
    webchat: {
      inboxKey: inbox.externalId,
      allowedOrigins: ['https://shop.example', 'http://localhost:3000'],
      appearance: { title: 'Website', position: 'right', theme: 'auto' },
      preChat: null,
      identity: { keyId: null, isRequired: false },
    },
  })
  expect(inbox.externalId).toMatch(/^wcx_[0-9a-f]{30}$/)
  const patched = await owner.patch(`/inboxes/${inbox.id}`, {
    webchat: {
      appearance: { accent: '#ff0000', subtitle: 'We reply at once' },
      preChat: { fields: [{ key: 'email', label: null, isRequired: true }] },
    },
  })
  expect(patched.body.webchat).toMatchObject({
    allowedOrigins: ['https://shop.example', 'http://localhost:3000'],
    appearance: { accent: '#ff0000', subtitle: 'We reply at once', title: 'Website' },
    preChat: { fields: [{ key: 'email', isRequired: true }] },
  })
  const config = (await service.anonymous.get(`/widget/config?inboxKey=${inbox.externalId}`)).body
  expect(config).toMatchObject({
    inboxKey: inbox.externalId,
    workspaceName: 'Shop',
    appearance: { accent: '#ff0000' },
    availability: { isOpen: true, opensAt: null },
    csat: false,
    isIdentityRequired: false,
  })
})

/** A number belongs to one inbox, so each run of the test connects another one. */
let numbers = 5550177

test('400 for settings that cannot be, and for web chat settings of another channel', async () => {
  const { id } = await createWebchat(owner)
  const patch = (webchat: object) => owner.patch(`/inboxes/${id}`, { webchat })
  expect((await patch({ allowedOrigins: ['https://shop.example/path'] })).status).toBe(400)
  expect((await patch({ allowedOrigins: ['javascript:alert(1)'] })).status).toBe(400)
  expect((await patch({ appearance: { accent: 'red' } })).status).toBe(400)
  expect((await patch({ identity: { isRequired: true } })).body.violations[0]).toMatchObject({
    field: 'webchat.identity.isRequired',
  })
  const chatapp = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5551'], phoneNumberIds: [String(numbers++)] },
  })
  const other = await owner.patch(`/inboxes/${chatapp.body.inboxes[0].id}`, { webchat: { preChat: null } })
  expect(other.body.violations[0]).toMatchObject({ field: 'webchat', code: 'unsupported' })
})

test('a visitor writes, an agent replies, and both see everything once and in order', async () => {
  const { id: inboxId, inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey, { locale: 'de', page: 'https://shop.example/a' })
  expect(await visitor.messages()).toEqual([])
  const socket = await visitor.connect()
  expect((await socket.wait(({ type }) => type === 'hello')).data).toMatchObject({ seq: expect.any(Number) })
  const texts = ['One', 'Two', 'Three']
  for (const text of texts) expect((await visitor.say(text)).status).toBe(202)
  // The client did not get the response and sends again.
  expect((await visitor.say('Two', 'm2')).body).toEqual({ clientMessageId: 'm2' })
  await socket.wait(({ type, data }) => type === 'message' && data.content.text.body === 'Three')
  const conversations = (await owner.get('/conversations?channel=webchat')).body.conversations
  const conversation = conversations.find((one: { inboxId: string }) => one.inboxId === inboxId)
  expect(conversation).toMatchObject({ channel: 'webchat', externalId: visitor.id, status: 'open' })
  expect((await owner.get(`/conversations/${conversation.id}`)).body.window).toMatchObject({
    open: true,
    expiresAt: null,
    agent: { canReply: true },
  })
  const reply = await owner.post(`/conversations/${conversation.id}/messages`, {
    content: { type: 'text', text: { body: 'Hello' } },
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(202)
  const frame = await socket.wait(({ type, data }) => type === 'message' && data.author.kind === 'agent')
  expect(frame).toMatchObject({
    seq: expect.any(Number),
    data: {
      id: reply.body.message.id,
      clientMessageId: null,
      seq: 4,
      author: { kind: 'agent', name: 'Owner', avatarUrl: null },
      status: 'sent',
      content: { type: 'text', text: { body: 'Hello' } },
    },
  })
  const messages = await visitor.messages()
  expect(
    messages.map(({ content, clientMessageId, seq, author }) => ({
      body: (content as unknown as { text: { body: string } }).text.body,
      clientMessageId,
      seq,
      kind: author.kind,
    })),
  ).toEqual([
    { body: 'One', clientMessageId: 'm1', seq: 1, kind: 'visitor' },
    { body: 'Two', clientMessageId: 'm2', seq: 2, kind: 'visitor' },
    { body: 'Three', clientMessageId: 'm3', seq: 3, kind: 'visitor' },
    { body: 'Hello', clientMessageId: null, seq: 4, kind: 'agent' },
  ])
  const older = (await visitor.get(`/widget/messages?limit=2&before=${messages[2]!.id}`)).body
  expect(older.messages.map((one: { seq: number }) => one.seq)).toEqual([1, 2])
  expect((await visitor.get('/widget/messages?limit=2')).body).toMatchObject({ hasMore: true })
  const seen = socket.frames.filter(({ type }) => type === 'message').map(({ data }) => data.id)
  expect([...new Set(seen)]).toEqual(messages.map(({ id }) => id))
  await socket.close()
})

test('a socket that was cut receives what it missed, once', async () => {
  const { inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  const first = await visitor.connect()
  await visitor.say('Before')
  const seen = await first.wait(({ type }) => type === 'message')
  await first.close()
  await visitor.say('Missed 1')
  await visitor.say('Missed 2')
  await until(visitor.messages, messages => messages.length === 3)
  const second = await visitor.connect(seen.seq)
  await second.wait(({ type, data }) => type === 'message' && data.content.text.body === 'Missed 2')
  const bodies = second.frames.filter(({ type }) => type === 'message').map(one => one.data.content.text.body)
  expect(bodies).toEqual(['Missed 1', 'Missed 2'])
  await second.close()
  const third = await visitor.connect(9_999_999)
  await third.wait(({ type }) => type === 'resync')
  await third.close()
})

test('a session continues with its token, and another inbox starts a new one', async () => {
  const { inboxKey } = await createWebchat(owner)
  const other = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Hi')
  await until(visitor.messages, messages => messages.length === 1)
  const again = await visitor.post(`/widget/${inboxKey}/sessions`, {})
  expect(again.body).toMatchObject({
    visitorToken: null,
    visitor: { id: visitor.id, isVerified: false, name: null },
    conversation: { id: expect.stringMatching(/^cnv_/), status: 'open', canRate: false, rating: null },
    unreadCount: 0,
  })
  const elsewhere = await visitor.post(`/widget/${other.inboxKey}/sessions`, {})
  expect(elsewhere.body.visitorToken).toMatch(/^wct_/)
  expect(elsewhere.body).toMatchObject({ conversation: null })
  expect(elsewhere.body.visitor.id).not.toBe(visitor.id)
})

test('401 for tokens that are not of a visitor, 4401 for tickets that were used', async () => {
  const { inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  const get = (token: string) => client(service.url, '', '', token).get('/widget/messages')
  expect((await get('')).status).toBe(401)
  expect((await get(owner.token)).status).toBe(401)
  expect((await get(`wct_${'A'.repeat(43)}`)).status).toBe(401)
  expect((await asVisitor(service.url, inboxKey, '', visitor.token).get('/inboxes')).status).toBe(401)
  const { ticket } = (await visitor.post('/widget/realtime/tickets')).body
  const socket = await openSocket(service.url, ticket)
  await socket.wait(({ type }) => type === 'hello')
  const replayed = await openSocket(service.url, ticket)
  expect(await replayed.closed).toBe(4401)
  await socket.close()
})
