/** Tests that a visitor reaches nothing but its own conversation, and that pages of other origins get nothing. */
import { expect, test } from 'vitest'
import { client } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { sql } from '../platform/db/sql.ts'
import { createWebchat, startVisitor, type TestVisitor } from './testing/visitor.ts'

const service = await testService()
const { owner, tenantId } = await service.workspace('Shop')
const other = await service.workspace('Other')

async function startConversation(
  inboxKey: string,
  secret = 'Hello',
): Promise<{ visitor: TestVisitor; id: string; messageId: string }> {
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Private')
  await until(visitor.messages, messages => messages.length === 1)
  const { conversation } = (await visitor.post(`/widget/${inboxKey}/sessions`, {})).body
  const sent = await owner.post(`/conversations/${conversation.id}/messages`, {
    content: { type: 'text', text: { body: secret } },
  })
  await until(visitor.messages, messages => messages.length === 2)
  return { visitor, id: conversation.id, messageId: sent.body.message.id }
}

async function upload(token: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${service.url}/v1/widget/uploads`, { method: 'POST', headers, body: form })
  return ((await response.json()) as { mediaId: string }).mediaId
}

test('400 for messages, files and choices of another visitor, of the same and of another inbox', async () => {
  const { inboxKey } = await createWebchat(owner)
  const elsewhere = await createWebchat(other.owner)
  const { messageId, visitor: victim } = await startConversation(inboxKey, 'Secret')
  const mediaId = await upload(victim.token)
  const attackers = [
    (await startConversation(inboxKey)).visitor,
    await startVisitor(service.url, inboxKey),
    await startVisitor(service.url, elsewhere.inboxKey),
  ]
  for (const attacker of attackers) {
    const send = (message: object) => attacker.post('/widget/messages', { clientMessageId: 'x', ...message })
    const text = { type: 'text', text: { body: 'Hi' } }
    expect((await attacker.post('/widget/read', { messageId, state: 'read' })).status).toBe(400)
    expect((await send({ content: text, replyTo: messageId })).status).toBe(400)
    expect((await send({ content: { type: 'media', media: { mediaId } } })).status).toBe(400)
    const before = await attacker.get(`/widget/messages?before=${messageId}`)
    expect(JSON.stringify(before.body)).not.toContain('Secret')
    expect(JSON.stringify(await attacker.messages())).not.toContain('Secret')
    expect((await attacker.post('/widget/transcript')).body).not.toContain('Secret')
  }
  expect((await owner.get(`/messages/${messageId}`)).body.message.deliveryStatus).toBe('sent')
  // A file that nobody sent is visible to its uploader only, also within the workspace.
  const agent = await (await service.workspace()).user('agent')
  expect((await agent.get(`/media/${mediaId}`)).status).toBe(404)
})

test('a socket shows nothing of other visitors', async () => {
  const { inboxKey } = await createWebchat(owner)
  const spy = await startVisitor(service.url, inboxKey)
  const socket = await spy.connect()
  await startConversation(inboxKey)
  await spy.say('Mine')
  await socket.wait(({ type }) => type === 'message')
  const texts = socket.frames.filter(({ type }) => type === 'message').map(one => one.data.content.text.body)
  expect(texts).toEqual(['Mine'])
  const own = await spy.get('/widget/messages')
  const conversations = socket.frames.filter(({ type }) => type === 'conversation').map(one => one.data.id)
  expect(new Set(conversations).size).toBeLessThanOrEqual(1)
  expect(own.body.messages).toHaveLength(1)
  await socket.close()
})

test('403 for pages of other origins, and CORS for those of the inbox only', async () => {
  const { inboxKey } = await createWebchat(owner)
  const config = (origin?: string) =>
    service.anonymous.get(`/widget/config?inboxKey=${inboxKey}`, origin === undefined ? {} : { origin })
  const allowed = await config('https://shop.example')
  expect(allowed.status).toBe(200)
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  expect(allowed.headers.get('cache-control')).toBe('public, max-age=60')
  expect(allowed.headers.get('vary')).toContain('Origin')
  expect((await config()).headers.get('access-control-allow-origin')).toBeNull()
  expect((await config(service.url)).status).toBe(200)
  for (const origin of [
    'https://evil.example',
    'https://shop.example.evil.example',
    'http://shop.example',
    'null',
  ]) {
    const refused = await config(origin)
    expect(refused).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    const session = await service.anonymous.post(`/widget/${inboxKey}/sessions`, {}, { origin })
    expect(session).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
  }
  expect((await service.anonymous.get('/widget/config?inboxKey=wcx_unknown')).status).toBe(404)
  expect((await service.anonymous.post('/widget/wcx_unknown/sessions', {})).status).toBe(404)
})

test('the token of a deleted inbox and an expired token are worth nothing', async () => {
  const { id, inboxKey } = await createWebchat(owner)
  const { visitor } = await startConversation(inboxKey)
  const expired = await startVisitor(service.url, inboxKey)
  await service.deps.db.run(sql`
    update webchat_visitors set expires_at = now() - interval '1 second'
    where tenant_id = ${tenantId} and id = ${expired.id}`)
  expect((await expired.get('/widget/messages')).status).toBe(401)
  const renewed = await expired.post(`/widget/${inboxKey}/sessions`, {})
  expect(renewed.body.visitor.id).not.toBe(expired.id)
  expect((await owner.delete(`/inboxes/${id}`)).status).toBe(204)
  expect((await visitor.get('/widget/messages')).status).toBe(401)
  expect((await visitor.say('Hi')).status).toBe(401)
  expect((await visitor.post(`/widget/${inboxKey}/sessions`, {})).status).toBe(404)
})

test('the token of a visitor opens no other operation, and that of a user none of the visitor', async () => {
  const { inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  for (const path of ['/me', '/conversations', '/contacts', '/inboxes', '/users'])
    expect((await visitor.get(path)).status, path).toBe(401)
  const user = client(service.url, '', '', owner.token)
  for (const path of ['/widget/messages']) expect((await user.get(path)).status, path).toBe(401)
  // A query parameter is no place for a token.
  expect((await service.anonymous.get(`/widget/messages?token=${visitor.token}`)).status).toBe(401)
})

test('400 for a socket whose since is not a number, which would miss frames', async () => {
  const { inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  await expect(visitor.connect(Number.NaN)).rejects.toThrow('400')
})

test('400, not 500, for input of every shape', async () => {
  const { inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  const send = (content: unknown) => visitor.post('/widget/messages', { clientMessageId: 'x', content })
  const long = 'ü'.repeat(2100)
  for (const content of [
    null,
    1,
    {},
    { type: 'text' },
    { type: 'template' },
    { type: 'text', text: { body: long } },
  ])
    expect((await send(content)).status, JSON.stringify(content)).toBe(400)
  expect(
    (await visitor.post('/widget/messages', { clientMessageId: 'x'.repeat(65), content: {} })).status,
  ).toBe(400)
  expect((await visitor.post('/widget/messages', 'x'.repeat(20_000))).status).toBe(413)
  expect((await visitor.get('/widget/messages?limit=0')).status).toBe(400)
  expect((await visitor.get('/widget/messages?before=nonsense')).body.messages).toEqual([])
})
