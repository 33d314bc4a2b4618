/** Tests that agents block visitors: what is refused then, for whom it holds, who may do it, and who learns of it. */
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import type { ApiResponse } from '../../../test/harness/api.ts'
import { type Frames, openFrames } from '../../../test/harness/frames.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { createWebchat, startVisitor, type TestVisitor } from '../testing/visitor.ts'
import { purgeVisitors } from './visitors.ts'

const service = await testService()
const workspace = await service.workspace('Shop')
const { owner, tenantId } = workspace
const other = await service.workspace('Other')

async function startConversation(inboxKey: string) {
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Hello')
  await until(visitor.messages, messages => messages.length === 1)
  const { conversation } = (await visitor.get('/widget/messages')).body
  return { visitor, id: conversation.id as string }
}

async function createSigned() {
  const inbox = await createWebchat(owner)
  const { secret } = (await owner.post(`/inboxes/${inbox.id}/identity-key`)).body
  const identify = async (visitor: TestVisitor, sub: string) => {
    const token = new SignJWT({ sub }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('2m')
    return visitor.post('/widget/identify', { jwt: await token.sign(Buffer.from(secret)) })
  }
  return { ...inbox, identify }
}

const block = (id: string, isBlocked = true, caller = owner) =>
  caller.patch(`/conversations/${id}/visitor`, { isBlocked })

function upload({ token }: TestVisitor): Promise<ApiResponse> {
  const form = new FormData()
  form.append('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${service.url}/v1/widget/uploads`, { method: 'POST', headers, body: form }).then(
    async response => ({ status: response.status, headers: response.headers, body: await response.json() }),
  )
}

const refusal = { status: 403, body: { code: 'visitor_blocked', title: expect.stringContaining('blocked') } }

test('403 for everything that a blocked visitor does, except reading', async () => {
  const { inboxKey, identify } = await createSigned()
  const { visitor, id } = await startConversation(inboxKey)
  const patched = await block(id)
  expect(patched, JSON.stringify(patched.body)).toMatchObject({
    status: 200,
    body: { id: visitor.id, isBlocked: true, isVerified: false },
  })
  expect((await owner.get(`/conversations/${id}/visitor`)).body).toEqual(patched.body)
  const answer = await owner.post(`/conversations/${id}/messages`, {
    content: { type: 'text', text: { body: 'Please be polite' } },
  })
  expect(answer.status).toBe(202)

  expect(await visitor.say('More')).toMatchObject(refusal)
  expect(await upload(visitor)).toMatchObject(refusal)
  expect(await identify(visitor, 'blocked-0')).toMatchObject(refusal)
  expect(await visitor.post('/widget/typing', { isTyping: true })).toMatchObject(refusal)
  expect(await visitor.post('/widget/rating', { rating: 1 })).toMatchObject(refusal)
  expect(await visitor.patch('/widget/visitor', { name: 'Ana' })).toMatchObject(refusal)

  const messages = await until(visitor.messages, all => all.length === 2)
  expect((await visitor.post('/widget/transcript')).status).toBe(200)
  const seen = { messageId: messages[1]!.id, state: 'read' }
  expect((await visitor.post('/widget/read', seen)).status).toBe(204)
  const page = 'https://shop.example/abuse'
  const session = await visitor.post(`/widget/${inboxKey}/sessions`, { page })
  expect(session.body).toMatchObject({ visitorToken: null, visitor: { isBlocked: true } })
  expect((await owner.get(`/conversations/${id}/visitor`)).body).toMatchObject({ page: null, name: null })
  expect((await owner.get(`/conversations/${id}/messages`)).body.messages).toHaveLength(2)

  expect((await block(id, false)).body.isBlocked).toBe(false)
  expect((await visitor.say('Sorry')).status).toBe(202)
  await until(visitor.messages, all => all.length === 3)
})

test('the socket of the visitor says that it is blocked, and agents no longer see it type', async () => {
  const { inboxKey } = await createWebchat(owner)
  const { visitor, id } = await startConversation(inboxKey)
  const socket = await visitor.connect()
  await socket.wait(({ type }) => type === 'hello')
  const agent = await openFrames(owner)
  const isTyping = () => agent.filter(({ type }) => type === 'visitor_typing').length
  socket.send({ type: 'typing', data: { isTyping: true } })
  await until(
    async () => isTyping(),
    count => count === 1,
  )
  await block(id)
  const frame = await socket.wait(({ type }) => type === 'visitor')
  expect(frame.data).toMatchObject({ id: visitor.id, isBlocked: true })
  socket.send({ type: 'typing', data: { isTyping: true } })
  const late = await visitor.connect()
  await late.wait(({ type }) => type === 'hello')
  late.send({ type: 'typing', data: { isTyping: true } })
  await block(id, false)
  await late.wait(({ type, data }) => type === 'visitor' && !data.isBlocked)
  expect(isTyping()).toBe(1)
  late.send({ type: 'typing', data: { isTyping: true } })
  await until(
    async () => isTyping(),
    count => count === 2,
  )
  await Promise.all([socket.close(), late.close()])
})

test('the block of a signed user holds for all its sessions in the workspace, and for nobody else', async () => {
  const { inboxKey, identify } = await createSigned()
  const { visitor, id } = await startConversation(inboxKey)
  expect((await identify(visitor, 'blocked-1')).body.visitor).toMatchObject({ isBlocked: false })
  const laptop = await startVisitor(service.url, inboxKey)
  await identify(laptop, 'blocked-1')
  const bystander = await startVisitor(service.url, inboxKey)
  await identify(bystander, 'blocked-10')
  const socket = await laptop.connect()
  await block(id)
  await socket.wait(({ type, data }) => type === 'visitor' && data.isBlocked)
  expect(await visitor.say('More')).toMatchObject(refusal)
  expect(await laptop.say('More')).toMatchObject(refusal)
  expect((await bystander.say('Hi')).status).toBe(202)
  // A new session, of another inbox of the workspace, becomes blocked with the identity.
  const elsewhere = await createSigned()
  const next = await startVisitor(service.url, elsewhere.inboxKey)
  expect((await next.say('Hi')).status).toBe(202)
  expect((await elsewhere.identify(next, 'blocked-1')).body.visitor).toMatchObject({
    isVerified: true,
    isBlocked: true,
  })
  expect(await next.say('More')).toMatchObject(refusal)
  // Another person who signs in there is not refused: the chat starts a new session.
  expect(await elsewhere.identify(next, 'blocked-2')).toMatchObject({
    status: 409,
    body: { code: 'identity_differs' },
  })
  expect((await block(id, false)).body.isBlocked).toBe(false)
  for (const session of [visitor, laptop, next]) expect((await session.say('Again')).status).toBe(202)
  await socket.close()
})

test('a visitor who is blocked while the site identifies it stays blocked, in every session', async () => {
  const { inboxKey, identify } = await createSigned()
  const { visitor, id } = await startConversation(inboxKey)
  const second = await startVisitor(service.url, inboxKey)
  await identify(second, 'blocked-3')
  await Promise.all([identify(visitor, 'blocked-3'), block(id)])
  // Whichever came first: refused as anonymous, or blocked as the user.
  expect(await visitor.say('More')).toMatchObject(refusal)
  const { isVerified } = (await visitor.post(`/widget/${inboxKey}/sessions`, {})).body.visitor
  expect((await second.say('Hi')).status).toBe(isVerified ? 403 : 202)
  await block(id, false)
  expect((await visitor.say('Sorry')).status).toBe(202)
})

test('404 for other tenants and agents without access, 403 without the scope, and nothing changes', async () => {
  const { inboxKey } = await createWebchat(owner)
  const { visitor, id } = await startConversation(inboxKey)
  const team = (await owner.post('/teams', { name: `Team ${id}` })).body
  await owner.put(`/conversations/${id}/owner`, { type: 'team', id: team.id })
  const [outsider, member, reader, writer] = await Promise.all([
    workspace.user('agent'),
    workspace.user('agent', [team.id]),
    workspace.key({ scopes: ['conversation:read'] }),
    workspace.key({ scopes: ['conversation:update'] }),
  ])
  expect(await block(id, true, other.owner)).toMatchObject({ status: 404 })
  expect(await block(id, true, outsider)).toMatchObject({ status: 404 })
  expect(await block(id, true, reader)).toMatchObject({ status: 403 })
  expect((await visitor.patch(`/conversations/${id}/visitor`, { isBlocked: false })).status).toBe(401)
  expect((await block('cnv_none')).status).toBe(404)
  for (const body of [{}, { isBlocked: 'yes' }, { isBlocked: null }])
    expect((await owner.patch(`/conversations/${id}/visitor`, body)).status, JSON.stringify(body)).toBe(400)
  expect((await owner.get(`/conversations/${id}/visitor`)).body.isBlocked).toBe(false)
  expect((await visitor.say('Still here')).status).toBe(202)
  expect((await block(id, true, member)).status).toBe(200)
  expect((await block(id, false, writer)).status).toBe(200)
  // The same id as a subject of another workspace is another person.
  expect((await other.owner.get(`/conversations/${id}/visitor`)).status).toBe(404)
})

test('each change is in the audit log once and reaches the consoles of those who see the conversation', async () => {
  const { inboxKey } = await createWebchat(owner)
  const { visitor, id } = await startConversation(inboxKey)
  const team = (await owner.post('/teams', { name: `Team ${id}` })).body
  await owner.put(`/conversations/${id}/owner`, { type: 'team', id: team.id })
  const [agent, outsider] = await Promise.all([
    workspace.user('agent', [team.id]).then(openFrames),
    workspace.user('agent').then(openFrames),
  ])
  await block(id)
  await block(id)
  await block(id, false)
  const listChanges = (frames: Frames) =>
    frames.filter(({ type, data }) => type === 'changed' && data.kind === 'visitor')
  await until(
    async () => listChanges(agent),
    frames => frames.length === 2,
  )
  expect(listChanges(agent).map(({ data }) => data.id)).toEqual([id, id])
  expect(listChanges(outsider)).toEqual([])
  const { items: entries } = (await owner.get(`/audit-log?targetId=${visitor.id}`)).body
  expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
    'visitor.unblocked',
    'visitor.blocked',
  ])
  expect(entries[1]).toMatchObject({
    actorType: 'user',
    actorId: owner.id,
    targetType: 'visitor',
    targetId: visitor.id,
    details: { conversationId: id, address: visitor.id },
  })
})

test('a block ends with the token of an anonymous visitor, and when the contact is erased', async () => {
  const { inboxKey, identify } = await createSigned()
  const anonymous = await startConversation(inboxKey)
  const signed = await startConversation(inboxKey)
  await identify(signed.visitor, 'blocked-4')
  await Promise.all([block(anonymous.id), block(signed.id)])
  const count = () =>
    service.deps.db.value<number>(sql`
      select count(*) from webchat_blocks
      where tenant_id = ${tenantId} and address in (${anonymous.visitor.id}, 'user:blocked-4')`)
  expect(await count()).toBe(2)
  await service.deps.db.run(sql`
    update webchat_visitors set expires_at = now() - interval '1 second'
    where tenant_id = ${tenantId} and id in (${anonymous.visitor.id}, ${signed.visitor.id})`)
  await purgeVisitors.job.handle(service.deps, { at: '' }, {} as never)
  // The user may come back, and is still blocked then.
  expect(await count()).toBe(1)
  const back = await startVisitor(service.url, inboxKey)
  expect((await identify(back, 'blocked-4')).body.visitor.isBlocked).toBe(true)
  const { contactId } = (await owner.get(`/conversations/${signed.id}`)).body
  expect((await owner.post(`/contacts/${contactId}/erase`)).status).toBeLessThan(300)
  await until(count, left => left === 0)
})
