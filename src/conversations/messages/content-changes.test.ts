/** Tests messages whose content changes after they were stored: edits, withdrawals and rendered templates. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { findInbox } from '../../inboxes/inboxes.ts'
import { sql } from '../../platform/db/sql.ts'
import { acceptFirst } from '../outbound/accept-message.ts'

const service = await testService()
let owner: Client
let tenantId: string
let social: string
let chat: string
let count = 0

beforeAll(async () => {
  const workspace = await service.workspace()
  ;({ owner, tenantId } = workspace)
  const connect = async (body: object) => (await owner.post('/inboxes', body)).body.inboxes[0].id
  social = await connect({ socialapp: { resourceIds: ['17849001'] } })
  chat = await connect({ chatapp: { resourceIds: ['9001'], phoneNumberIds: ['90011'] } })
})

const text = (body: string) => ({ type: 'text', text: { body } })
const receive = (from: string, content: object) =>
  owner.post('/sandbox/inbound', { inboxId: social, from, content })
const newCustomer = () => `9001${String(1000 + count++)}`

async function findConversation(address: string) {
  return (await owner.get(`/conversations?search=${encodeURIComponent(address)}`)).body.conversations[0]
}

async function listMessages(address: string) {
  const conversation = await findConversation(address)
  return conversation ? (await owner.get(`/conversations/${conversation.id}/messages`)).body.messages : []
}

/** Sends content as the customer, and returns its message. */
async function write(from: string, content: object) {
  const known = (await listMessages(from)).length
  await receive(from, content)
  const messages = await until(
    () => listMessages(from),
    found => found.length > known,
  )
  return messages[0]
}

const waitForContent = (
  id: string,
  isDone: (content: { type: string; text?: { body: string } }) => boolean,
) =>
  until(
    async () => (await owner.get(`/messages/${id}`)).body.message,
    ({ content }) => isDone(content),
  )
const edit = (message: { channelMessageId: string }, body: string) => ({
  type: 'edited',
  edited: { providerMessageId: message.channelMessageId, text: body },
})
const withdraw = (message: { channelMessageId: string }) => ({
  type: 'deleted',
  deleted: { providerMessageId: message.channelMessageId },
})

async function listUpdates(messageId: string) {
  const rows = await until(
    () =>
      service.deps.db.rows<{ data: { message: { content: object }; conversation: object } }>(sql`
        select data from event_log where tenant_id = ${tenantId} and type = 'message.updated'
          and data->'message'->>'id' = ${messageId} order by seq`),
    found => found.length > 0,
  )
  return rows.map(row => row.data)
}

test("an edit changes the customer's message and the preview, and is emitted", async () => {
  const from = newCustomer()
  const message = await write(from, text('I want too'))
  await receive(from, edit(message, 'I want two'))
  const edited = await waitForContent(message.id, content => content.text?.body === 'I want two')
  expect(edited).toMatchObject({
    content: { type: 'text', text: { body: 'I want two', editedAt: expect.any(String) } },
    deliveryStatus: 'received',
    timeline: [{ type: 'edited' }],
  })
  expect(edited.updatedAt > message.updatedAt).toBe(true)
  expect((await findConversation(from)).lastMessagePreview).toBe('I want two')
  expect(await listUpdates(message.id)).toMatchObject([
    {
      message: { content: { text: { body: 'I want two' } } },
      conversation: { lastMessagePreview: 'I want two' },
    },
  ])
  await write(from, text('Please'))
  await receive(from, edit(message, 'I want three'))
  await waitForContent(message.id, content => content.text?.body === 'I want three')
  expect((await findConversation(from)).lastMessagePreview).toBe('Please')
})

test('a withdrawn message is shown as deleted and stays so; its file is deleted', async () => {
  const from = newCustomer()
  const first = await write(from, text('A secret'))
  const picture = await write(from, { type: 'media', media: { kind: 'image' } })
  const { mediaId } = picture.content.media
  await until(
    async () => (await owner.get(`/media/${mediaId}`)).body.ready,
    ready => ready === true,
  )
  for (const message of [first, picture]) {
    await receive(from, withdraw(message))
    const { content } = await waitForContent(message.id, ({ type }) => type === 'deleted')
    expect(content).toEqual({ type: 'deleted', deleted: { at: expect.any(String) } })
  }
  expect((await findConversation(from)).lastMessagePreview).toBe('[deleted]')
  expect((await owner.get(`/media/${mediaId}`)).status).toBe(404)
  expect(await listUpdates(first.id)).toMatchObject([{ message: { content: { type: 'deleted' } } }])
  await receive(from, edit(first, 'Back again'))
  await write(from, text('After'))
  expect((await owner.get(`/messages/${first.id}`)).body.message.content.type).toBe('deleted')
})

test('withdrawing a message with several files withdraws each of them', async () => {
  const from = newCustomer()
  const mid = `mid.${from}`
  const file = (n: number) => ({ type: 'image', payload: { url: `/samples/image?${n}` } })
  const raw = { message: { mid, text: 'Two', attachments: [file(1), file(2)] } }
  await receive(from, { type: 'raw', raw })
  await until(
    () => listMessages(from),
    found => found.length === 2,
  )
  await receive(from, withdraw({ channelMessageId: mid }))
  await until(
    () => listMessages(from),
    found => found.every(({ content }: { content: { type: string } }) => content.type === 'deleted'),
  )
})

test('a template message has the text that the customer sees, which is also its preview', async () => {
  const parameters = (...values: string[]) => values.map(value => ({ type: 'text', text: value }))
  const content = {
    type: 'template',
    template: {
      name: 'order_update',
      language: 'en_US',
      components: [
        { type: 'header', parameters: parameters('1042') },
        {
          type: 'body',
          parameters: [
            ...parameters('Ana', '1042'),
            { type: 'dateTime', dateTime: { fallbackValue: 'due on Monday' } },
          ],
        },
        { type: 'button', subType: 'url', index: 1, parameters: parameters('1042') },
      ],
    },
  }
  const recipient = { type: 'phone', phoneNumber: `+1415557${1000 + count++}` }
  const sent = await owner.post('/messages', { recipient, inboxId: chat, content })
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  const body = 'Hi Ana, your order 1042 is now due on Monday.'
  const { renderedText } = sent.body.message.content.template
  expect(renderedText).toMatch(/^Order 1042\n\nHi Ana, your order 1042 is now due on Monday\.\n\n/)
  expect(sent.body.conversation.lastMessagePreview).toContain(body)
  const { message, conversation } = (await owner.get(`/messages/${sent.body.message.id}`)).body
  expect(message.content.template.renderedText).toBe(renderedText)
  expect(conversation.lastMessagePreview).toContain(body)
  const named = {
    type: 'template',
    template: {
      name: 'payment_due',
      language: 'en_US',
      components: [
        {
          type: 'body',
          parameters: Object.entries({ amount: '$5', due_date: 'Monday', first_name: 'Bo' }).map(
            ([name, value]) => ({ type: 'text', name, text: value }),
          ),
        },
      ],
    },
  }
  const second = await owner.post('/messages', { recipient, inboxId: chat, content: named })
  expect(second.body.conversation.lastMessagePreview).toBe('Dear Bo, $5 is due on Monday.')
  const given = { ...content, template: { ...content.template, renderedText: 'Mine' } }
  expect((await owner.post('/messages', { recipient, inboxId: chat, content: given })).status).toBe(400)
})

test('a template of a journey has the text that the customer sees', async () => {
  const content = { type: 'template', template: { name: 'ask_phone', language: 'en_US' } }
  const definition = {
    nodes: [
      { id: 'start', type: 'start', data: { triggerConfig: { type: 'contact_created' } } },
      { id: 'send', type: 'sendMessage', data: { content, inboxId: chat } },
    ],
    edges: [{ id: 'edge', source: 'start', target: 'send' }],
  }
  const created = await owner.post('/journeys', { name: 'Welcome', definition })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const { id } = created.body
  const published = await owner.post(`/journeys/${id}/publish`)
  expect(published.status, JSON.stringify(published.body)).toBe(200)
  await owner.post(`/journeys/${id}/activate`)
  const phone = `+1415557${1000 + count++}`
  await owner.post('/contacts', { phone })
  const conversation = await until(
    () => findConversation(phone),
    found => found !== undefined && found.lastMessageSender === 'journey',
  )
  expect(conversation.lastMessagePreview).toBe('May we have your phone number?')
  await owner.post(`/journeys/${id}/pause`)
})

test('the text of a template that was not known on acceptance is stored on delivery', async () => {
  const inbox = (await findInbox(service.deps.db, tenantId, chat))!
  const template = { name: 'feedback_form', language: 'en_US' }
  const accepted = await acceptFirst(service.deps, {
    inbox,
    counterpart: { externalId: `+1415557${1000 + count++}` },
    draft: {
      sender: { type: 'journey', id: 'jrn_1' },
      content: { type: 'template', template },
      context: [],
    },
  })
  expect(accepted!.conversation.lastMessagePreview).toBe('[template feedback_form]')
  const { body } = await until(
    () => owner.get(`/messages/${accepted!.message.id}`),
    answer => answer.body.message.deliveryStatus !== 'pending',
  )
  expect(body).toMatchObject({
    message: { content: { template: { ...template, renderedText: 'How did we do?' } } },
    conversation: { lastMessagePreview: 'How did we do?' },
  })
})
