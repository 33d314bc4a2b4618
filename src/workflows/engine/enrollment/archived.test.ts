/** Archived contacts neither enter nor are messaged, and the runs of a deleted workflow end. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listRuns,
  listSentTexts,
  newPhone,
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
  inboxId = await connectInbox(owner, '7106')
})

const archive = (contactId: string) => expectStatus(owner.post(`/contacts/${contactId}/archive`), 204)
const helloJourney = (trigger: Record<string, unknown>, entryMode = 'every_time') =>
  createJourney(owner, {
    trigger,
    entryMode,
    nodes: { hello: ['sendMessage', { content: text('Hello'), inboxId }] },
    edges: ['start > hello'],
  })

test.each(['every_time', 'once_active'])('an archived contact does not enter (%s)', async entryMode => {
  const id = await helloJourney({ type: 'event', name: 'ping' }, entryMode)
  const archived = await createContact(owner)
  const other = await createContact(owner)
  await archive(archived.id)
  for (const { id: contactId } of [archived, other])
    await expectStatus(owner.post('/events', { name: 'ping', contactId }), 202)
  await waitForRun(owner, id, 'completed', other.id)
  expect((await listRuns(owner, id)).map(run => run.contactId)).toEqual([other.id])
  const refused = await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId: archived.id }), 409)
  expect(refused).toMatchObject({
    code: 'journey_entry_refused',
    detail: expect.stringContaining('archived'),
  })
})

test('a run of a contact who is archived meanwhile sends nothing', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      wait: ['waitFor', { cases: [{ event: 'go' }], timeout: { days: 1 } }],
      hello: ['sendMessage', { content: text('Hello'), inboxId }],
      ask: ['ask', { content: text('Name?'), variable: 'name' }],
    },
    edges: ['start > wait', 'wait:0 > hello', 'hello:failed > ask'],
  })
  const { id: contactId, phone } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  await waitForRun(owner, id, 'waiting')
  await archive(contactId)
  await expectStatus(owner.post('/events', { name: 'go', contactId }), 202)
  const run = await waitForRun(owner, id, 'completed')
  expect(run.path.find((step: Run) => step.nodeId === 'hello').detail.code).toBe('archived')
  expect(run.endReason).toBe('archived')
  expect(await listSentTexts(owner, inboxId, phone)).toEqual([])
})

test('contact_archived starts for the archived contact and sends no message', async () => {
  const id = await helloJourney({ type: 'contact_archived' })
  const { id: contactId, phone } = await createContact(owner)
  await archive(contactId)
  const run = await waitForRun(owner, id, 'completed')
  expect(getPath(run)).toEqual(['start:next', 'hello:failed'])
  expect(await listSentTexts(owner, inboxId, phone)).toEqual([])
})

test('deleting a journey cancels its runs, which stay listed', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      wait: ['delay', { for: { days: 1 } }],
      hello: ['sendMessage', { content: text('Hello'), inboxId }],
    },
    edges: ['start > wait', 'wait > hello'],
  })
  const people = await Promise.all(Array.from({ length: 3 }, () => createContact(owner)))
  for (const { id: contactId } of people)
    await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  await until(
    () => listRuns(owner, id, '?status=waiting'),
    runs => runs.length === 3,
  )
  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
  await expectStatus(owner.delete(`/journeys/${id}`), 204)
  const runs = await listRuns(owner, id)
  expect(runs.map(run => [run.status, run.endReason])).toEqual(Array(3).fill(['cancelled', 'deleted']))
  service.deps.clock.advance(2 * 86_400_000)
  await expectStatus(owner.get('/journeys/jrn_no/runs'), 404)
  for (const { phone } of people) expect(await listSentTexts(owner, inboxId, phone)).toEqual([])
})

test('deleting a chatbot cancels its runs and releases their sessions', async () => {
  const bot = await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { ask: ['ask', { content: text('Name?'), variable: 'name' }] },
    edges: ['start > ask'],
  })
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.length === 1,
  )
  await expectStatus(owner.post(`/chatbots/${bot}/pause`), 200)
  await expectStatus(owner.delete(`/chatbots/${bot}`), 204)
  const found = await expectStatus(owner.get(`/conversations?search=${encodeURIComponent(phone)}`), 200)
  expect(found.conversations[0].activeOwner).toBeNull()
})
