/** The simulator honours trigger and conditions, spaces inputs, and takes facts about the contact and outcomes. */
import { beforeAll, expect, test } from 'vitest'
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
  type Run,
  receiveMessage,
  text,
  type WorkflowInput,
} from '../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string
let vip: string

beforeAll(async () => {
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7110')
  vip = (await expectStatus(owner.post('/tags', { name: 'VIP' }), 201)).id
})

const simulate = (path: string, body: object): Promise<Run> =>
  expectStatus(owner.post(`${path}/simulate`, body), 200)
const getOutputs = (path: Run[]): string[] =>
  path.flatMap(step => (step.output === null ? [] : [`${step.nodeId}:${step.output}`]))
const journey = async (input: WorkflowInput) => `/journeys/${await createJourney(owner, input)}`
const end = { nodes: { end: ['end'] as [string] }, edges: ['start > end'] }

test('an event or message that the trigger does not match does not enter', async () => {
  const onEvent = await journey({ trigger: { type: 'event', name: 'order', key: 'orderId' }, ...end })
  const notMatched = { entered: false, endReason: 'trigger_not_matched', path: [], effects: [] }
  expect(await simulate(onEvent, { event: { name: 'other' } })).toMatchObject(notMatched)
  expect(await simulate(onEvent, { event: { name: 'order' } })).toMatchObject(notMatched)
  const data = { orderId: 'o1' }
  expect(await simulate(onEvent, { event: { name: 'order', data } })).toMatchObject({ entered: true })
  const keyword = { type: 'message_received', match: 'regex', values: ['^order \\d+$'] }
  const bot = `/chatbots/${await createChatbot(owner, { trigger: keyword, ...end })}`
  expect(await simulate(bot, { message: 'hello' })).toMatchObject(notMatched)
  expect(await simulate(bot, { message: 'order 12' })).toMatchObject({ entered: true, endReason: 'end' })
})

test('conditions decide about the entry; tags and fields of the request count', async () => {
  const conditions = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [vip] }] }
  const path = await journey({ trigger: { type: 'manual', conditions }, ...end })
  expect(await simulate(path, {})).toMatchObject({ entered: false, endReason: 'conditions_not_met' })
  expect(await simulate(path, { tagIds: [vip] })).toMatchObject({ entered: true, endReason: 'end' })
  const unknown = await expectStatus(owner.post(`${path}/simulate`, { tagIds: ['tag_no'] }), 400)
  expect(unknown.violations).toMatchObject([{ field: 'tagIds[0]', code: 'unknown_tag' }])
})

test('inputs change the contact: a tag ends a wait for it, STOP opts out, a file answers a question', async () => {
  const condition = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [vip] }] }
  const path = await journey({
    trigger: { type: 'manual' },
    nodes: {
      wait: ['waitFor', { cases: [{ condition }], timeout: { days: 1 } }],
      photo: ['ask', { content: text('A photo?'), variable: 'photo', validate: 'media' }],
      thanks: ['sendMessage', { content: text('Thanks'), inboxId }],
    },
    edges: ['start > wait', 'wait:0 > photo', 'photo:answered > thanks'],
  })
  const outputsWith = async (...inputs: object[]) =>
    getOutputs((await simulate(path, { window: 'open', inputs })).path).slice(1)
  expect(await outputsWith()).toEqual(['wait:timeout'])
  expect(await outputsWith({ tagIds: [vip] }, { media: true })).toEqual([
    'wait:0',
    'photo:answered',
    'thanks:next',
  ])
  expect(await outputsWith({ message: 'STOP' }, { tagIds: [vip] })).toEqual(['wait:0', 'photo:opted_out'])
  const inputs = [{ tagIds: ['tag_no'] }]
  const unknown = await expectStatus(owner.post(`${path}/simulate`, { inputs }), 400)
  expect(unknown.violations).toMatchObject([{ field: 'inputs[0].tagIds[0]', code: 'unknown_tag' }])
})

test('numbers are read as the contact writes them, otherwise as the workspace does; ambiguous ones are asked again', async () => {
  const { owner: admin } = await service.workspace()
  await connectInbox(admin, '7113')
  const id = await createJourney(admin, {
    trigger: { type: 'manual' },
    nodes: {
      price: ['ask', { content: text('How much?'), variable: 'price', validate: 'number', retries: 0 }],
    },
    edges: ['start > price'],
  })
  const answer = async (phone: string) => {
    const contact = { phone }
    const inputs = [{ message: '1.500' }]
    return (
      await expectStatus(admin.post(`/journeys/${id}/simulate`, { window: 'open', contact, inputs }), 200)
    ).variables.price
  }
  // A satellite phone, which belongs to no country.
  const satellite = '+870773111632'
  expect(await answer(satellite)).toBeUndefined()
  await expectStatus(admin.patch('/workspace', { locale: 'de-AT' }), 200)
  expect(await answer(satellite)).toBe(1500)
  expect(await answer('+14155550100')).toBe(1.5)
})

test('an event that the run emits ends its own wait', async () => {
  const path = await journey({
    trigger: { type: 'manual' },
    nodes: {
      emit: ['emitEvent', { name: 'ready' }],
      wait: ['waitFor', { cases: [{ event: 'ready' }], timeout: { days: 1 } }],
    },
    edges: ['start > emit', 'emit > wait'],
  })
  expect(getOutputs((await simulate(path, {})).path)).toEqual(['start:next', 'emit:next', 'wait:0'])
})

test('a real contact: 403 without contact:read, 404 if the caller may not see it', async () => {
  const workspace = await service.workspace()
  const admin = await workspace.key()
  const routed = await connectInbox(admin, '7112')
  await expectStatus(admin.put(`/inboxes/${routed}/team`, { teamId: workspace.teamId }), 200)
  await receiveMessage(admin, routed, newPhone(), 'Hello')
  const { conversations } = await until(
    () => expectStatus(admin.get('/conversations'), 200),
    list => list.conversations.length === 1,
  )
  const { contactId } = conversations[0]
  const path = `/journeys/${await createJourney(admin, { trigger: { type: 'manual' }, ...end })}/simulate`
  const reader = await workspace.key({ scopes: ['journey:read'] })
  await expectStatus(reader.post(path, {}), 200)
  await expectStatus(reader.post(path, { contactId }), 403)
  await expectStatus((await workspace.user('agent', [workspace.teamId])).post(path, { contactId }), 200)
  await expectStatus((await workspace.user('agent')).post(path, { contactId }), 404)
})

test('each input is a reply of its own', async () => {
  const ask = (variable: string) =>
    ['ask', { content: text(`${variable}?`), variable }] as [string, Record<string, unknown>]
  const id = await createChatbot(owner, {
    trigger: { type: 'conversation_started', inboxIds: [inboxId] },
    nodes: { one: ask('one'), two: ask('two') },
    edges: ['start > one', 'one:answered > two'],
  })
  const inputs = [{ message: 'first' }, { message: 'second' }]
  const played = await simulate(`/chatbots/${id}`, { message: 'Hello', inputs })
  expect(played.variables).toEqual({ one: 'first', two: 'second' })
})

test('windows are real by default; open, closed and opt-outs can be simulated', async () => {
  const path = await journey({
    trigger: { type: 'manual' },
    nodes: { hello: ['sendMessage', { content: text('Hello'), inboxId }] },
    edges: ['start > hello'],
  })
  const outputsWith = async (body: object) => getOutputs((await simulate(path, body)).path)
  expect(await outputsWith({})).toEqual(['start:next', 'hello:windowClosed'])
  expect(await outputsWith({ window: 'open' })).toEqual(['start:next', 'hello:next'])
  expect(await outputsWith({ window: 'closed' })).toEqual(['start:next', 'hello:windowClosed'])
  expect(await outputsWith({ window: 'open', optOuts: ['chatapp'] })).toEqual([
    'start:next',
    'hello:optedOut',
  ])
})

test('deliveries fail, and HTTP requests respond, time out or fail, as the request says', async () => {
  const path = await journey({
    trigger: { type: 'manual' },
    nodes: {
      hello: ['sendMessage', { content: text('Hello'), inboxId }],
      call: ['http', { method: 'GET', url: 'https://example.com/' }],
      end: ['end'],
    },
    edges: ['start > hello', 'hello > call', 'hello:failed > end'],
  })
  const outputsWith = async (body: object) =>
    getOutputs((await simulate(path, { window: 'open', ...body })).path).slice(1)
  expect(await outputsWith({})).toEqual(['hello:next', 'call:ok'])
  expect(await outputsWith({ deliveries: { hello: { failed: 'undeliverable' } } })).toEqual([
    'hello:failed',
    'end:end',
  ])
  expect(await outputsWith({ http: { call: { status: 500 } } })).toEqual(['hello:next', 'call:error'])
  expect(await outputsWith({ http: { call: { timeout: true } } })).toEqual(['hello:next', 'call:timeout'])
  expect(await outputsWith({ http: { call: { error: 'refused' } } })).toEqual(['hello:next', 'call:error'])
})

test('POST /sandbox/clock ends a delay of two days of a live run', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      wait: ['delay', { for: { days: 2 } }],
      hello: ['sendMessage', { content: text('Two days later'), inboxId }],
    },
    edges: ['start > wait', 'wait > hello'],
  })
  const { id: contactId, phone } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  await until(
    () => listRuns(owner, id, '?status=waiting'),
    runs => runs.length === 1,
  )
  const day = 86_400
  await expectStatus(owner.post('/sandbox/clock', { advanceSeconds: day }), 200)
  const [run] = await listRuns(owner, id)
  expect(run.status).toBe('waiting')
  const remaining = Date.parse(run.waitingFor.until) - service.deps.clock.now().getTime()
  expect(remaining).toBeLessThan(day * 1_000 + 1_000)
  await expectStatus(owner.post('/sandbox/clock', { advanceSeconds: day }), 200)
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.length === 1,
  )
  expect(await listSentTexts(owner, inboxId, phone)).toEqual(['Two days later'])
})

test('POST /sandbox/clock starts what a schedule or a date of a contact starts in that time', async () => {
  const owner = await (await service.workspace()).key()
  const inboxId = await connectInbox(owner, '7110')
  const field = await expectStatus(
    owner.post('/contacts/custom-fields', { name: 'Renewal', type: 'date' }),
    201,
  )
  const tagIds = [(await expectStatus(owner.post('/tags', { name: 'Weekly' }), 201)).id]
  const conditions = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds }] }
  const send = (body: string) => ({
    nodes: { say: ['sendMessage', { content: text(body), inboxId }] as [string, object] },
    edges: ['start > say'],
  })
  await createJourney(owner, {
    trigger: { type: 'date_reached', fieldId: field.id },
    ...send('Renew now'),
  } as WorkflowInput)
  await createJourney(owner, {
    trigger: { type: 'schedule', cron: '0 9 * * *', conditions },
    ...send('News'),
  } as WorkflowInput)
  const day = 86_400
  const inTwoDays = new Date(service.deps.clock.now().getTime() + 2 * day * 1_000).toISOString().slice(0, 10)
  const one = await createContact(owner, { customFields: { Renewal: inTwoDays } })
  const two = await createContact(owner)
  await expectStatus(owner.post(`/contacts/${two.id}/tags/${tagIds[0]}`), 204)
  const gets = (phone: string, texts: string[]) =>
    until(
      () => listSentTexts(owner, inboxId, phone),
      sent => JSON.stringify(sent) === JSON.stringify(texts),
    )
  await expectStatus(owner.post('/sandbox/clock', { advanceSeconds: day }), 200)
  await gets(two.phone, ['News'])
  expect(await listSentTexts(owner, inboxId, one.phone)).toEqual([])
  await expectStatus(owner.post('/sandbox/clock', { advanceSeconds: 2 * day }), 200)
  await gets(one.phone, ['Renew now'])
  await expectStatus(owner.post('/sandbox/clock', { advanceSeconds: 7 * day }), 200)
  await gets(two.phone, ['News', 'News', 'News'])
  expect(await listSentTexts(owner, inboxId, one.phone)).toEqual(['Renew now'])
})
