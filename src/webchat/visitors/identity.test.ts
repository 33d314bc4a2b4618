/** Tests verified identity: signed tokens, what they refuse, and the merge of what a visitor wrote before. */
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { testService, until } from '../../../test/harness/service.ts'
import { createWebchat, startVisitor } from '../testing/visitor.ts'

const service = await testService()
const { owner } = await service.workspace('Shop')

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

function sign(
  secret: string,
  claims: Record<string, unknown>,
  { exp = inSeconds(120), alg = 'HS256' }: { exp?: number; alg?: string } = {},
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).setExpirationTime(exp).sign(Buffer.from(secret))
}

let subjects = 0
/** Returns a subject that nobody has used: the messages of one subject are one conversation. */
const newSubject = () => `u${++subjects}`

async function createSigned() {
  const inbox = await createWebchat(owner)
  const created = await owner.post(`/inboxes/${inbox.id}/identity-key`)
  expect(created).toMatchObject({ status: 201, body: { algorithm: 'HS256' } })
  const { keyId, secret } = created.body
  expect((await owner.get(`/inboxes/${inbox.id}`)).body.webchat.identity.keyId).toBe(keyId)
  return { ...inbox, secret: secret as string }
}

const listConversations = async () => (await owner.get('/conversations?channel=webchat')).body.conversations

test('a signed visitor becomes the contact of its subject, with what it wrote before', async () => {
  const { inboxKey, secret } = await createSigned()
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Anonymous')
  await until(visitor.messages, messages => messages.length === 1)
  const socket = await visitor.connect()
  const sub = newSubject()
  const jwt = await sign(secret, { sub, name: 'Ana', email: 'ana@example.com' })
  const identified = await visitor.post('/widget/identify', { jwt })
  expect(identified, JSON.stringify(identified.body)).toMatchObject({
    status: 200,
    body: { visitor: { id: visitor.id, isVerified: true, name: 'Ana', email: 'ana@example.com' } },
  })
  await visitor.say('Verified')
  await socket.wait(({ type, data }) => type === 'message' && data.content.text.body === 'Verified')
  const messages = await visitor.messages()
  expect(messages).toHaveLength(2)
  // A second browser of the same person.
  const phone = await startVisitor(service.url, inboxKey)
  await phone.say('From my phone')
  await until(phone.messages, all => all.length === 1)
  await phone.post('/widget/identify', { jwt: await sign(secret, { sub, name: 'Ana' }) })
  const merged = await until(phone.messages, all => all.length === 3)
  expect(
    merged.map(({ content }) => (content as unknown as { text: { body: string } }).text.body).sort(),
  ).toEqual(['Anonymous', 'From my phone', 'Verified'])
  expect(await visitor.messages()).toHaveLength(3)
  const own = (await listConversations()).filter(
    (one: { externalId: string }) => one.externalId === `user:${sub}`,
  )
  expect(own).toHaveLength(1)
  expect(own[0]).toMatchObject({ contactName: 'Ana' })
  const contact = (await owner.get(`/contacts/${own[0].contactId}`)).body
  const addresses = contact.identities.map((one: { externalId: string }) => one.externalId)
  expect(addresses.sort()).toEqual([phone.id, `user:${sub}`, visitor.id].sort())
  expect((await owner.get(`/conversations/${own[0].id}/visitor`)).body.isVerified).toBe(true)
  const reply = await owner.post(`/conversations/${own[0].id}/messages`, {
    content: { type: 'text', text: { body: 'To both' } },
  })
  expect(reply.status).toBe(202)
  await socket.wait(({ type, data }) => type === 'message' && data.id === reply.body.message.id)
  await until(phone.messages, all => all.length === 4)
  await socket.close()
})

test('a conversation has a visitor at every moment while its visitor is identified', async () => {
  const { inboxKey, secret } = await createSigned()
  for (let n = 0; n < 5; n++) {
    const visitor = await startVisitor(service.url, inboxKey)
    await visitor.say('Anonymous')
    const find = async () =>
      (await listConversations()).find((one: { externalId: string }) => one.externalId === visitor.id)
    const { id } = await until(find, found => found !== undefined)
    const jwt = await sign(secret, { sub: newSubject(), name: 'Ana' })
    let isDone = false
    const identified = visitor.post('/widget/identify', { jwt }).finally(() => {
      isDone = true
    })
    const statuses = new Set<number>()
    const names = new Set<string>()
    const look = async () => {
      while (!isDone) {
        const { status, body } = await owner.get(`/conversations/${id}/visitor`)
        statuses.add(status)
        names.add(`${body.isVerified} ${body.name}`)
      }
    }
    await Promise.all([look(), look(), look()])
    expect((await identified).status).toBe(200)
    expect([...statuses]).toEqual([200])
    for (const name of names) expect(['false null', 'true Ana']).toContain(name)
  }
})

test('a message that is still to be received when the visitor is identified is not lost', async () => {
  const { inboxKey, secret } = await createSigned()
  const visitor = await startVisitor(service.url, inboxKey)
  const [, identified] = await Promise.all([
    visitor.say('Just before'),
    sign(secret, { sub: newSubject() }).then(jwt => visitor.post('/widget/identify', { jwt })),
  ])
  expect(identified.status).toBe(200)
  await until(visitor.messages, messages => messages.length === 1)
})

test('401 for tokens that are not valid, and the visitor stays anonymous', async () => {
  const { inboxKey, secret, id } = await createSigned()
  const visitor = await startVisitor(service.url, inboxKey)
  const refuse = async (jwt: string, detail: string | RegExp) => {
    const refused = await visitor.post('/widget/identify', { jwt })
    expect(refused).toMatchObject({ status: 401, body: { code: 'identity_invalid' } })
    expect(refused.body.detail).toMatch(detail)
  }
  await refuse('nonsense', 'not a signed token')
  await refuse(await sign('another secret', { sub: 'u3' }), 'signature')
  await refuse(await sign(secret, { sub: 'u3' }, { exp: inSeconds(-60) }), 'expired')
  await refuse(await sign(secret, { sub: 'u3' }, { exp: inSeconds(3600) }), 'five minutes')
  await refuse(await sign(secret, { name: 'Ana' }), 'sub')
  await refuse(await sign(secret, { sub: 'x'.repeat(500) }), 'sub')
  await refuse(await sign(secret, { sub: 'u3' }, { alg: 'HS512' }), 'algorithm')
  const unsigned = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  await refuse(`${unsigned({ alg: 'none' })}.${unsigned({ sub: 'u3', exp: inSeconds(60) })}.`, /./)
  const old = await sign(secret, { sub: 'u3' })
  await owner.post(`/inboxes/${id}/identity-key`)
  await refuse(old, 'signature')
  const session = await visitor.post(`/widget/${inboxKey}/sessions`, {})
  expect(session.body.visitor).toMatchObject({ id: visitor.id, isVerified: false })
})

test('a visitor keeps its identity and its signed values', async () => {
  const { inboxKey, secret } = await createSigned()
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.post('/widget/identify', { jwt: await sign(secret, { sub: newSubject(), name: 'Ana' }) })
  const other = await visitor.post('/widget/identify', { jwt: await sign(secret, { sub: newSubject() }) })
  expect(other).toMatchObject({ status: 409, body: { code: 'identity_differs' } })
  const renamed = await visitor.patch('/widget/visitor', { name: 'Bob' })
  expect(renamed).toMatchObject({ status: 409, body: { code: 'visitor_verified' } })
})

test('an Ed25519 key of the site signs with EdDSA', async () => {
  const { id, inboxKey } = await createWebchat(owner)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const post = (key: unknown) => owner.post(`/inboxes/${id}/identity-key`, { publicKey: key })
  const sent = await post(publicKey.export({ type: 'spki', format: 'pem' }))
  expect(sent).toMatchObject({ status: 201, body: { algorithm: 'EdDSA', secret: null } })
  const visitor = await startVisitor(service.url, inboxKey)
  const jwt = await new SignJWT({ sub: newSubject() })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setExpirationTime('2m')
    .sign(privateKey)
  expect((await visitor.post('/widget/identify', { jwt })).status).toBe(200)
  expect((await post(publicKey.export({ format: 'jwk' }))).status).toBe(201)
  expect((await post(privateKey.export({ type: 'pkcs8', format: 'pem' }))).body.violations[0].code).toBe(
    'private_key',
  )
  const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  expect((await post(rsa.export({ type: 'spki', format: 'pem' }))).status).toBe(400)
  expect((await post('nonsense')).status).toBe(400)
})

test('with a required identity an anonymous visitor cannot write', async () => {
  const { id, inboxKey, secret } = await createSigned()
  await owner.patch(`/inboxes/${id}`, { webchat: { identity: { isRequired: true } } })
  const visitor = await startVisitor(service.url, inboxKey)
  expect((await visitor.say('Hi')).body.code).toBe('identity_required')
  await visitor.post('/widget/identify', { jwt: await sign(secret, { sub: newSubject() }) })
  expect((await visitor.say('Hi')).status).toBe(202)
})
