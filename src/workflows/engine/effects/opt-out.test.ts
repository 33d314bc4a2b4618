/** setOptOut of a run does not stop the run's own earlier messages; a STOP or a person's opt-out does. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  connectInbox,
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
  inboxId = await connectInbox(owner, '7105')
})

const goodbyeJourney = () =>
  createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      bye: ['sendMessage', { content: text('Goodbye, you get no more messages.'), inboxId }],
      out: ['setOptOut', { channel: 'chatapp', optedOut: true }],
      late: ['sendMessage', { content: text('Too late') }],
    },
    edges: ['start > bye', 'bye > out', 'out > late'],
  })

async function runGoodbye() {
  const { id: contactId, phone } = await createContact(owner)
  const journeyId = await goodbyeJourney()
  await expectStatus(owner.post(`/journeys/${journeyId}/runs`, { contactId }), 201)
  const run = await waitForRun(owner, journeyId, 'completed')
  return { contactId, phone, run }
}

async function listMessages(phone: string): Promise<Run[]> {
  const found = await expectStatus(owner.get(`/conversations?search=${encodeURIComponent(phone)}`), 200)
  return (await expectStatus(owner.get(`/conversations/${found.conversations[0].id}/messages`), 200)).messages
}

test('a goodbye before setOptOut is sent, and nothing after it', async () => {
  const { contactId, phone, run } = await runGoodbye()
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.length > 0,
  )
  expect(await listSentTexts(owner, inboxId, phone)).toEqual(['Goodbye, you get no more messages.'])
  expect(run.path.at(-1)).toMatchObject({ nodeId: 'late', output: 'optedOut' })
  expect((await owner.get(`/contacts/${contactId}`)).body.optOuts).toEqual(['chatapp'])
})

const stops: [string, (contactId: string, phone: string) => Promise<unknown>][] = [
  ['a STOP of the customer', (_contactId, phone) => receiveMessage(owner, inboxId, phone, 'STOP')],
  [
    "a person's opt-out",
    contactId => expectStatus(owner.put(`/contacts/${contactId}/opt-outs/chatapp`), 204),
  ],
]

test.each(stops)('%s stops the goodbye that is still pending', async (_name, stop) => {
  await expectStatus(owner.put('/sandbox/faults', { requests: [{ answer: 'serverError' }] }), 200)
  const { contactId, phone } = await runGoodbye()
  await until(
    () => listMessages(phone),
    messages => messages[0]?.deliveryStatus === 'pending',
  )
  await stop(contactId, phone)
  await until(
    () => listMessages(phone),
    messages => messages.length === 1 || messages.some(message => message.senderType === 'customer'),
  )
  await expectStatus(owner.delete('/sandbox/faults'), 204)
  const messages = await until(
    () => listMessages(phone),
    all => all.some(message => message.deliveryStatus === 'failed'),
  )
  expect(messages.find(message => message.senderType === 'journey').deliveryError.code).toBe('opted_out')
  expect(await listSentTexts(owner, inboxId, phone)).toEqual([])
})
