/** Chatbots in conversations: replies, handover and takeover. */
import { beforeAll, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import { sql } from '../../../platform/db/sql.ts'
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
let inboxId: string
let teamId: string
let agents: Client[]

beforeAll(async () => {
  workspace = await service.workspace()
  owner = await workspace.key()
  inboxId = await connectInbox(owner, '7101')
  teamId = (await expectStatus(owner.post('/teams', { name: 'Help' }), 201)).id
  agents = [await workspace.user('agent', [teamId]), await workspace.user('agent', [teamId])]
  await expectStatus(owner.put(`/inboxes/${inboxId}/team`, { teamId }), 200)
  await createChatbot(
    owner,
    {
      trigger: { type: 'conversation_started' },
      nodes: {
        menu: [
          'menu',
          {
            content: text('How can we help?'),
            options: [
              { id: 'order', title: 'My order' },
              { id: 'person', title: 'A person' },
            ],
            timeout: { minutes: 10 },
          },
        ],
        mail: [
          'ask',
          {
            content: text('Your e-mail address?'),
            retryContent: text('That is no e-mail address.'),
            variable: 'mail',
            validate: 'email',
            retries: 2,
            timeout: { minutes: 10 },
          },
        ],
        thanks: ['sendMessage', { content: text('Thank you, we write to {{variables.mail}}.') }],
        sorry: ['sendMessage', { content: text('A colleague will help.') }],
        late: ['sendMessage', { content: text('Are you still there?') }],
        assign: ['assign', { strategy: 'roundRobin', teamId }],
        close: ['closeConversation'],
      },
      edges: [
        'start > menu',
        'menu:order > mail',
        'menu:person > sorry',
        'menu:other > sorry',
        'menu:timeout > late',
        'late > close',
        'mail:answered > thanks',
        'mail:invalid > sorry',
        'sorry > assign',
      ],
    },
    [teamId],
  )
})

const gets = (phone: string, messages: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(messages),
  )
const conversationOf = async (phone: string): Promise<Run> =>
  (await expectStatus(owner.get(`/conversations?search=${encodeURIComponent(phone)}`), 200)).conversations[0]

test('menu by button, validated free text, and a reply with the stored answer', async () => {
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['How can we help?'])
  expect((await conversationOf(phone)).activeOwner.type).toBe('bot')
  await receiveMessage(owner, inboxId, phone, { type: 'reply', reply: { id: 'order', title: 'My order' } })
  await gets(phone, ['How can we help?', 'Your e-mail address?'])
  await receiveMessage(owner, inboxId, phone, 'no')
  await gets(phone, ['How can we help?', 'Your e-mail address?', 'That is no e-mail address.'])
  await receiveMessage(owner, inboxId, phone, 'ann@example.com')
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.at(-1) === 'Thank you, we write to ann@example.com.',
  )
  // The bot has completed its run in this session and does not start again.
  await receiveMessage(owner, inboxId, phone, 'Thanks')
  await until(
    () => conversationOf(phone),
    one => one.lastMessagePreview === 'Thanks',
  )
  expect(await listSentTexts(owner, inboxId, phone)).toHaveLength(4)
})

const takenBy = async (phone: string): Promise<string> =>
  (
    await until(
      () => conversationOf(phone),
      one => one.activeOwner?.type === 'user',
    )
  ).activeOwner.id

test('invalid replies and a request for a person hand over to agents in rotation', async () => {
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['How can we help?'])
  for (const [i, said] of ['my ORDER', 'x', 'y'].entries()) {
    await receiveMessage(owner, inboxId, phone, said)
    await until(
      () => listSentTexts(owner, inboxId, phone),
      sent => sent.length === i + 2,
    )
  }
  await receiveMessage(owner, inboxId, phone, 'z')
  const owners = [await takenBy(phone)]
  for (let i = 0; i < 2; i++) {
    const other = newPhone()
    await receiveMessage(owner, inboxId, other, 'Hello')
    await gets(other, ['How can we help?'])
    await receiveMessage(owner, inboxId, other, { type: 'reply', reply: { id: 'person', title: 'A person' } })
    owners.push(await takenBy(other))
  }
  const [first, second, third] = owners
  expect(new Set([first, second])).toEqual(new Set(agents.map(agent => agent.id)))
  expect(third).toBe(first)
})

test('timeout: reminds the customer and closes the conversation; a new session starts a new run', async () => {
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['How can we help?'])
  service.deps.clock.advance(11 * 60_000)
  await gets(phone, ['How can we help?', 'Are you still there?'])
  await until(
    () => conversationOf(phone),
    one => one.status === 'closed',
  )
  await receiveMessage(owner, inboxId, phone, 'I am back')
  await gets(phone, ['How can we help?', 'Are you still there?', 'How can we help?'])
})

test('messages in quick succession are one reply', async () => {
  const phone = newPhone()
  await Promise.all(['Hello', 'are you there', '??'].map(one => receiveMessage(owner, inboxId, phone, one)))
  await gets(phone, ['How can we help?'])
  await until(
    async () => (await conversationOf(phone)).lastMessageSender,
    sender => sender === 'bot',
  )
  expect(await listSentTexts(owner, inboxId, phone)).toEqual(['How can we help?'])
})

test('a reply of a user takes the conversation over, and the bot stops', async () => {
  const agent = await workspace.user('admin')
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['How can we help?'])
  const { id } = await conversationOf(phone)
  await expectStatus(
    agent.post(`/conversations/${id}/messages`, { content: text('Hi, this is a person.') }),
    202,
  )
  await receiveMessage(owner, inboxId, phone, { type: 'reply', reply: { id: 'order', title: 'My order' } })
  const taken = await until(
    () => conversationOf(phone),
    one => one.activeOwner?.type === 'user' && one.lastMessagePreview === 'My order',
  )
  expect(taken.activeOwner.id).toBe(agent.id)
  const runs = await service.deps.db.rows(
    sql`select status, end_reason as reason from workflow_runs where conversation_id = ${id}`,
  )
  expect(runs).toEqual([{ status: 'completed', reason: 'taken_over' }])
  expect(await listSentTexts(owner, inboxId, phone)).toEqual(['How can we help?', 'Hi, this is a person.'])
})
