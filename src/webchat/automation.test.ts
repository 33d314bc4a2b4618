/** Tests that journeys, chatbots, campaigns, filters and greetings treat the web chat like the other channels. */
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { testService, until } from '../../test/harness/service.ts'
import { createChatbot, createJourney } from '../workflows/testing/fixtures.ts'
import type { WidgetMessage } from './schemas.ts'
import { createWebchat, startVisitor } from './testing/visitor.ts'

const service = await testService()
const text = (body: string) => ({ type: 'text', text: { body } })
const bodies = (messages: WidgetMessage[]) =>
  messages.map(({ content }) => (content as unknown as { text: { body: string } }).text.body)

test('a journey answers a visitor, and the greeting comes once', async () => {
  const { owner } = await service.workspace()
  const { inboxKey } = await createWebchat(owner, { greeting: 'Welcome' })
  await createJourney(owner, {
    trigger: { type: 'message_received', match: 'any' },
    nodes: { reply: ['sendMessage', { content: text('From the journey') }] },
    edges: ['start > reply'],
  })
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('STOP')
  const messages = await until(visitor.messages, all => all.length === 3)
  expect(bodies(messages).sort()).toEqual(['From the journey', 'STOP', 'Welcome'])
  expect(messages.slice(1).map(({ author }) => author.kind)).toEqual(['bot', 'bot'])
})

test('a chatbot offers a menu to a visitor, and the simulation of its draft sends the same', async () => {
  const { owner } = await service.workspace()
  const { inboxKey } = await createWebchat(owner)
  const options = [
    { id: 'red', title: 'Red' },
    { id: 'blue', title: 'Blue' },
  ]
  const draft = {
    nodes: [
      { id: 'start', type: 'start', data: { triggerConfig: { type: 'message_received' } } },
      { id: 'menu', type: 'menu', data: { content: text('Which colour?'), options } },
      { id: 'thanks', type: 'sendMessage', data: { content: text('Blue it is') } },
    ],
    edges: [
      { id: 'e1', source: 'start', target: 'menu' },
      { id: 'e2', source: 'menu', sourceHandle: 'blue', target: 'thanks' },
    ],
  }
  const { id } = (await owner.post('/chatbots', { name: 'Colours', draft })).body
  for (const step of ['publish', 'activate'])
    expect((await owner.post(`/chatbots/${id}/${step}`)).status).toBe(200)
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Hello')
  const [, card] = await until(visitor.messages, all => all.length === 2)
  const { rich } = card!.content as unknown as { rich: { actions: { id: string; title: string }[] } }
  expect(rich.actions.map(({ title }) => title)).toEqual(['Red', 'Blue'])
  const pressed = await visitor.post('/widget/messages', {
    clientMessageId: 'choice',
    content: { type: 'reply', reply: { id: rich.actions[1]!.id, title: 'Blue' } },
    replyTo: card!.id,
  })
  expect(pressed.status, JSON.stringify(pressed.body)).toBe(202)
  const messages = await until(visitor.messages, all => all.length === 4)
  expect(bodies(messages.slice(3))).toEqual(['Blue it is'])

  const contactId = (await owner.get('/conversations')).body.conversations[0].contactId
  const simulated = await owner.post(`/chatbots/${id}/simulate`, {
    contactId,
    message: 'Hello',
    inputs: [{ replyId: 'blue', message: 'Blue' }],
  })
  expect(simulated.status, JSON.stringify(simulated.body)).toBe(200)
  expect(simulated.body.path.map(({ nodeId }: { nodeId: string }) => nodeId)).toContain('thanks')
})

test('the form of a visitor answers the question of a chatbot', async () => {
  const { owner } = await service.workspace()
  const { inboxKey } = await createWebchat(owner)
  const request = { type: 'contactInfoRequest', contactInfoRequest: { body: { text: 'Where are you?' } } }
  await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: {
      email: ['ask', { content: request, variable: 'email', validate: 'email' }],
      phone: ['ask', { content: text('Phone?'), variable: 'phone', validate: 'phone' }],
      any: ['ask', { content: text('Anything else?'), variable: 'any' }],
      thanks: [
        'sendMessage',
        { content: text('{{variables.email}} / {{variables.phone}} / {{variables.any}}') },
      ],
    },
    edges: ['start > email', 'email:answered > phone', 'phone:answered > any', 'any:answered > thanks'],
  })
  const visitor = await startVisitor(service.url, inboxKey)
  let count = 0
  const fill = async (values: object) => {
    const content = { type: 'formResponse', formResponse: { values } }
    const sent = await visitor.post('/widget/messages', { clientMessageId: `form${++count}`, content })
    expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  }
  const asked = (number: number) => until(visitor.messages, all => all.length === number)
  await visitor.say('Hello')
  await asked(2)
  await fill({ name: 'Ana', email: 'ana@example.com' })
  expect(bodies((await asked(4)).slice(3))).toEqual(['Phone?'])
  await fill({ name: 'Ana', phone: '+1 415 555 0100' })
  expect(bodies((await asked(6)).slice(5))).toEqual(['Anything else?'])
  await fill({ name: 'Ana', email: 'ana@example.com' })
  expect(bodies((await asked(8)).slice(7))).toEqual(['ana@example.com / +14155550100 / Ana\nana@example.com'])
})

test('a campaign reaches visitors who have written, and skips contacts without a web chat', async () => {
  const { owner } = await service.workspace()
  const { id: inboxId, inboxKey } = await createWebchat(owner)
  const visitor = await startVisitor(service.url, inboxKey)
  await visitor.say('Hi')
  await until(visitor.messages, all => all.length === 1)
  await owner.post('/contacts', { name: 'Bob', phone: '+14155550199' })
  const onWebchat = { match: 'all', conditions: [{ type: 'hasAnyChannel', channels: ['webchat'] }] }
  const found = await owner.post('/contacts/search', { filter: onWebchat })
  expect(found.body.items, JSON.stringify(found.body)).toHaveLength(1)
  const everybody = { match: 'all', conditions: [] }
  const segmentId = (await owner.post('/segments', { name: 'All', filter: everybody })).body.id
  const { id } = (await owner.post('/campaigns', { name: 'News' })).body
  await owner.patch(`/campaigns/${id}`, { inboxId, segmentId, content: text('News') })
  const estimate = await owner.get(`/campaigns/${id}/estimate`)
  expect(JSON.stringify(estimate.body)).toContain('no_identity')
  const scheduled = await owner.post(`/campaigns/${id}/schedule`, { sendAt: 'now' })
  expect(scheduled.status, JSON.stringify(scheduled.body)).toBe(200)
  expect(bodies(await until(visitor.messages, all => all.length === 2))).toEqual(['Hi', 'News'])
})

test('a campaign and a journey reach visitors whom the site has signed, wherever they wrote before', async () => {
  const { owner } = await service.workspace()
  const { id: inboxId, inboxKey } = await createWebchat(owner)
  const { secret } = (await owner.post(`/inboxes/${inboxId}/identity-key`)).body
  const start = async (subject: string, ...written: string[]) => {
    const visitor = await startVisitor(service.url, inboxKey)
    for (const body of written) await visitor.say(body)
    await until(visitor.messages, all => all.length === written.length)
    const jwt = await new SignJWT({ sub: subject, name: subject })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('2m')
      .sign(Buffer.from(secret))
    expect((await visitor.post('/widget/identify', { jwt })).status).toBe(200)
    return visitor
  }
  const writer = await start('ana', 'Before')
  const reader = await start('bela')
  const { items: contacts } = (
    await owner.post('/contacts/search', {
      filter: { match: 'all', conditions: [{ type: 'hasAnyChannel', channels: ['webchat'] }] },
    })
  ).body
  expect(contacts).toHaveLength(2)
  const segmentId = (await owner.post('/segments', { name: 'All', filter: { match: 'all', conditions: [] } }))
    .body.id
  const { id } = (await owner.post('/campaigns', { name: 'News' })).body
  await owner.patch(`/campaigns/${id}`, { inboxId, segmentId, content: text('News') })
  expect((await owner.post(`/campaigns/${id}/schedule`, { sendAt: 'now' })).status).toBe(200)
  expect(bodies(await until(writer.messages, all => all.length === 2))).toEqual(['Before', 'News'])
  expect(bodies(await until(reader.messages, all => all.length === 1))).toEqual(['News'])

  const journeyId = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: { reply: ['sendMessage', { content: text('From the journey') }] },
    edges: ['start > reply'],
  })
  const contactIds = contacts.map((contact: { id: string }) => contact.id)
  const enrolled = await owner.post(`/journeys/${journeyId}/enroll`, { contactIds })
  expect(enrolled.status, JSON.stringify(enrolled.body)).toBeLessThan(300)
  for (const visitor of [writer, reader]) {
    const messages = await until(visitor.messages, all => bodies(all).includes('From the journey'))
    expect(bodies(messages).slice(-2)).toEqual(['News', 'From the journey'])
  }
})
