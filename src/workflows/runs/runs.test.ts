/** Listing, cancelling and counting runs; duplicates; enrolling a segment; events that create their contact. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { transact } from '../../platform/db/transact.ts'
import { foldDeltas } from '../store/statistics/node-counts.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  listRuns,
  newPhone,
  type Run,
  receiveMessage,
  text,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let inboxId: string

beforeEach(async () => {
  workspace = await service.workspace()
  owner = await workspace.key()
  inboxId = await connectInbox(owner, '7108')
})

const waitingJourney = () =>
  createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      which: ['branch', { cases: ['contact.name == "Ann"'] }],
      hello: ['sendMessage', { content: text('Hello'), inboxId }],
      wait: ['waitFor', { cases: [{ event: 'go' }], timeout: { days: 1 } }],
      won: ['goal', { name: 'won' }],
    },
    edges: ['start > which', 'which:0 > hello', 'hello > wait', 'hello:optedOut > wait', 'wait:0 > won'],
  })
const start = (id: string, contactId: string) =>
  expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
const hasRuns = (path: string, count: number) =>
  until(
    async () => (await expectStatus(owner.get(path), 200)).runs as Run[],
    runs => runs.length === count,
  )

test('runs are listed by contact, status and workflow, also those of chatbots', async () => {
  const journey = await waitingJourney()
  const bot = await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { ask: ['ask', { content: text('Name?'), variable: 'name' }] },
    edges: ['start > ask'],
  })
  const { id: contactId, phone } = await createContact(owner)
  const other = await createContact(owner)
  for (const id of [contactId, other.id]) await start(journey, id)
  await receiveMessage(owner, inboxId, phone, 'Hello')
  const [ofBot] = await hasRuns(`/chatbots/${bot}/runs?status=waiting`, 1)
  expect(ofBot).toMatchObject({ workflowKind: 'chatbot', workflowId: bot, contactId })
  await hasRuns('/runs?status=waiting', 3)
  await hasRuns(`/runs?contactId=${contactId}`, 2)
  await hasRuns(`/runs?workflowId=${journey}&contactId=${contactId}&status=waiting`, 1)
  await hasRuns('/runs?status=failed', 0)
  await expectStatus(owner.get('/chatbots/bot_no/runs'), 404)
  const first = await expectStatus(owner.get('/runs?pageSize=2'), 200)
  expect(first.runs).toHaveLength(2)
  const second = await expectStatus(owner.get(`/runs?pageSize=2&pageToken=${first.nextPageToken}`), 200)
  expect(second.runs).toHaveLength(1)
})

test('POST /runs/cancel cancels the runs in progress of a workflow or contact that the caller may see', async () => {
  const { id: teamId } = await expectStatus(owner.post('/teams', { name: 'Help' }), 201)
  await expectStatus(owner.put(`/inboxes/${inboxId}/team`, { teamId }), 200)
  const [one, two] = [await waitingJourney(), await waitingJourney()]
  const contacts = await Promise.all([createContact(owner), createContact(owner)])
  for (const journey of [one, two]) for (const { id } of contacts) await start(journey, id)
  await hasRuns('/runs?status=waiting', 4)
  const agent = await workspace.user('agent')
  expect(await expectStatus(agent.post('/runs/cancel', { workflowId: one }), 200)).toEqual({
    cancelled: 0,
    hasMore: false,
  })
  expect(await expectStatus(owner.post('/runs/cancel', { workflowId: one }), 200)).toEqual({
    cancelled: 2,
    hasMore: false,
  })
  expect((await listRuns(owner, one)).map(run => [run.status, run.endReason])).toEqual(
    Array(2).fill(['cancelled', 'cancelled']),
  )
  expect(await expectStatus(owner.post('/runs/cancel', { contactId: contacts[0]!.id }), 200)).toMatchObject({
    cancelled: 1,
  })
  await hasRuns('/runs?status=waiting', 1)
  await expectStatus(owner.post('/runs/cancel', {}), 400)
})

test('analytics count entered, waiting, passed, undelivered and goals, before and after they are folded', async () => {
  const id = await waitingJourney()
  const [ann, bob, eve, zoe] = await Promise.all(
    ['Ann', 'Bob', 'Ann', 'Ann'].map(name => createContact(owner, { name })),
  )
  await expectStatus(owner.put(`/contacts/${eve!.id}/opt-outs/chatapp`), 204)
  for (const contact of [ann, bob, eve, zoe]) await start(id, contact!.id)
  await hasRuns(`/journeys/${id}/runs?status=waiting`, 3)
  await hasRuns(`/journeys/${id}/runs?status=completed`, 1)
  await expectStatus(owner.post('/events', { name: 'go', contactId: ann!.id }), 202)
  await waitForRun(owner, id, 'completed', ann!.id)
  await expectStatus(owner.post('/runs/cancel', { contactId: zoe!.id }), 200)
  const today = service.deps.clock.now().toISOString().slice(0, 10)
  const expected = {
    journeyId: id,
    totals: { entered: 4, waiting: 1, undelivered: 1, goalReached: 1 },
    nodes: [
      {
        nodeId: 'hello',
        entered: 3,
        waiting: 0,
        undelivered: 1,
        goalReached: 0,
        passed: { next: 2, optedOut: 1 },
      },
      { nodeId: 'start', entered: 4, waiting: 0, undelivered: 0, goalReached: 0, passed: { next: 4 } },
      { nodeId: 'wait', entered: 3, waiting: 1, undelivered: 0, goalReached: 0, passed: { 0: 1 } },
      { nodeId: 'which', entered: 4, waiting: 0, undelivered: 0, goalReached: 0, passed: { 0: 3, else: 1 } },
      { nodeId: 'won', entered: 1, waiting: 0, undelivered: 0, goalReached: 1, passed: {} },
    ],
    days: [
      {
        date: today,
        entered: 4,
        undelivered: 1,
        goalReached: 1,
        nodes: [
          { nodeId: 'hello', entered: 3, undelivered: 1, goalReached: 0, passed: { next: 2, optedOut: 1 } },
          { nodeId: 'start', entered: 4, undelivered: 0, goalReached: 0, passed: { next: 4 } },
          { nodeId: 'wait', entered: 3, undelivered: 0, goalReached: 0, passed: { 0: 1 } },
          { nodeId: 'which', entered: 4, undelivered: 0, goalReached: 0, passed: { 0: 3, else: 1 } },
          { nodeId: 'won', entered: 1, undelivered: 0, goalReached: 1, passed: {} },
        ],
      },
    ],
  }
  const analytics = () => expectStatus(owner.get(`/journeys/${id}/analytics`), 200)
  expect(await analytics()).toMatchObject(expected)
  await transact(service.deps.db, tx => foldDeltas(tx, 10_000))
  expect(await analytics()).toMatchObject(expected)
  const past = await expectStatus(owner.get(`/journeys/${id}/analytics?from=2020-01-01&to=2020-01-31`), 200)
  expect(past).toMatchObject({ totals: { entered: 4 }, days: [] })
  await expectStatus(owner.get(`/journeys/${id}/analytics?from=2020-02-01&to=2020-01-31`), 400)
})

test('duplicate copies the draft of a journey, a chatbot and a campaign', async () => {
  const journey = await waitingJourney()
  const original = (await owner.get(`/journeys/${journey}`)).body
  const copy = await expectStatus(owner.post(`/journeys/${journey}/duplicate`), 201)
  expect(copy).toMatchObject({
    name: 'A journey (copy)',
    status: 'draft',
    definition: original.definition,
    publishedVersionId: null,
  })
  const bot = await createChatbot(owner, { nodes: { end: ['end'] }, edges: ['start > end'] })
  const copied = await expectStatus(owner.post(`/chatbots/${bot}/duplicate`, { name: 'Second' }), 201)
  expect(copied).toMatchObject({
    name: 'Second',
    status: 'draft',
    draft: (await owner.get(`/chatbots/${bot}`)).body.draft,
  })
  const campaign = await expectStatus(owner.post('/campaigns', { name: 'Sale' }), 201)
  await expectStatus(owner.patch(`/campaigns/${campaign.id}`, { inboxId, content: text('Hello') }), 200)
  const again = await expectStatus(owner.post(`/campaigns/${campaign.id}/duplicate`), 201)
  expect(again).toMatchObject({ name: 'Sale (copy)', status: 'draft', inboxId, content: text('Hello') })
  await expectStatus(owner.post('/journeys/jrn_no/duplicate'), 404)
})

test('enroll starts runs for the contacts of a segment; entry mode and conditions apply', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    entryMode: 'once',
    nodes: { end: ['end'] },
    edges: ['start > end'],
  })
  const tag = (await expectStatus(owner.post('/tags', { name: 'vip' }), 201)).id
  const people = await Promise.all(Array.from({ length: 3 }, () => createContact(owner)))
  await createContact(owner)
  for (const contact of people) await expectStatus(owner.post(`/contacts/${contact.id}/tags/${tag}`), 204)
  const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag] }] }
  const segment = await expectStatus(owner.post('/segments', { name: 'VIPs', filter }), 201)
  await start(id, people[0]!.id)
  expect(await expectStatus(owner.post(`/journeys/${id}/enroll`, { segmentId: segment.id }), 202)).toEqual({
    journeyId: id,
    segmentId: segment.id,
  })
  const runs = await hasRuns(`/journeys/${id}/runs?status=completed`, 3)
  expect(new Set(runs.map(run => run.contactId))).toEqual(new Set(people.map(contact => contact.id)))
  await expectStatus(owner.post(`/journeys/${id}/enroll`, { segmentId: 'seg_no' }), 404)
  const [given, archived, matching] = await Promise.all(
    ['Given', 'Archived', 'Quince'].map(name => createContact(owner, { name })),
  )
  await expectStatus(owner.post(`/contacts/${archived!.id}/archive`), 204)
  const contactIds = [given!.id, archived!.id, given!.id, people[0]!.id, 'con_no']
  const accepted = await expectStatus(owner.post(`/journeys/${id}/enroll`, { contactIds }), 202)
  expect(accepted).toEqual({ journeyId: id })
  await hasRuns(`/journeys/${id}/runs?status=completed`, 4)
  const search = { match: 'all', conditions: [{ type: 'searchText', text: 'quince' }] }
  await expectStatus(owner.post(`/journeys/${id}/enroll`, { filter: search }), 202)
  const all = await hasRuns(`/journeys/${id}/runs?status=completed`, 5)
  expect(all.map(run => run.contactId)).toEqual(expect.arrayContaining([given!.id, matching!.id]))
  for (const body of [{}, { contactIds, filter: search }, { contactIds: [] }])
    await expectStatus(owner.post(`/journeys/${id}/enroll`, body), 400)
  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
  await expectStatus(owner.post(`/journeys/${id}/enroll`, { segmentId: segment.id }), 409)
})

test('POST /events with contact creates or updates the contact', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'event', name: 'signup' },
    nodes: { note: ['note', { text: 'Hello {{contact.name}}' }] },
    edges: ['start > note'],
  })
  const phone = newPhone()
  const send = (contact: object) => owner.post('/events', { name: 'signup', contact })
  const { contactId } = await expectStatus(send({ phone, name: 'Ann' }), 202)
  expect((await owner.get(`/contacts/${contactId}`)).body.name).toBe('Ann')
  expect((await expectStatus(send({ phone, name: 'Anna' }), 202)).contactId).toBe(contactId)
  expect((await owner.get(`/contacts/${contactId}`)).body.name).toBe('Anna')
  await hasRuns(`/journeys/${id}/runs?status=completed`, 2)
  const other = newPhone()
  const concurrent = await Promise.all(Array.from({ length: 5 }, () => send({ phone: other, name: 'Bob' })))
  expect(concurrent.map(answer => answer.status)).toEqual(Array(5).fill(202))
  expect(new Set(concurrent.map(answer => answer.body.contactId)).size).toBe(1)
  await expectStatus(send({ name: 'Nobody' }), 400)
  const reader = await workspace.key({ scopes: ['event:create'] })
  await expectStatus(reader.post('/events', { name: 'signup', contact: { phone } }), 403)
})

test('POST /events with phone finds the contact among concurrent requests of several workspaces', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => createContact(owner)))
  const stranger = await (await service.workspace()).key()
  const { phone } = people[0]!
  const { id: namesake } = await expectStatus(stranger.post('/contacts', { phone }), 201)
  const [strangers, unknown, ...answers] = await Promise.all([
    stranger.post('/events', { name: 'order', phone }),
    owner.post('/events', { name: 'order', phone: newPhone() }),
    ...people.map(person => owner.post('/events', { name: 'order', phone: person.phone })),
  ])
  expect(strangers).toMatchObject({ status: 202, body: { contactId: namesake } })
  expect(unknown!.status).toBe(404)
  expect(answers.map(answer => answer.body.contactId)).toEqual(people.map(person => person.id))
})
