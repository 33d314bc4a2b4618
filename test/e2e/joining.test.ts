/** A person whom the provider first knows by a user id and later by a phone number is one person. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../harness/api.ts'
import { testService, until } from '../harness/service.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let numbers = 9991000
const text = (body: string) => ({ type: 'text', text: { body } })

// Each run of a test has a workspace and a number of its own, so that it does not find what an earlier one left.
beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const made = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['9991'], phoneNumberIds: [String(++numbers)] },
  })
  inboxId = made.body.inboxes[0].id
})

const write = async (from: string, body: string, hidePhone = false) => {
  const inbound = { inboxId, from, hidePhone, profileName: 'Ada', content: text(body) }
  const told = await owner.post('/sandbox/inbound', inbound)
  expect(told.status, JSON.stringify(told.body)).toBe(202)
}
const conversations = async () =>
  (await owner.get('/conversations')).body.conversations as {
    id: string
    externalId: string
    contactId: string
  }[]
const bodies = async (id: string) =>
  (await owner.get(`/conversations/${id}/messages`)).body.messages.map(
    (message: { content: { text: { body: string } } }) => message.content.text.body,
  )
/** The conversation a message is in, by its own word: a list read just before a joining still has the old id, which answers too. */
const has = (body: string) => async () => {
  for (const { id } of await conversations()) {
    const { messages } = (await owner.get(`/conversations/${id}/messages`)).body as {
      messages: { conversationId: string; content: { text: { body: string } } }[]
    }
    const found = messages.find(message => message.content.text.body === body)
    if (found) return found.conversationId
  }
  return undefined
}

test('a conversation that began with a user id goes by the phone once it is known', async () => {
  await write('+14155561001', 'hidden', true)
  const id = await until(has('hidden'), found => found !== undefined)
  expect((await conversations()).find(one => one.id === id)!.externalId).toMatch(/^[A-Z]{2}\./)
  await write('+14155561001', 'shown')
  expect(await until(has('shown'), found => found !== undefined)).toBe(id)
  const now = (await owner.get(`/conversations/${id}`)).body
  expect(now.externalId).toBe('+14155561001')
  const contact = (await owner.get(`/contacts/${now.contactId}`)).body
  expect(
    contact.identities.map((one: { metadata: { phoneNumber: string } }) => one.metadata.phoneNumber),
  ).toContain('+14155561001')
  const answer = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: '+14155561001' },
    content: text('hello again'),
  })
  expect(answer.body.conversation.id).toBe(id)
})

test('two conversations of one person become one; what was not read stays unread; the old id answers', async () => {
  const before = (await owner.get('/users/me/unread-summary')).body.count
  const phone = '+14155561002'
  const first = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: phone },
    inboxId,
    content: text('1: ours'),
  })
  const byPhone = first.body.conversation.id
  await write(phone, '2: theirs, hidden', true)
  const byName = (await until(has('2: theirs, hidden'), found => found !== undefined))!
  expect(byName).not.toBe(byPhone)
  await owner.post(`/conversations/${byPhone}/messages`, { content: text('3: ours') })
  await owner.post(`/conversations/${byName}/messages`, { content: text('4: to the name') })
  const agent = await workspace.user('agent')
  const newest = (await agent.get(`/conversations/${byPhone}/messages`)).body.messages[0]
  await agent.post(`/conversations/${byPhone}/read`, { lastMessageId: newest.id })
  const agentBefore = (await agent.get('/users/me/unread-summary')).body
  await write(phone, '5: theirs, shown')
  expect(await until(has('5: theirs, shown'), found => found !== undefined)).toBe(byPhone)
  expect(await bodies(byPhone)).toEqual([
    '5: theirs, shown',
    '4: to the name',
    '3: ours',
    '2: theirs, hidden',
    '1: ours',
  ])
  const open = (await conversations()).filter(one => one.id === byName || one.id === byPhone)
  expect(open).toMatchObject([{ id: byPhone, externalId: phone }])
  expect((await owner.get(`/conversations/${byName}`)).body.id).toBe(byPhone)
  expect(await bodies(byName)).toEqual(await bodies(byPhone))
  expect((await owner.get('/users/me/unread-summary')).body.count).toBe(before + 2)
  const agentAfter = (await agent.get('/users/me/unread-summary')).body
  expect(agentAfter.count).toBe(agentBefore.count + 1)
  expect(agentAfter.version).toBeGreaterThan(agentBefore.version)
  const later = await owner.post(`/conversations/${byName}/messages`, { content: text('6: by the old id') })
  expect(later).toMatchObject({ status: 202, body: { conversation: { id: byPhone } } })
  await until(
    async () => (await owner.get(`/messages/${later.body.message.id}`)).body.message.deliveryStatus,
    status => status === 'delivered',
  )
})

test('the contact behind both is one, and keeps the name it was given', async () => {
  const phone = '+14155561003'
  const known = (await owner.post('/contacts', { name: 'Grace', phone })).body
  await write(phone, 'from somebody', true)
  const id = (await until(has('from somebody'), found => found !== undefined))!
  const stranger = (await owner.get(`/conversations/${id}`)).body.contactId
  expect(stranger).not.toBe(known.id)
  await write(phone, 'it is me')
  await until(has('it is me'), found => found !== undefined)
  expect((await owner.get(`/conversations/${id}`)).body).toMatchObject({
    externalId: phone,
    contactId: known.id,
    contactName: 'Grace',
  })
  expect((await owner.get(`/contacts/${stranger}`)).body.id).toBe(known.id)
})

test('many messages at once under both names: still one', async () => {
  const phone = '+14155561004'
  await Promise.all(Array.from({ length: 12 }, (_, i) => write(phone, `burst ${i}`, i % 3 === 0)))
  await write(phone, 'burst end')
  const found = await until(
    async () => {
      const mine = []
      for (const { id } of await conversations())
        if ((await bodies(id)).some((body: string) => body.startsWith('burst'))) mine.push(id)
      return mine
    },
    mine => mine.length === 1,
  )
  await until(
    () => bodies(found[0]!),
    all => all.length === 13,
  )
  const summary = (await owner.get(`/conversations/${found[0]}`)).body
  expect(summary.externalId).toBe(phone)
})
