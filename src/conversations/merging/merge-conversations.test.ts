/** Tests that conversations and contacts are merged when a provider reveals the phone number behind a user id. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
let numbers = 9991000
const text = (body: string) => ({ type: 'text', text: { body } })

// Each run of a test uses a new workspace and number, so that it does not find data of an earlier run.
beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const connected = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['9991'], phoneNumberIds: [String(++numbers)] },
  })
  inboxId = connected.body.inboxes[0].id
})

const write = async (from: string, body: string, hidePhone = false) => {
  const inbound = { inboxId, from, hidePhone, profileName: 'Ada', content: text(body) }
  const { status, body: result } = await owner.post('/sandbox/inbound', inbound)
  expect(status, JSON.stringify(result)).toBe(202)
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
/** Finds the conversation id in the message itself: a list read just before a merge still has the old id. */
const findConversation = (body: string) => async () => {
  for (const { id } of await conversations()) {
    const { messages } = (await owner.get(`/conversations/${id}/messages`)).body as {
      messages: { conversationId: string; content: { text: { body: string } } }[]
    }
    const found = messages.find(message => message.content.text.body === body)
    if (found) return found.conversationId
  }
  return undefined
}

test('a conversation that started with a user id gets the phone number once it is known', async () => {
  await write('+14155561001', 'hidden', true)
  const id = await until(findConversation('hidden'), found => found !== undefined)
  expect((await conversations()).find(conversation => conversation.id === id)!.externalId).toMatch(
    /^[A-Z]{2}\./,
  )
  await write('+14155561001', 'shown')
  expect(await until(findConversation('shown'), found => found !== undefined)).toBe(id)
  const now = (await owner.get(`/conversations/${id}`)).body
  expect(now.externalId).toBe('+14155561001')
  const contact = (await owner.get(`/contacts/${now.contactId}`)).body
  expect(
    contact.identities.map(
      (identity: { metadata: { phoneNumber: string } }) => identity.metadata.phoneNumber,
    ),
  ).toContain('+14155561001')
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: '+14155561001' },
    content: text('hello again'),
  })
  expect(sent.body.conversation.id).toBe(id)
})

test('merges two conversations of one customer, keeps unread messages unread and the old id valid', async () => {
  const before = (await owner.get('/users/me/unread-summary')).body.count
  const phone = '+14155561002'
  const agent = await workspace.user('agent')
  // A reply by a user would mark the conversation read for them.
  const key = await workspace.key()
  const first = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: phone },
    inboxId,
    content: text('1: ours'),
  })
  const byPhone = first.body.conversation.id
  await write(phone, '2: theirs, hidden', true)
  const byUserId = (await until(findConversation('2: theirs, hidden'), found => found !== undefined))!
  expect(byUserId).not.toBe(byPhone)
  await key.post(`/conversations/${byPhone}/messages`, { content: text('3: ours') })
  await key.post(`/conversations/${byUserId}/messages`, { content: text('4: to the user id') })
  const newest = (await agent.get(`/conversations/${byPhone}/messages`)).body.messages[0]
  await agent.post(`/conversations/${byPhone}/read`, { lastMessageId: newest.id })
  const agentBefore = (await agent.get('/users/me/unread-summary')).body
  const draft = { kind: 'reply', content: { text: 'to the user id' }, revision: 0 }
  const { body: saved } = await owner.put(`/conversations/${byUserId}/draft`, draft)
  await write(phone, '5: theirs, shown')
  expect(await until(findConversation('5: theirs, shown'), found => found !== undefined)).toBe(byPhone)
  expect(await bodies(byPhone)).toEqual([
    '5: theirs, shown',
    '4: to the user id',
    '3: ours',
    '2: theirs, hidden',
    '1: ours',
  ])
  const open = (await conversations()).filter(({ id }) => id === byUserId || id === byPhone)
  expect(open).toMatchObject([{ id: byPhone, externalId: phone }])
  expect((await owner.get(`/conversations/${byUserId}`)).body.id).toBe(byPhone)
  expect(await bodies(byUserId)).toEqual(await bodies(byPhone))
  const moved = (await owner.get(`/conversations/${byPhone}/draft`)).body.draft
  expect(moved).toEqual({ ...saved, conversationId: byPhone })
  expect((await owner.get('/users/me/unread-summary')).body.count).toBe(before + 2)
  const agentAfter = (await agent.get('/users/me/unread-summary')).body
  expect(agentAfter.count).toBe(agentBefore.count + 1)
  expect(agentAfter.version).toBeGreaterThan(agentBefore.version)
  const later = await owner.post(`/conversations/${byUserId}/messages`, { content: text('6: by the old id') })
  expect(later).toMatchObject({ status: 202, body: { conversation: { id: byPhone } } })
  await until(
    async () => (await owner.get(`/messages/${later.body.message.id}`)).body.message.deliveryStatus,
    status => status === 'delivered',
  )
})

test('merges the contacts and keeps the name that was set', async () => {
  const phone = '+14155561003'
  const existing = (await owner.post('/contacts', { name: 'Grace', phone })).body
  await write(phone, 'from a user id', true)
  const id = (await until(findConversation('from a user id'), found => found !== undefined))!
  const duplicate = (await owner.get(`/conversations/${id}`)).body.contactId
  expect(duplicate).not.toBe(existing.id)
  await write(phone, 'from the phone')
  await until(findConversation('from the phone'), found => found !== undefined)
  expect((await owner.get(`/conversations/${id}`)).body).toMatchObject({
    externalId: phone,
    contactId: existing.id,
    contactName: 'Grace',
  })
  expect((await owner.get(`/contacts/${duplicate}`)).body.id).toBe(existing.id)
})

test('concurrent messages under both addresses end in one conversation', async () => {
  const phone = '+14155561004'
  await Promise.all(Array.from({ length: 12 }, (_, i) => write(phone, `burst ${i}`, i % 3 === 0)))
  await write(phone, 'burst end')
  const [id] = await until(
    async () => {
      const ids = []
      for (const conversation of await conversations())
        if ((await bodies(conversation.id)).some((body: string) => body.startsWith('burst')))
          ids.push(conversation.id)
      return ids
    },
    ids => ids.length === 1,
  )
  await until(
    () => bodies(id!),
    all => all.length === 13,
  )
  const summary = (await owner.get(`/conversations/${id}`)).body
  expect(summary.externalId).toBe(phone)
})
