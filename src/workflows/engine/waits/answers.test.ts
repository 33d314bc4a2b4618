/** One answer, one question: which run a customer's message answers. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import { background, jobs, subscriptions } from '../../../app.ts'
import { startSubscriptions } from '../../../platform/events/subscriptions.ts'
import { startWorkers } from '../../../platform/jobs/workers.ts'
import {
  connectInbox,
  connectSms,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  listSentTexts,
  type Run,
  receiveMessage,
  text,
  waitForRun,
} from '../../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeEach(async () => {
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7102')
})

const gets = (phone: string, messages: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(messages),
  )

/** A journey that asks a question and repeats the answer. */
const questionJourney = (question: string) =>
  createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      ask: ['ask', { content: text(question), variable: 'answer' }],
      thanks: ['sendMessage', { content: text(`${question} {{variables.answer}}.`) }],
    },
    edges: ['start > ask', 'ask:answered > thanks'],
  })

async function start(journeyId: string, contactId: string): Promise<void> {
  await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId }), 201)
}

/** A contact who has been asked for the name, then for the city. */
async function askTwice() {
  const [name, city] = [await questionJourney('Name?'), await questionJourney('City?')]
  const { id: contactId, phone } = await createContact(owner)
  await start(name, contactId)
  await gets(phone, ['Name?'])
  await start(city, contactId)
  await gets(phone, ['Name?', 'City?'])
  return { name, city, contactId, phone }
}

const statusOf = async (journeyId: string): Promise<string> =>
  (await expectStatus(owner.get(`/journeys/${journeyId}/runs`), 200)).runs[0].status

test('a reply answers the newest question only; the next reply answers the older one', async () => {
  const { name, city, phone } = await askTwice()
  await receiveMessage(owner, inboxId, phone, 'Paris')
  await gets(phone, ['Name?', 'City?', 'City? Paris.'])
  await waitForRun(owner, city, 'completed')
  expect(await statusOf(name)).toBe('waiting')
  await receiveMessage(owner, inboxId, phone, 'Ann')
  await gets(phone, ['Name?', 'City?', 'City? Paris.', 'Name? Ann.'])
})

test('a reply that quotes a question answers it, although another is newer', async () => {
  const { name, city, phone } = await askTwice()
  const sent = await expectStatus(
    owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(phone)}`),
    200,
  )
  const replyTo = sent.items[0].providerMessageId
  await expectStatus(
    owner.post('/sandbox/inbound', { inboxId, from: phone, content: text('Ann'), replyTo }),
    202,
  )
  await gets(phone, ['Name?', 'City?', 'Name? Ann.'])
  await waitForRun(owner, name, 'completed')
  expect(await statusOf(city)).toBe('waiting')
})

test('a message in another conversation of the contact does not answer the question', async () => {
  const sms = await connectSms(owner)
  const { id: contactId, phone } = await createContact(owner)
  const journey = await questionJourney('Name?')
  await start(journey, contactId)
  await gets(phone, ['Name?'])
  await receiveMessage(owner, sms, phone, 'Something else')
  await until(
    async () =>
      (await expectStatus(owner.get(`/conversations?search=${encodeURIComponent(phone)}`), 200))
        .conversations,
    (conversations: Run[]) => conversations.some(one => one.lastMessagePreview === 'Something else'),
  )
  await receiveMessage(owner, inboxId, phone, 'Ann')
  await gets(phone, ['Name?', 'Name? Ann.'])
})

test('a bot yields to a waiting journey and answers the message after it', async () => {
  const { phone, id: contactId } = await createContact(owner)
  await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { echo: ['sendMessage', { content: text('The bot read {{message.text}}.') }] },
    edges: ['start > echo'],
  })
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await gets(phone, ['The bot read Hello.'])
  const journey = await questionJourney('Name?')
  await start(journey, contactId)
  await gets(phone, ['The bot read Hello.', 'Name?'])
  await receiveMessage(owner, inboxId, phone, 'Ann')
  await gets(phone, ['The bot read Hello.', 'Name?', 'Name? Ann.'])
  await receiveMessage(owner, inboxId, phone, 'Bye')
  await gets(phone, ['The bot read Hello.', 'Name?', 'Name? Ann.', 'The bot read Bye.'])
})

test('repeated callbacks and two processes: each question is answered once', async () => {
  const second = await service.another()
  const feeds = startSubscriptions(second.deps, subscriptions, { connection: service.connection })
  const workers = startWorkers(second.deps, jobs)
  const others = background.map(run => run(second.deps, { connection: service.connection }))
  afterAll(async () => {
    await Promise.all([workers.stop(30_000), feeds.stop(), ...others.map(other => other.stop(1_000))])
  })
  await expectStatus(owner.put('/sandbox/faults', { callbacks: { duplicate: { probability: 1 } } }), 200)
  const people = await Promise.all(Array.from({ length: 5 }, () => askTwice()))
  await Promise.all(people.map(({ phone }) => receiveMessage(owner, inboxId, phone, 'Paris')))
  for (const { phone } of people) await gets(phone, ['Name?', 'City?', 'City? Paris.'])
  await Promise.all(people.map(({ phone }) => receiveMessage(owner, inboxId, phone, 'Ann')))
  for (const { phone } of people) await gets(phone, ['Name?', 'City?', 'City? Paris.', 'Name? Ann.'])
})
