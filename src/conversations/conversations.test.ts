/** Tests messaging with the sandbox over real HTTP, with signed callbacks. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { flows } from '../sandbox/chatapp/flows.ts'
import { hashDigits } from '../sandbox/identifiers.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string
const businessAccount = '5551'

const text = (body: string) => ({ type: 'text', text: { body } })
let count = 0
let numbers = 0
const newNumber = () => `555${String(++numbers).padStart(4, '0')}`
const newPhone = () => `+1415555${String(1000 + count++).padStart(4, '0')}`
const getStatus = async (id: string) => (await owner.get(`/messages/${id}`)).body.message.deliveryStatus

async function connect(client: Client, number = newNumber()): Promise<string> {
  const { status, body } = await client.post('/inboxes', {
    chatapp: { resourceIds: [businessAccount], phoneNumberIds: [number] },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.inboxes[0].id
}

async function lastMessageOf(address: string) {
  const [conversation] = (await owner.get(`/conversations?search=${encodeURIComponent(address)}`)).body
    .conversations
  return conversation && (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages[0]
}

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  inboxId = await connect(owner)
})

test('a first message is delivered and creates a contact and a conversation', async () => {
  const to = newPhone()
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: to },
    inboxId,
    content: text('Hello'),
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  expect(sent.body).toMatchObject({
    message: { deliveryStatus: 'pending', senderType: 'user' },
    conversation: { externalId: to, status: 'open', channel: 'chatapp' },
  })
  await until(
    () => getStatus(sent.body.message.id),
    status => status === 'delivered' || status === 'read',
  )
  const items = (await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(to)}`)).body.items
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({ to, payload: { text: { body: 'Hello' } } })
  expect(
    (await owner.get(`/contacts/${sent.body.conversation.contactId}`)).body.identities[0].metadata
      .phoneNumber,
  ).toBe(to)
  const timeline = (await owner.get(`/messages/${sent.body.message.id}`)).body.message.timeline
  expect(timeline.map((line: { type: string }) => line.type)).toContain('sent')
})

test('messages include their reactions, in lists and alone, until the reactions are removed', async () => {
  const to = newPhone()
  const recipient = { type: 'phone', phoneNumber: to }
  const { message, conversation } = (
    await owner.post('/messages', { recipient, inboxId, content: text('Like it?') })
  ).body
  await until(
    () => getStatus(message.id),
    status => status === 'delivered' || status === 'read',
  )
  const admin = await workspace.user('admin')
  const path = `/messages/${message.id}/reactions`
  const listed = async () =>
    (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages[0].reactions
  expect(await listed()).toBeUndefined()
  expect((await owner.post(path, { emoji: '👍' })).status).toBe(200)
  expect((await admin.post(path, { emoji: '🎉' })).status).toBe(200)
  expect((await owner.post(path, { emoji: '❤️' })).status).toBe(200)
  const both = await listed()
  expect(both.map(({ emoji }: { emoji: string }) => emoji).sort()).toEqual(['❤️', '🎉'].sort())
  expect(both).toEqual((await owner.get(`/messages/${message.id}`)).body.message.reactions)
  await admin.post(path, { emoji: '🎉', removed: true })
  expect(await listed()).toMatchObject([{ messageId: message.id, senderType: 'user', emoji: '❤️' }])
})

test('the provider gets the reaction that remains; 404 for one that does not exist', async () => {
  const to = newPhone()
  const recipient = { type: 'phone', phoneNumber: to }
  const { message } = (await owner.post('/messages', { recipient, inboxId, content: text('Like it?') })).body
  const admin = await workspace.user('admin')
  const path = `/messages/${message.id}/reactions`
  const atProvider = async () =>
    (await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(to)}`)).body.items
      .filter(({ payload }: { payload: { type: string } }) => payload.type === 'reaction')
      .map(({ payload }: { payload: { reaction: { emoji: string } } }) => payload.reaction.emoji)
  // One after the other: two reactions before the first is sent may reach the provider as one.
  const react = async (by: Client, body: object, shown: string[]) => {
    expect((await by.post(path, body)).status).toBe(200)
    await until(atProvider, emojis => JSON.stringify(emojis) === JSON.stringify(shown))
  }
  const notFound = { status: 404, body: { code: 'reaction_not_found' } }
  expect(await owner.post(path, { emoji: '👍', removed: true })).toMatchObject(notFound)
  await react(owner, { emoji: '👍' }, ['👍'])
  await react(admin, { emoji: '❤️' }, ['👍', '❤️'])
  expect(await admin.post(path, { emoji: '👍', removed: true })).toMatchObject(notFound)
  await react(admin, { emoji: '❤', removed: true }, ['👍', '❤️', '👍'])
  await react(owner, { emoji: '👍', removed: true }, ['👍', '❤️', '👍', ''])
  expect(await owner.post(path, { emoji: '👍', removed: true })).toMatchObject(notFound)
})

test('409 for a reaction on a channel without them, 400 for an emoji that the channel does not support', async () => {
  const listed = await owner.post(`/smsprovider/AC${newNumber()}/phone-numbers`, { authToken: 'token' })
  const { pendingCredentialId, phoneNumbers } = listed.body
  const phoneNumberSids = [phoneNumbers[0].phoneNumberSid]
  const connected = await owner.post('/inboxes', { sms: { pendingCredentialId, phoneNumberSids } })
  const sms = connected.body.inboxes[0].id
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId: sms,
    content: text('Hello'),
  })
  for (const removed of [false, true])
    expect(
      await owner.post(`/messages/${sent.body.message.id}/reactions`, { emoji: '👍', removed }),
    ).toMatchObject({ status: 409, body: { code: 'reactions_unsupported' } })
  const account = { socialapp: { resourceIds: [`1784${newNumber()}`] } }
  const social = (await owner.post('/inboxes', account)).body.inboxes[0].id
  const from = `ig-${newNumber()}`
  await owner.post('/sandbox/inbound', { inboxId: social, from, content: text('Hi') })
  const message = await until(
    () => lastMessageOf(from),
    found => found !== undefined,
  )
  const path = `/messages/${message.id}/reactions`
  expect((await owner.post(path, { emoji: '👍' })).body.violations).toMatchObject([
    { field: 'emoji', code: 'content_unsupported' },
  ])
  expect((await owner.post(path, { emoji: '❤️' })).status).toBe(200)
})

test("the sender of a customer's message and reaction is the contact, also after a merge", async () => {
  const from = newPhone()
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('Hi') })
  const message = await until(
    () => lastMessageOf(from),
    found => found !== undefined,
  )
  const { contactId } = (await owner.get(`/conversations/${message.conversationId}`)).body
  expect(message).toMatchObject({ senderType: 'customer', senderId: contactId })
  const react = async (emoji: string | null, senderId: string) => {
    const reaction = { providerMessageId: message.channelMessageId, emoji }
    await owner.post('/sandbox/inbound', { inboxId, from, content: { type: 'reaction', reaction } })
    const reactions = await until(
      async () => (await owner.get(`/messages/${message.id}`)).body.message.reactions ?? [],
      found => (found[0]?.emoji ?? null) === emoji,
    )
    expect(reactions).toMatchObject(emoji ? [{ senderType: 'customer', senderId, emoji }] : [])
  }
  await react('👍', contactId)
  const other = (await owner.post('/contacts', { name: 'Ada' })).body.id
  await owner.post(`/contacts/${contactId}/merge`, { intoContactId: other })
  await react('🎉', other)
  await react(null, other)
})

test('a customer writes, the reply quotes the message, and unread counts change', async () => {
  const from = newPhone()
  const before = (await owner.get('/users/me/unread-summary')).body
  await owner.post('/sandbox/inbound', {
    inboxId,
    from,
    profileName: 'Ada',
    content: text('Is anybody there?'),
  })
  const [conversation] = await until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations,
    found => found.length === 1,
  )
  expect(conversation).toMatchObject({
    name: 'Ada',
    externalId: from,
    lastMessagePreview: 'Is anybody there?',
    lastMessageSender: 'customer',
  })
  const after = (await owner.get('/users/me/unread-summary')).body
  expect(after.count).toBe(before.count + 1)
  expect(after.version).toBeGreaterThan(before.version)
  const { messages } = (await owner.get(`/conversations/${conversation.id}/messages`)).body
  expect(
    await owner.post(`/conversations/${conversation.id}/read`, { lastMessageId: messages[0].id }),
  ).toMatchObject({ status: 200 })
  expect((await owner.get('/users/me/unread-count')).body.count).toBe(before.count)
  const reply = await owner.post(`/conversations/${conversation.id}/messages`, {
    content: text('Yes!'),
    contexts: [{ type: 'message', messageId: messages[0].id }],
  })
  await until(
    () => getStatus(reply.body.message.id),
    status => status !== 'pending',
  )
  const sent = (await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(from)}`)).body.items
  expect(sent[0].payload.context.message_id).toBe(messages[0].channelMessageId)
})

test('a new user has nothing unread; a reply marks the conversation read for its sender only', async () => {
  const summary = async (by: Client) => {
    const { count, conversations } = (await by.get('/users/me/unread-summary')).body
    return { count, conversations }
  }
  const write = async (from: string, body: string) => {
    await owner.post('/sandbox/inbound', { inboxId, from, content: text(body) })
    return until(
      () => lastMessageOf(from),
      message => message?.content.text.body === body,
    )
  }
  const [one, two] = [newPhone(), newPhone()]
  const old = await write(one, 'first')
  await write(one, 'second')
  const { conversationId } = await write(two, 'other')
  await owner.post(`/conversations/${conversationId}/close`)
  expect(await summary(owner)).toEqual({ count: 2, conversations: 1 })
  const agent = await workspace.user('agent')
  expect(await summary(agent)).toEqual({ count: 0, conversations: 0 })
  await write(one, 'third')
  await write(two, 'again')
  await write(newPhone(), 'new')
  for (const repeated of [1, 2])
    expect(await summary(agent), `count ${repeated}`).toEqual({ count: 3, conversations: 3 })
  expect(await summary(owner)).toEqual({ count: 6, conversations: 3 })
  const late = await workspace.user('agent')
  await write(one, 'fourth')
  await late.post(`/conversations/${old.conversationId}/read`, { lastMessageId: old.id })
  expect(await summary(late)).toEqual({ count: 1, conversations: 1 })
  await agent.post(`/conversations/${old.conversationId}/messages`, { content: text('Hello') })
  expect(await summary(agent)).toEqual({ count: 2, conversations: 2 })
  expect(await summary(owner)).toEqual({ count: 7, conversations: 3 })
  const key = await workspace.key()
  await key.post(`/conversations/${conversationId}/messages`, { content: text('Automatic') })
  expect(await summary(agent)).toEqual({ count: 2, conversations: 2 })
})

test('400 for a context with a message of another conversation, and for two messages', async () => {
  const send = (contexts: object[] = [], to = newPhone()) =>
    owner.post('/messages', {
      recipient: { type: 'phone', phoneNumber: to },
      inboxId,
      content: text('Hello'),
      contexts,
    })
  const quote = ({ body }: { body: { message: { id: string } } }) => ({
    type: 'message',
    messageId: body.message.id,
  })
  const to = newPhone()
  const first = await send([], to)
  const other = await send()
  const path = `/conversations/${first.body.conversation.id}/messages`
  const reply = (contexts: object[]) => owner.post(path, { content: text('Hi'), contexts })
  const refusal = (field: string, code: string) => ({ status: 400, body: { violations: [{ field, code }] } })
  expect(await reply([quote(other)])).toMatchObject(refusal('contexts[0].messageId', 'unknown_message'))
  expect(await send([quote(other)], to)).toMatchObject(refusal('contexts[0].messageId', 'unknown_message'))
  expect(await send([quote(other)])).toMatchObject(refusal('contexts[0].messageId', 'unknown_message'))
  const post = { type: 'resource', resource: { kind: 'post', id: '1' } }
  expect(await reply([quote(first), post, quote(first)])).toMatchObject(refusal('contexts[2]', 'duplicate'))
  expect((await reply([post, quote(first)])).status).toBe(202)
})

test('messages of one conversation are sent in the order they were accepted', async () => {
  const to = newPhone()
  const first = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: to },
    inboxId,
    content: text('0'),
  })
  for (let i = 1; i < 20; i++)
    await owner.post(`/conversations/${first.body.conversation.id}/messages`, { content: text(String(i)) })
  const items = await until(
    async () => (await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(to)}`)).body.items,
    found => found.length === 20,
  )
  expect(items.map((item: { payload: { text: { body: string } } }) => item.payload.text.body)).toEqual(
    Array.from({ length: 20 }, (_, i) => String(i)),
  )
})

describe('twenty concurrently', () => {
  test('first messages to one number: one contact, one conversation, one open session', async () => {
    const to = newPhone()
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        owner.post('/messages', {
          recipient: { type: 'phone', phoneNumber: to },
          inboxId,
          content: text(`${i}`),
        }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(202))
    expect(new Set(responses.map(({ body }) => body.conversation.id)).size).toBe(1)
    expect(new Set(responses.map(({ body }) => body.conversation.contactId)).size).toBe(1)
  })
  test('two first messages each to twenty numbers on two inboxes: each number has one contact and its messages', async () => {
    const people = Array.from({ length: 20 }, newPhone)
    const other = await connect(owner)
    const sent = await Promise.all(
      people.flatMap((to, i) =>
        ['one', 'two'].map(async body => {
          const recipient = { type: 'phone', phoneNumber: to }
          const from = i % 2 === 0 ? inboxId : other
          const response = await owner.post('/messages', { recipient, inboxId: from, content: text(body) })
          expect(response.status).toBe(202)
          return { to, body, ...response.body }
        }),
      ),
    )
    for (const to of people) {
      const [first, second] = sent.filter(message => message.to === to)
      expect(second.conversation.contactId).toBe(first.conversation.contactId)
      expect(first.conversation).toMatchObject({ id: second.conversation.id, externalId: to, status: 'open' })
      const { messages } = (await owner.get(`/conversations/${first.conversation.id}/messages`)).body
      expect(messages.map(({ id }: { id: string }) => id).sort()).toEqual(
        [first.message.id, second.message.id].sort(),
      )
    }
    expect(new Set(sent.map(({ conversation }) => conversation.contactId)).size).toBe(20)
  })
  test('first messages from one number: one contact, one conversation, twenty messages', async () => {
    const from = newPhone()
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        owner.post('/sandbox/inbound', { inboxId, from, content: text(`${i}`) }),
      ),
    )
    const [conversation] = await until(
      async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations,
      found => found.length > 0,
    )
    const messages = await until(
      async () => (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages,
      found => found.length === 20,
    )
    expect(
      new Set(messages.map(({ content }: { content: { text: { body: string } } }) => content.text.body)).size,
    ).toBe(20)
    expect(
      (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations,
    ).toHaveLength(1)
  })
})

test('a closed conversation is reopened by the next inbound message; closing twice has no effect', async () => {
  const from = newPhone()
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('one') })
  const find = async () =>
    (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations[0]
  const { id } = await until(find, found => found !== undefined)
  for (let i = 0; i < 2; i++) expect((await owner.post(`/conversations/${id}/close`)).status).toBe(200)
  expect((await find()).status).toBe('closed')
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('two') })
  await until(find, found => found.status === 'open' && found.lastMessagePreview === 'two')
})

test('STOP: later messages fail with opted_out until START', async () => {
  const from = newPhone()
  await owner.post('/sandbox/inbound', { inboxId, from, content: text(' Stop ') })
  const { id } = await until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations[0],
    found => found !== undefined,
  )
  const refused = await owner.post(`/conversations/${id}/messages`, { content: text('Really?') })
  await until(
    async () => (await owner.get(`/messages/${refused.body.message.id}`)).body.message,
    message => message.deliveryError?.code === 'opted_out',
  )
  expect((await owner.get(`/conversations/${id}`)).body.window.agent).toEqual({
    canReply: false,
    reason: 'opted_out',
  })
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('START') })
  await until(
    async () => (await owner.get(`/conversations/${id}`)).body.window.agent.canReply,
    canReply => canReply === true,
  )
  const welcome = await owner.post(`/conversations/${id}/messages`, { content: text('Welcome back') })
  await until(
    () => getStatus(welcome.body.message.id),
    status => status !== 'pending' && status !== 'failed',
  )
})

test('a repeated clientMessageId returns the first message; 422 for another body', async () => {
  const send = (body: string) =>
    owner.post('/messages', {
      recipient: { type: 'phone', phoneNumber: '+14155550999' },
      inboxId,
      content: text(body),
      clientMessageId: 'mine-1',
    })
  const first = await send('once')
  const again = await send('once')
  expect(again.body.message.id).toBe(first.body.message.id)
  expect(await send('twice')).toMatchObject({ status: 422, body: { code: 'message_client_id_reused' } })
})

test('404 for agents of another team, as if the conversation did not exist', async () => {
  const other = (await owner.post('/teams', { name: 'Others' })).body.id
  const outsider = await workspace.user('agent', [workspace.teamId])
  const routed = await connect(owner)
  await owner.put(`/inboxes/${routed}/team`, { teamId: other })
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId: routed,
    content: text('hi'),
  })
  const { conversation, message } = sent.body
  expect(conversation.activeOwner).toEqual({ type: 'team', id: other })
  for (const path of [
    `/conversations/${conversation.id}`,
    `/conversations/${conversation.id}/messages`,
    `/messages/${message.id}`,
  ]) {
    expect((await outsider.get(path)).status, path).toBe(404)
  }
  expect(
    (await outsider.post(`/conversations/${conversation.id}/messages`, { content: text('x') })).status,
  ).toBe(404)
  expect(
    (
      await outsider.post('/messages', {
        recipient: { type: 'phone', phoneNumber: conversation.externalId },
        inboxId: routed,
        content: text('x'),
      })
    ).body.code,
  ).toBe('recipient_not_found')
  expect(
    (await outsider.get(`/conversations?search=${encodeURIComponent(conversation.externalId)}`)).body
      .conversations,
  ).toEqual([])
  await owner.post(`/conversations/${conversation.id}/reassign`, { userId: outsider.id })
  expect((await outsider.get(`/conversations/${conversation.id}`)).status).toBe(200)
  expect((await owner.delete(`/teams/${other}`)).body.code).toBe('team_in_use')
})

test("templates are validated against the provider's: unknown names and extra parameters are violations", async () => {
  const recipient = { type: 'phone', phoneNumber: newPhone() }
  const template = (name: string, components?: unknown[]) => ({
    type: 'template',
    template: { name, language: 'en_US', ...(components ? { components } : {}) },
  })
  const fine = await owner.post('/messages', { recipient, inboxId, content: template('hello_world') })
  expect(fine.status, JSON.stringify(fine.body)).toBe(202)
  expect(
    await owner.post('/messages', { recipient, inboxId, content: template('no_such_template') }),
  ).toMatchObject({
    status: 400,
    body: { violations: [{ field: 'content.template.name', code: 'template_unknown' }] },
  })
  const extra = template('hello_world', [{ type: 'body', parameters: [{ type: 'text', text: 'x' }] }])
  expect(
    (await owner.post('/messages', { recipient, inboxId, content: extra })).body.violations[0].code,
  ).toBe('extra_parameter')
})

test('400 for an unknown flow and for one that is not published; a published one is sent', async () => {
  const recipient = { type: 'phone', phoneNumber: newPhone() }
  const send = (flowId: string) => {
    const actions = [{ type: 'flow', title: 'Open', flowId }]
    const content = { type: 'rich', rich: { body: { text: 'How did we do?' }, actions } }
    return owner.post('/messages', { recipient, inboxId, content })
  }
  const [published] = (await owner.get(`/inboxes/${inboxId}/chatapp/flows`)).body.flows
  const toFlowId = (name: string) => hashDigits(`${businessAccount}/flow/${name}`, 16, '8')
  expect(published.id).toBe(toFlowId(published.name))
  const field = 'content.rich.actions[0].flowId'
  expect(await send('12345')).toMatchObject({
    status: 400,
    body: { violations: [{ field, code: 'flow_unknown' }] },
  })
  for (const { name, status } of flows.filter(flow => flow.status !== 'PUBLISHED')) {
    const message = `is ${status.toLowerCase()}, not published`
    expect(await send(toFlowId(name))).toMatchObject({
      status: 400,
      body: { violations: [{ field, code: 'flow_not_published', message }] },
    })
  }
  const sent = await send(published.id)
  expect(sent.status).toBe(202)
  await until(
    () => getStatus(sent.body.message.id),
    status => status === 'delivered' || status === 'read',
  )
})

test('400 for text without a visible character', async () => {
  const recipient = { type: 'phone', phoneNumber: newPhone() }
  const card = (body: string, title = 'Yes') => ({
    type: 'rich',
    rich: { body: { text: body }, actions: [{ type: 'reply', id: 'yes', title }] },
  })
  for (const [content, field] of [
    [text(' \n\t'), 'content.text.body'],
    [text('\u200b\u200d\ufeff\u2060'), 'content.text.body'],
    [text('\u3164 \u2800'), 'content.text.body'],
    [card('\u00a0'), 'content.rich.body.text'],
    [card('Ready?', '\u200b'), 'content.rich.actions[0].title'],
  ] as const)
    expect(await owner.post('/messages', { recipient, inboxId, content })).toMatchObject({
      status: 400,
      body: { violations: [{ field, code: 'blank' }] },
    })
  for (const body of ['.', '👩‍👧', 'مرحبا', ' x '])
    expect((await owner.post('/messages', { recipient, inboxId, content: text(body) })).status).toBe(202)
})

test('409 with handling=strict for a message that would fail', async () => {
  const from = newPhone()
  await owner.post('/sandbox/inbound', { inboxId, from, content: text('STOP') })
  const { id } = await until(
    async () => (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations[0],
    found => found !== undefined,
  )
  const before = (await owner.get(`/conversations/${id}/messages`)).body.messages.length
  expect(
    await owner.post(`/conversations/${id}/messages`, { content: text('x') }, { prefer: 'handling=strict' }),
  ).toMatchObject({ status: 409, body: { code: 'opted_out' } })
  expect((await owner.get(`/conversations/${id}/messages`)).body.messages).toHaveLength(before)
})

test('an expired token degrades the inbox; messages wait and are sent after new credentials', async () => {
  const number = newNumber()
  const own = await connect(owner, number)
  const to = newPhone()
  await service.sandbox.control.setFaults({ requests: [{ answer: 'tokenExpired' }] }, [
    { channel: 'chatapp', account: number },
  ])
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: to },
    inboxId: own,
    content: text('waiting'),
  })
  const inbox = async () =>
    (await owner.get('/inboxes')).body.inboxes.find(({ id }: { id: string }) => id === own)
  await until(inbox, found => found.status.reasons.includes('auth_expired'))
  expect(await getStatus(sent.body.message.id)).toBe('pending')
  await service.sandbox.control.clearFaults([{ channel: 'chatapp', account: number }])
  expect((await owner.put(`/inboxes/${own}/credentials`, { authToken: 'a-new-one' })).status).toBe(200)
  await until(
    () => getStatus(sent.body.message.id),
    status => status !== 'pending' && status !== 'failed',
  )
  expect((await inbox()).status).toEqual({ state: 'active', reasons: [] })
})

test('after merging contacts the conversation belongs to the remaining contact', async () => {
  const [first, second] = [newPhone(), newPhone()]
  const send = (to: string) =>
    owner.post('/messages', { recipient: { type: 'phone', phoneNumber: to }, inboxId, content: text('hi') })
  const [a, b] = [(await send(first)).body.conversation, (await send(second)).body.conversation]
  expect((await owner.post(`/contacts/${a.contactId}/merge`, { intoContactId: b.contactId })).status).toBe(
    200,
  )
  expect((await owner.get(`/conversations/${a.id}`)).body.contactId).toBe(b.contactId)
  expect((await owner.get(`/contacts/${a.contactId}`)).body.id).toBe(b.contactId)
})

test('deleting an inbox closes its conversations and releases the number', async () => {
  const number = newNumber()
  const own = await connect(owner, number)
  const sent = await owner.post('/messages', {
    recipient: { type: 'phone', phoneNumber: newPhone() },
    inboxId: own,
    content: text('hi'),
  })
  await until(
    () => getStatus(sent.body.message.id),
    status => status !== 'pending',
  )
  expect((await owner.delete(`/inboxes/${own}`)).status).toBe(204)
  await until(
    async () => (await owner.get(`/conversations/${sent.body.conversation.id}`)).body,
    found => found.status === 'closed',
  )
  expect(await connect(owner, number)).not.toBe(own)
})

test('401 for forged callbacks', async () => {
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [] })
  for (const headers of [{}, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }]) {
    const response = await fetch(`${service.url}/v1/channels/chatapp/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
      body,
    })
    expect(response.status).toBe(401)
  }
  expect(
    (await fetch(`${service.url}/v1/channels/sms/ibx_nobody/inbound`, { method: 'POST', body: 'From=1' }))
      .status,
  ).toBe(401)
})

test('400 lists the invalid fields', async () => {
  const to = { type: 'phone', phoneNumber: newPhone() }
  const invalidFields = async (message: unknown) => {
    const { status, body } = await owner.post('/messages', message)
    expect(status, JSON.stringify(body)).toBe(400)
    return body.violations.map(({ field }: { field: string }) => field)
  }
  expect(await invalidFields({ recipient: to, content: text('no inbox') })).toEqual(['inboxId'])
  expect(await invalidFields({ recipient: to, inboxId, content: { type: 'film', film: {} } })).toEqual([
    'content.type',
  ])
  expect(
    await invalidFields({ recipient: to, inboxId, content: { ...text('a'), media: { mediaId: 'x' } } }),
  ).toEqual(['content.media'])
  expect(await invalidFields({ recipient: to, inboxId, content: text('x'.repeat(5000)) })).toEqual([
    'content.text.body',
  ])
  expect(
    await invalidFields({ recipient: { type: 'phone', phoneNumber: '12' }, inboxId, content: text('a') }),
  ).toEqual(['recipient.phoneNumber'])
})
