/** Several bots share a team, and no customer's message stays with a bot that does not reply to it. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  connectInbox,
  createChatbot,
  expectStatus,
  listSentTexts,
  newPhone,
  type Run,
  receiveMessage,
  text,
} from '../../testing/fixtures.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let agent: Client
let inboxId: string
let teamId: string

beforeEach(async () => {
  workspace = await service.workspace()
  owner = await workspace.key()
  inboxId = await connectInbox(owner, '7103')
  teamId = (await expectStatus(owner.post('/teams', { name: 'Help' }), 201)).id
  agent = await workspace.user('agent', [teamId])
  await expectStatus(owner.put(`/inboxes/${inboxId}/team`, { teamId }), 200)
})

const gets = (phone: string, messages: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(messages),
  )
const conversationOf = async (phone: string): Promise<Run> =>
  (await expectStatus(owner.get(`/conversations?search=${encodeURIComponent(phone)}`), 200)).conversations[0]
const ownerBecomes = (phone: string, expected: object | null) =>
  until(
    () => conversationOf(phone),
    one => JSON.stringify(one?.activeOwner ?? null) === JSON.stringify(expected),
  )
const unread = async () => (await expectStatus(agent.get('/users/me/unread-summary'), 200)) as Run

/** A bot that replies to messages with a keyword. */
const keywordBot = (
  keyword: string,
  reply: string,
  start: Record<string, unknown> = {},
  more: Partial<Parameters<typeof createChatbot>[1]> = {},
) =>
  createChatbot(
    owner,
    {
      trigger: { type: 'message_received', match: 'keyword', values: [keyword] },
      start,
      nodes: { reply: ['sendMessage', { content: text(reply) }], ...more.nodes },
      edges: ['start > reply', ...(more.edges ?? [])],
    },
    [teamId],
  )

test('a message that matches no trigger goes to the team and counts as unread', async () => {
  const bot = await keywordBot('hours', 'We are open from 9 to 18.')
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'What are your hours?')
  await gets(phone, ['We are open from 9 to 18.'])
  // The bot keeps the session: the next message may match again.
  await ownerBecomes(phone, { type: 'bot', id: bot })
  expect(await unread()).toMatchObject({ conversations: 0 })
  await receiveMessage(owner, inboxId, phone, 'And on Sunday?')
  await ownerBecomes(phone, { type: 'team', id: teamId })
  expect(await unread()).toMatchObject({ count: 2, conversations: 1 })
  expect(await listSentTexts(owner, inboxId, phone)).toEqual(['We are open from 9 to 18.'])
})

test('a bot that starts once per session releases it when its run ends', async () => {
  await createChatbot(
    owner,
    {
      trigger: { type: 'conversation_started' },
      nodes: { hello: ['sendMessage', { content: text('A colleague will reply soon.') }] },
      edges: ['start > hello'],
    },
    [teamId],
  )
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['A colleague will reply soon.'])
  await ownerBecomes(phone, { type: 'team', id: teamId })
  expect(await unread()).toMatchObject({ count: 1, conversations: 1 })
})

test('without a team the session is released to nobody', async () => {
  const other = await connectInbox(owner, '7104')
  await createChatbot(owner, {
    trigger: { type: 'message_received', match: 'keyword', values: ['hours'] },
    nodes: { reply: ['sendMessage', { content: text('From 9 to 18.') }] },
    edges: ['start > reply'],
  })
  const phone = newPhone()
  await receiveMessage(owner, other, phone, 'Hello')
  const row = await until(
    () => conversationOf(phone),
    one => one !== undefined && one.activeOwner === null,
  )
  expect(row.status).toBe('open')
})

test('a failed run releases the session', async () => {
  await createChatbot(
    owner,
    {
      trigger: { type: 'message_received' },
      nodes: { set: ['setVariable', { name: 'x', expression: '1 / 0' }] },
      edges: ['start > set'],
    },
    [teamId],
  )
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await ownerBecomes(phone, { type: 'team', id: teamId })
})

test('the first bot whose trigger matches takes the session, in the set order', async () => {
  const hours = await keywordBot('help', 'Hours bot')
  const orders = await keywordBot('help', 'Orders bot')
  const [first, second] = [newPhone(), newPhone()]
  await receiveMessage(owner, inboxId, first, 'help')
  await gets(first, ['Hours bot'])
  await ownerBecomes(first, { type: 'bot', id: hours })
  const answer = await expectStatus(owner.put('/chatbots/order', { chatbotIds: [orders] }), 200)
  expect(answer.chatbotIds).toEqual([orders, hours])
  expect((await owner.get(`/chatbots/${orders}`)).body.position).toBe(1)
  await receiveMessage(owner, inboxId, second, 'help')
  await gets(second, ['Orders bot'])
  await ownerBecomes(second, { type: 'bot', id: orders })
})

test('bots of the team come before bots for all teams, which take what they do not match', async () => {
  await keywordBot('hours', 'From 9 to 18.')
  const fallback = await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { reply: ['sendMessage', { content: text('I do not understand.') }] },
    edges: ['start > reply'],
  })
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['I do not understand.'])
  await ownerBecomes(phone, { type: 'bot', id: fallback })
  await receiveMessage(owner, inboxId, phone, 'Your hours?')
  await gets(phone, ['I do not understand.', 'From 9 to 18.'])
})

test('409 chatbot_scope_taken for an order in which an active bot is never reached', async () => {
  const hours = await keywordBot('hours', 'From 9 to 18.')
  const every = await createChatbot(
    owner,
    {
      trigger: { type: 'message_received' },
      nodes: { reply: ['sendMessage', { content: text('Hello') }] },
      edges: ['start > reply'],
    },
    [teamId],
  )
  const refused = await expectStatus(owner.put('/chatbots/order', { chatbotIds: [every, hours] }), 409)
  expect(refused.code).toBe('chatbot_scope_taken')
  expect(refused.detail).toContain(every)
  expect((await owner.get(`/chatbots/${hours}`)).body.position).toBe(1)
  const unknown = await expectStatus(owner.put('/chatbots/order', { chatbotIds: ['bot_no'] }), 400)
  expect(unknown.violations).toMatchObject([{ field: 'chatbotIds[0]', code: 'unknown_chatbot' }])
})

test('defaultReply answers a message that matches nothing, and the team gets the session', async () => {
  await keywordBot('hours', 'From 9 to 18.', {
    defaultReply: text('A colleague will reply, {{contact.name}}.'),
  })
  const phone = newPhone()
  await expectStatus(owner.post('/contacts', { name: 'Ann', phone }), 201)
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['A colleague will reply, Ann.'])
  await ownerBecomes(phone, { type: 'team', id: teamId })
  expect(await unread()).toMatchObject({ count: 1, conversations: 1 })
})

test('an edge from fallback handles a message that matches nothing', async () => {
  const bot = await keywordBot(
    'hours',
    'From 9 to 18.',
    {},
    {
      nodes: { sorry: ['sendMessage', { content: text('Write "hours", not "{{message.text}}".') }] },
      edges: ['start:fallback > sorry'],
    },
  )
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['Write "hours", not "Hello".'])
  await ownerBecomes(phone, { type: 'bot', id: bot })
  await receiveMessage(owner, inboxId, phone, 'hours')
  await gets(phone, ['Write "hours", not "Hello".', 'From 9 to 18.'])
})

test('400 for a fallback in a journey', async () => {
  const { id } = await expectStatus(
    owner.post('/journeys', {
      name: 'J',
      definition: {
        nodes: [
          { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } },
          { id: 'e', type: 'end', data: {} },
        ],
        edges: [
          { id: '1', source: 's', target: 'e' },
          { id: '2', source: 's', target: 'e', sourceHandle: 'fallback' },
        ],
      },
    }),
    201,
  )
  const refused = await expectStatus(owner.post(`/journeys/${id}/publish`), 400)
  expect(refused.violations).toMatchObject([
    { code: 'unknown_output', field: 'definition.edges[1].sourceHandle' },
  ])
})
