/**
 * Ten workflows as authors build them, three of them from templates, live and simulated: the customer gets exactly the
 * expected messages, and the simulation takes the path of the live run and sends the same texts.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createFromTemplate,
  createJourney,
  expectStatus,
  newPhone,
  type Run,
  receiveMessage,
  text,
} from './testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeEach(async () => {
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7109')
})

const minute = 60_000
const advance = (minutes: number) => service.deps.clock.advance(minutes * minute)
const send = (body: string): [string, Record<string, unknown>] => [
  'sendMessage',
  { content: text(body), inboxId },
]
const withOptions = (body: string, titles: string[]) => [body, ...titles.map(title => `[${title}]`)].join(' ')

/** Lists what the customer sees: the texts with their buttons. */
async function listSeen(phone: string): Promise<string[]> {
  const query = `inboxId=${inboxId}&to=${encodeURIComponent(phone)}`
  const { items } = await expectStatus(owner.get(`/sandbox/sent?${query}`), 200)
  return items.map(({ payload: { text: plain, interactive } }: Run) =>
    plain
      ? plain.body
      : withOptions(
          interactive.body.text,
          interactive.action.buttons.map(({ reply }: Run) => reply.title),
        ),
  )
}

const gets = (phone: string, messages: string[]) =>
  until(
    () => listSeen(phone),
    seen => JSON.stringify(seen) === JSON.stringify(messages),
  )
const getOutputs = (path: Run[]): string[] =>
  path.flatMap(step => (step.output === null ? [] : [`${step.nodeId}:${step.output}`]))
const waitForNode = (workflowId: string, nodeId: string) =>
  until(
    async () => (await expectStatus(owner.get(`/runs?workflowId=${workflowId}`), 200)).runs as Run[],
    runs => runs[0]?.waitingFor?.nodeId === nodeId,
  )

/** Waits until the newest run has ended, and compares it with the simulation. */
async function expectSameAsSimulated(
  kind: 'journeys' | 'chatbots',
  id: string,
  phone: string,
  request: object,
): Promise<Run> {
  const [latest] = await until(
    async () => (await expectStatus(owner.get(`/runs?workflowId=${id}`), 200)).runs as Run[],
    runs => ['completed', 'failed'].includes(runs[0]?.status),
  )
  const live = await expectStatus(owner.get(`/runs/${latest.id}`), 200)
  const body = { contact: { name: 'Ann' }, window: 'open', version: 'published', ...request }
  const simulated = await expectStatus(owner.post(`/${kind}/${id}/simulate`, body), 200)
  expect(getOutputs(simulated.path)).toEqual(getOutputs(live.path))
  expect(simulated).toMatchObject({
    status: live.status,
    endReason: live.endReason,
    variables: live.variables,
  })
  const texts = simulated.effects
    .filter((effect: Run) => effect.effect === 'send')
    .map(({ input: [{ content, options = [] }] }: Run) =>
      withOptions(
        content.text.body,
        options.map(({ title }: Run) => title),
      ),
    )
  expect(texts).toEqual(await listSeen(phone))
  return live
}

test('welcome series', async () => {
  const id = await createFromTemplate(owner, 'welcome', { company: 'Harbor Lights', inbox: inboxId })
  const hello =
    'Hello Ann, welcome to Harbor Lights! Just reply to this message whenever you have a question.'
  const tip = 'A tip: save this number as a contact, so that you find us when you need us.'
  const { phone } = await createContact(owner)
  await gets(phone, [hello])
  await waitForNode(id, 'wait')
  advance(48 * 60 + 1)
  await gets(phone, [hello, tip])
  await expectSameAsSimulated('journeys', id, phone, {})
})

test('abandoned cart with updates', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'event', name: 'cart', key: 'cartId', restart: true },
    entryMode: 'once_active',
    nodes: {
      paid: ['waitFor', { cases: [{ event: 'checkout' }], timeout: { hours: 1 } }],
      remind: send('You left {{event.data.item}} in your cart.'),
    },
    edges: ['start > paid', 'paid:timeout > remind'],
  })
  const { id: contactId, phone } = await createContact(owner)
  const cart = (item: string) => ({ name: 'cart', contactId, data: { cartId: 'c1', item } })
  await expectStatus(owner.post('/events', cart('a lamp')), 202)
  await waitForNode(id, 'paid')
  advance(30)
  await expectStatus(owner.post('/events', cart('a chair')), 202)
  await until(
    async () => (await expectStatus(owner.get(`/runs?workflowId=${id}`), 200)).runs as Run[],
    runs => runs.length === 2,
  )
  await waitForNode(id, 'paid')
  advance(61)
  await gets(phone, ['You left a chair in your cart.'])
  const event = { name: 'cart', data: { cartId: 'c1', item: 'a lamp' } }
  const update = { name: 'cart', data: { cartId: 'c1', item: 'a chair' } }
  const other = { name: 'cart', data: { cartId: 'c2', item: 'a desk' } }
  const updates = [{ afterSeconds: 1_800, event: update }, { event: other }]
  await expectSameAsSimulated('journeys', id, phone, { event, inputs: updates })
  const buyer = await createContact(owner)
  await expectStatus(owner.post('/events', { ...cart('a desk'), contactId: buyer.id }), 202)
  await waitForNode(id, 'paid')
  await expectStatus(owner.post('/events', { name: 'checkout', contactId: buyer.id }), 202)
  const inputs = [{ event: { name: 'checkout' } }]
  await expectSameAsSimulated('journeys', id, buyer.phone, { event, inputs })
  expect(await listSeen(buyer.phone)).toEqual([])
})

test('birthday', async () => {
  const field = await expectStatus(
    owner.post('/contacts/custom-fields', { name: 'Birthday', type: 'date' }),
    201,
  )
  const parameters = { field: field.id, gift: 'Cake is on us.', inbox: inboxId }
  const id = await createFromTemplate(owner, 'birthday', parameters)
  const tomorrow = new Date(service.deps.clock.now().getTime() + 24 * 60 * minute).toISOString().slice(5, 10)
  const customFields = { Birthday: `1990-${tomorrow}` }
  const { phone } = await createContact(owner, { customFields })
  const other = await createContact(owner, { customFields: { Birthday: '1990-01-01' } })
  advance(33 * 60)
  await gets(phone, ['Happy birthday, Ann! Cake is on us.'])
  expect(await listSeen(other.phone)).toEqual([])
  await expectSameAsSimulated('journeys', id, phone, { contact: { name: 'Ann', customFields } })
})

test('VIP branch', async () => {
  const vip = (await expectStatus(owner.post('/tags', { name: 'VIP' }), 201)).id
  const parameters = { tag: vip, orderEvent: 'order', inbox: inboxId }
  const id = await createFromTemplate(owner, 'vip', parameters)
  const thanks = 'Thank you for your order! We will write to you when it is on its way.'
  const gold = 'Thank you, Ann! As a VIP you get free express delivery.'
  const event = { name: 'order' }
  const one = await createContact(owner)
  await expectStatus(owner.post('/events', { ...event, contactId: one.id }), 202)
  await gets(one.phone, [thanks])
  await expectSameAsSimulated('journeys', id, one.phone, { event })
  const two = await createContact(owner)
  await expectStatus(owner.post(`/contacts/${two.id}/tags/${vip}`), 204)
  await expectStatus(owner.post('/events', { ...event, contactId: two.id }), 202)
  await gets(two.phone, [gold])
  await expectSameAsSimulated('journeys', id, two.phone, { event, tagIds: [vip] })
})

test('re-engagement', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'conversation_idle', minutes: 60 },
    nodes: {
      ask: ['ask', { content: text('Are you still interested?'), variable: 'answer', timeout: { days: 1 } }],
      thanks: send('You said: {{variables.answer}}.'),
    },
    edges: ['start > ask', 'ask:answered > thanks'],
  })
  const { phone } = await createContact(owner)
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await until(
    async () => (await owner.get('/conversations')).body.conversations,
    conversations => conversations.length === 1,
  )
  advance(61)
  await gets(phone, ['Are you still interested?'])
  await receiveMessage(owner, inboxId, phone, 'Yes')
  await gets(phone, ['Are you still interested?', 'You said: Yes.'])
  await expectSameAsSimulated('journeys', id, phone, { inputs: [{ message: 'Yes' }] })
})

const server = createServer((_request, response) => {
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"reason":"closed"}')
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

test('HTTP with failure', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`
  const id = await createJourney(owner, {
    trigger: { type: 'event', name: 'order' },
    nodes: {
      call: ['http', { method: 'POST', url, body: { order: 1 }, saveAs: 'response' }],
      done: send('Your order is placed.'),
      sorry: send('Sorry, the shop is {{variables.response.body.reason}}.'),
    },
    edges: ['start > call', 'call:ok > done', 'call:error > sorry'],
  })
  const { id: contactId, phone } = await createContact(owner)
  await expectStatus(owner.post('/events', { name: 'order', contactId }), 202)
  await gets(phone, ['Sorry, the shop is closed.'])
  const http = { call: { status: 503, body: { reason: 'closed' } } }
  await expectSameAsSimulated('journeys', id, phone, { event: { name: 'order' }, http })
})

const writeAll = async (
  phone: string,
  messages: [said: string | Record<string, unknown>, expected: string[]][],
) => {
  for (const [said, expected] of messages) {
    await receiveMessage(owner, inboxId, phone, said)
    await gets(phone, expected)
  }
}

test('menu bot', async () => {
  const id = await createChatbot(owner, {
    trigger: { type: 'conversation_started' },
    nodes: {
      menu: [
        'menu',
        {
          content: text('How can we help?'),
          options: [
            { id: 'order', title: 'My order' },
            { id: 'hours', title: 'Hours' },
          ],
        },
      ],
      order: send('Your order is on its way.'),
      hours: send('We are open from 9 to 18.'),
    },
    edges: ['start > menu', 'menu:order > order', 'menu:hours > hours'],
  })
  const menu = 'How can we help? [My order] [Hours]'
  const [one, two] = [newPhone(), newPhone()]
  await writeAll(one, [
    ['Hello', [menu]],
    ['hours', [menu, 'We are open from 9 to 18.']],
  ])
  await expectSameAsSimulated('chatbots', id, one, { message: 'Hello', inputs: [{ message: 'hours' }] })
  const pressed = { type: 'reply', reply: { id: 'order', title: 'My order' } }
  await writeAll(two, [
    ['Hello', [menu]],
    [pressed, [menu, 'Your order is on its way.']],
  ])
  const inputs = [{ replyId: 'order', message: 'My order' }]
  await expectSameAsSimulated('chatbots', id, two, { message: 'Hello', inputs })
})

test('lead capture', async () => {
  const id = await createChatbot(owner, {
    trigger: { type: 'conversation_started' },
    nodes: {
      name: ['ask', { content: text('What is your name?'), variable: 'name' }],
      mail: [
        'ask',
        {
          content: text('And your e-mail?'),
          retryContent: text('Please write an e-mail address.'),
          variable: 'mail',
          validate: 'email',
        },
      ],
      thanks: send('Thank you, {{variables.name}}. We write to {{variables.mail}}.'),
    },
    edges: ['start > name', 'name:answered > mail', 'mail:answered > thanks'],
  })
  const phone = newPhone()
  const questions = ['What is your name?', 'And your e-mail?', 'Please write an e-mail address.']
  const all = [...questions, 'Thank you, Ann. We write to ann@example.com.']
  await writeAll(phone, [
    ['Hello', all.slice(0, 1)],
    ['Ann', all.slice(0, 2)],
    ['no', all.slice(0, 3)],
    ['ann@example.com', all],
  ])
  const inputs = ['Ann', 'no', 'ann@example.com'].map(message => ({ message }))
  await expectSameAsSimulated('chatbots', id, phone, { message: 'Hello', inputs })
})

test('FAQ', async () => {
  const id = await createChatbot(owner, {
    trigger: { type: 'message_received', match: 'keyword', values: ['hours', 'open'] },
    start: { defaultReply: text('A colleague will reply.') },
    nodes: { hours: send('We are open from 9 to 18.') },
    edges: ['start > hours'],
  })
  const [one, two] = [newPhone(), newPhone()]
  await writeAll(one, [['When are you open?', ['We are open from 9 to 18.']]])
  await expectSameAsSimulated('chatbots', id, one, { message: 'When are you open?' })
  await writeAll(two, [['My parcel is lost', ['A colleague will reply.']]])
  await expectSameAsSimulated('chatbots', id, two, { message: 'My parcel is lost' })
})

test('handoff', async () => {
  const { id: teamId } = await expectStatus(owner.post('/teams', { name: 'Help' }), 201)
  const id = await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { wait: send('One moment, please.'), hand: ['handoff', { teamId }] },
    edges: ['start > wait', 'wait > hand'],
  })
  const phone = newPhone()
  await writeAll(phone, [['I need a person', ['One moment, please.']]])
  await expectSameAsSimulated('chatbots', id, phone, { message: 'I need a person' })
  const { conversations } = await expectStatus(
    owner.get(`/conversations?search=${encodeURIComponent(phone)}`),
    200,
  )
  expect(conversations[0].activeOwner).toEqual({ type: 'team', id: teamId })
})
