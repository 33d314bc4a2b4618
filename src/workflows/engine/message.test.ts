/** Runs read the message that started them, live and in a simulation. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  listRuns,
  listSentTexts,
  newPhone,
  receiveMessage,
  text,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeEach(async () => {
  owner = (await service.workspace()).owner
  inboxId = await connectInbox(owner, '7301')
})

const reply = text('You wrote "{{message.text}}" ({{event.name}}: {{event.text | default: "-"}})')
const workflow = (trigger: { type: string; [property: string]: unknown }) => ({
  trigger,
  nodes: { reply: ['sendMessage', { content: reply }] as [string, Record<string, unknown>] },
  edges: ['start > reply'],
})
const gets = (phone: string, messages: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(messages),
  )
const simulateSend = async (path: string, body: object) => {
  const { effects, endReason } = await expectStatus(owner.post(`${path}/simulate`, body), 200)
  expect(endReason).toBe('end_of_path')
  return effects[0].input[0].content.text.body
}

test.each([
  ['message_received', 'You wrote "Hi, I am Ada" (message.created: Hi, I am Ada)'],
  ['conversation_started', 'You wrote "Hi, I am Ada" (conversation.started: -)'],
])('a journey started by %s reads the message, and its simulation the same', async (type, expected) => {
  const id = await createJourney(owner, workflow({ type }))
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hi, I am Ada')
  await gets(phone, [expected])
  const message = 'Hi, I am Ada'
  expect(await simulateSend(`/journeys/${id}`, { message, contact: { phone: newPhone() } })).toBe(expected)
})

test.each(['message_received', 'conversation_started'])(
  'a chatbot started by %s reads the message, and its simulation the same',
  async type => {
    const id = await createChatbot(owner, workflow({ type }))
    const phone = newPhone()
    await receiveMessage(owner, inboxId, phone, 'Hello')
    const expected = 'You wrote "Hello" (message.created: Hello)'
    await gets(phone, [expected])
    expect(await simulateSend(`/chatbots/${id}`, { message: 'Hello' })).toBe(expected)
  },
)

test('a conversation that the team starts has no message of the customer', async () => {
  const id = await createJourney(owner, workflow({ type: 'conversation_started' }))
  const { id: contactId, phone } = await createContact(owner)
  const content = { type: 'template', template: { name: 'hello_world', language: 'en_US' } }
  await expectStatus(
    owner.post('/messages', { recipient: { type: 'phone', phoneNumber: phone }, inboxId, content }),
    202,
  )
  await until(
    () => listRuns(owner, id, `?contactId=${contactId}`),
    runs => runs.length === 1,
  )
  const run = await waitForRun(owner, id, 'completed', contactId)
  expect(run.event).toEqual({ name: 'conversation.started', key: null, data: {} })
})

test('a journey started by campaign_replied reads the reply, and its simulation the same', async () => {
  const { phone } = await createContact(owner)
  await receiveMessage(owner, inboxId, phone, 'Hello') // opens the window
  const id = await createJourney(owner, workflow({ type: 'campaign_replied' }))
  const segment = await expectStatus(
    owner.post('/segments', { name: 'All', filter: { match: 'all', conditions: [] } }),
    201,
  )
  const campaign = await expectStatus(owner.post('/campaigns', { name: 'Invitation' }), 201)
  const invitation = { inboxId, segmentId: segment.id, content: text('Come to our party') }
  await expectStatus(owner.patch(`/campaigns/${campaign.id}`, invitation), 200)
  await expectStatus(owner.post(`/campaigns/${campaign.id}/schedule`, { sendAt: 'now' }), 200)
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.length === 1,
  )
  await receiveMessage(owner, inboxId, phone, 'I will come')
  const expected = 'You wrote "I will come" (campaign.replied: I will come)'
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.at(-1) === expected,
  )
  expect(await simulateSend(`/journeys/${id}`, { message: 'I will come' })).toBe(expected)
})
