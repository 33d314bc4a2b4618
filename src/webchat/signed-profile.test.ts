/** Tests that the e-mail address and phone number that a site signed reach the contact, and that claims do not. */
import { SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../test/harness/api.ts'
import { openFrames } from '../../test/harness/frames.ts'
import { testService, until } from '../../test/harness/service.ts'
import { createWebchat, startVisitor, type TestVisitor } from './testing/visitor.ts'

const service = await testService()
let owner: Client
let inbox: Awaited<ReturnType<typeof createWebchat>>
let secret: string

// Each run of a test has contacts of its own.
beforeEach(async () => {
  owner = (await service.workspace('Shop')).owner
  inbox = await createWebchat(owner)
  secret = (await owner.post(`/inboxes/${inbox.id}/identity-key`)).body.secret
})

async function identify(visitor: TestVisitor, claims: Record<string, unknown>) {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('2m')
  const identified = await visitor.post('/widget/identify', { jwt: await token.sign(Buffer.from(secret)) })
  expect(identified, JSON.stringify(identified.body)).toMatchObject({ status: 200 })
  return identified.body.visitor
}

const start = () => startVisitor(service.url, inbox.inboxKey)

/** The contact is found by its address, so that the test does not depend on what is stored. */
async function findContact(sub: string) {
  const recipient = { type: 'channel', channel: 'webchat', externalId: `user:${sub}` }
  const content = { type: 'text', text: { body: 'Hello' } }
  const sent = await owner.post('/messages', { recipient, inboxId: inbox.id, content })
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  const { contactId } = sent.body.conversation
  const { items } = (
    await owner.post('/contacts/search', { filter: { match: 'all', conditions: [] }, limit: 100 })
  ).body
  const { email, phone, name } = items.find(({ id }: { id: string }) => id === contactId)
  return { id: contactId as string, email, phone, name }
}

test('signed values fill an empty contact in one form, with one event', async () => {
  const frames = await openFrames(owner)
  const visitor = await start()
  const signed = { email: ' ana@example.com ', phone: '+49 (30) 123-456' }
  await identify(visitor, { sub: 'p1', name: 'Ana', ...signed })
  const contact = await findContact('p1')
  expect(contact).toMatchObject({ name: 'Ana', email: 'ana@example.com', phone: '+4930123456' })
  const updates = () =>
    frames.filter(({ type, data }) => type === 'contact.updated' && data.contact.id === contact.id)
  await until(
    async () => updates().length,
    count => count === 1,
  )
  // The same token changes nothing.
  await identify(visitor, { sub: 'p1', name: 'Ana', ...signed })
  await owner.patch(`/contacts/${contact.id}`, { name: 'Ana Lima' })
  await until(
    async () => updates().length,
    count => count > 1,
  )
  expect(updates()).toHaveLength(2)
})

test('values of an agent stay; an e-mail address that was signed before is replaced', async () => {
  const visitor = await start()
  await identify(visitor, { sub: 'p2', email: 'first@example.com', phone: '+14155550111' })
  await identify(visitor, { sub: 'p2', email: 'second@example.com', phone: '+14155550112' })
  const signed = await findContact('p2')
  expect(signed).toMatchObject({ email: 'second@example.com', phone: '+14155550111' })
  // From another browser, too.
  await identify(await start(), { sub: 'p2', email: 'third@example.com' })
  expect(await findContact('p2')).toMatchObject({ email: 'third@example.com' })
  const edited = await owner.patch(`/contacts/${signed.id}`, {
    customFields: { cf_email: 'agent@example.com' },
    phone: '+14155550113',
  })
  expect(edited.status, JSON.stringify(edited.body)).toBe(200)
  await identify(visitor, { sub: 'p2', email: 'fourth@example.com', phone: '+14155550114' })
  expect(await findContact('p2')).toMatchObject({ email: 'agent@example.com', phone: '+14155550113' })
  // A token without an address clears nothing.
  await identify(visitor, { sub: 'p2' })
  expect(await findContact('p2')).toMatchObject({ email: 'agent@example.com' })
})

test('values that are not valid do not prevent the identification, and are not stored', async () => {
  const invalid: [string, unknown, unknown][] = [
    ['p3', 'not an address', '12345'],
    ['p4', `${'x'.repeat(300)}@example.com`, '+1'],
    ['p5', 5, { number: '+14155550120' }],
    ['p6', ['a@example.com'], 'a\u0000b'],
  ]
  for (const [sub, email, phone] of invalid) {
    const visitor = await identify(await start(), { sub, email, phone })
    expect(visitor.isVerified).toBe(true)
    expect(await findContact(sub), sub).toMatchObject({ email: null, phone: null })
  }
})

test('the phone number of another contact stays there', async () => {
  const { id } = (await owner.post('/contacts', { name: 'Ben', phone: '+14155550130' })).body
  await identify(await start(), { sub: 'p7', email: 'p7@example.com', phone: '+14155550130' })
  const contact = await findContact('p7')
  expect(contact).toMatchObject({ email: 'p7@example.com', phone: null })
  expect(contact.id).not.toBe(id)
  expect((await owner.get(`/contacts/${id}`)).body.identities).toHaveLength(1)
})

test('what a visitor says of itself never reaches the contact, also when it is identified then', async () => {
  const visitor = await start()
  const claims = { name: 'Mallory', email: 'victim@example.com', phone: '+14155550140' }
  expect((await visitor.patch('/widget/visitor', claims)).status).toBe(200)
  await visitor.post('/widget/messages', {
    clientMessageId: 'form',
    content: { type: 'formResponse', formResponse: { values: claims } },
  })
  await until(visitor.messages, messages => messages.length === 1)
  const { conversation } = (await visitor.get('/widget/messages')).body
  const { contactId } = (await owner.get(`/conversations/${conversation.id}`)).body
  const { customFields, identities } = (await owner.get(`/contacts/${contactId}`)).body
  expect(customFields).toEqual({})
  expect(identities.map((one: { channel: string }) => one.channel)).toEqual(['webchat'])
  await identify(visitor, { sub: 'p8' })
  expect(await findContact('p8')).toMatchObject({ email: null, phone: null })
})
