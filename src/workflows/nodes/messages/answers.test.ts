/** Answers of customers to `ask`, through the service: numbers in the form of their country, and files. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  connectInbox,
  createChatbot,
  expectStatus,
  listSentTexts,
  newPhone,
  receiveMessage,
  text,
} from '../../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeAll(async () => {
  owner = (await service.workspace()).owner
  inboxId = await connectInbox(owner, '7501')
  await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: {
      ask: ['ask', { content: text('How much?'), variable: 'amount', validate: 'number' }],
      thanks: ['sendMessage', { content: text('Noted: {{variables.amount}}') }],
    },
    edges: ['start > ask', 'ask:answered > thanks'],
  })
})

const gets = (phone: string, texts: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(texts),
  )

let germans = 12_345_678

test.each([
  ['the United States', 'Noted: 1500', newPhone],
  ['Germany', 'Noted: 1.5', () => `+49151${germans++}`],
])('1,500 from %s is %s', async (_country, expected, createPhone) => {
  const phone = createPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['How much?'])
  await receiveMessage(owner, inboxId, phone, '1,500')
  await gets(phone, ['How much?', expected])
})

test('a number that cannot be read is asked for again', async () => {
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['How much?'])
  await receiveMessage(owner, inboxId, phone, '1,2,3')
  await gets(phone, ['How much?', 'How much?'])
  await receiveMessage(owner, inboxId, phone, '$20')
  await gets(phone, ['How much?', 'How much?', 'Noted: 20'])
})

test('a photo answers a question for a file; a text does not', async () => {
  const { owner: other } = await service.workspace()
  const inbox = await connectInbox(other, '7502')
  await createChatbot(other, {
    trigger: { type: 'message_received' },
    nodes: {
      ask: ['ask', { content: text('Send a photo.'), variable: 'photo', validate: 'media' }],
      thanks: ['sendMessage', { content: text('Photo: {{variables.photo.caption}}') }],
    },
    edges: ['start > ask', 'ask:answered > thanks'],
  })
  const phone = newPhone()
  const receives = (texts: string[]) =>
    until(
      () => listSentTexts(other, inbox, phone),
      sent => JSON.stringify(sent) === JSON.stringify(texts),
    )
  await receiveMessage(other, inbox, phone, 'Hello')
  await receives(['Send a photo.'])
  await receiveMessage(other, inbox, phone, 'I have none')
  await receives(['Send a photo.', 'Send a photo.'])
  const media = { mimeType: 'image/png', caption: 'the broken part' }
  await receiveMessage(other, inbox, phone, { type: 'media', media })
  await receives(['Send a photo.', 'Send a photo.', 'Photo: the broken part'])
})

test('400 for a locale that does not exist', async () => {
  const nodes = [
    { id: 's', type: 'start', data: {} },
    { id: 'a', type: 'ask', data: { content: text('?'), variable: 'a', validate: 'number', locale: 'd_e' } },
  ]
  const draft = { nodes, edges: [{ source: 's', target: 'a' }] }
  const { id } = await expectStatus(owner.post('/chatbots', { name: 'Bot', draft }), 201)
  const { violations } = await expectStatus(owner.post(`/chatbots/${id}/publish`), 400)
  expect(violations).toMatchObject([{ field: 'draft.nodes[1].data.locale', code: 'invalid_locale' }])
})
