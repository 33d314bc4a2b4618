/** When contacts enter: silence of people, cooldown, and events that restart or postpone a run. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  connectInbox,
  createContact,
  createJourney,
  expectStatus,
  listRuns,
  listSentTexts,
  receiveMessage,
  text,
} from '../../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeEach(async () => {
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7107')
})

const minute = 60_000
const advance = (minutes: number) => service.deps.clock.advance(minutes * minute)
const hasRuns = (journeyId: string, count: number, query = '') =>
  until(
    () => listRuns(owner, journeyId, query),
    runs => runs.length === count,
  )
const gets = (phone: string, messages: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(messages),
  )

test('conversation_idle counts the silence of people, at most max times while the conversation is open', async () => {
  const journey = (max: number, body: string) =>
    createJourney(owner, {
      trigger: { type: 'conversation_idle', minutes: 30, max },
      nodes: { remind: ['sendMessage', { content: text(body) }] },
      edges: ['start > remind'],
    })
  const capped = await journey(2, 'Are you still there?')
  const { phone } = await createContact(owner)
  await receiveMessage(owner, inboxId, phone, 'Hello')
  await until(
    async () => (await owner.get('/conversations')).body.conversations,
    conversations => conversations.length === 1,
  )
  advance(31)
  await gets(phone, ['Are you still there?'])
  // Created later: its runs show that the schedules were checked.
  const witness = await journey(100, 'Witness')
  // The reminder of the journey is not a sign of life.
  advance(31)
  advance(31)
  for (const n of [1, 2, 3]) {
    await receiveMessage(owner, inboxId, phone, `Message ${n}`)
    await until(
      async () => (await owner.get('/conversations')).body.conversations[0],
      one => one.lastMessagePreview === `Message ${n}`,
    )
    advance(31)
    await hasRuns(witness, n, '?status=completed')
  }
  await hasRuns(capped, 2)
  expect((await listSentTexts(owner, inboxId, phone)).filter(body => body !== 'Witness')).toHaveLength(2)
})

test('cooldown: a contact enters again when the time has passed since the last start', async () => {
  const { id } = await expectStatus(
    owner.post('/journeys', {
      name: 'Cooldown',
      entryMode: 'cooldown',
      cooldown: { for: { hours: 24 } },
      triggerConfig: { type: 'event', name: 'ping' },
    }),
    201,
  )
  await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
  await expectStatus(owner.post(`/journeys/${id}/activate`), 200)
  expect((await owner.get(`/journeys/${id}`)).body).toMatchObject({
    entryMode: 'cooldown',
    cooldown: { for: { hours: 24 } },
  })
  const { id: contactId } = await createContact(owner)
  const ping = () => expectStatus(owner.post('/events', { name: 'ping', contactId }), 202)
  await Promise.all([ping(), ping(), ping()])
  await hasRuns(id, 1)
  const concurrent = await Promise.all(
    Array.from({ length: 4 }, () => owner.post(`/journeys/${id}/runs`, { contactId })),
  )
  expect(concurrent.map(answer => answer.status)).toEqual([409, 409, 409, 409])
  const explained = await expectStatus(owner.get(`/journeys/${id}/contacts/${contactId}/explain`), 200)
  expect(explained.reasons).toMatchObject([{ code: 'cooling_down' }])
  advance(25 * 60)
  const later = await Promise.all(
    Array.from({ length: 4 }, () => owner.post(`/journeys/${id}/runs`, { contactId })),
  )
  expect(later.map(answer => answer.status).sort()).toEqual([201, 409, 409, 409])
  await hasRuns(id, 2)
})

const cartJourney = (trigger: Record<string, unknown>) =>
  createJourney(owner, {
    trigger: { type: 'event', name: 'cart', key: 'cartId', ...trigger },
    entryMode: 'once_active',
    nodes: {
      wait: ['delay', { for: { hours: 1 } }],
      remind: ['sendMessage', { content: text('You left {{event.data.item}}.'), inboxId }],
    },
    edges: ['start > wait', 'wait > remind'],
  })

test('restart: the timers of a run follow the newest event of its key', async () => {
  const id = await cartJourney({ restart: true })
  const { id: contactId, phone } = await createContact(owner)
  const cart = (cartId: string, item: string) =>
    expectStatus(owner.post('/events', { name: 'cart', contactId, data: { cartId, item } }), 202)
  await cart('c1', 'a lamp')
  await hasRuns(id, 1, '?status=waiting')
  advance(50)
  await cart('c1', 'a chair')
  await cart('c2', 'a table')
  await hasRuns(id, 3)
  await hasRuns(id, 2, '?status=waiting')
  const [restarted] = await hasRuns(id, 1, '?status=cancelled')
  expect(restarted).toMatchObject({ endReason: 'restarted', event: { data: { item: 'a lamp' } } })
  advance(50)
  expect(await listSentTexts(owner, inboxId, phone)).toEqual([])
  advance(11)
  await hasRuns(id, 2, '?status=completed')
  await until(
    () => listSentTexts(owner, inboxId, phone),
    sent => sent.length === 2,
  )
  expect((await listSentTexts(owner, inboxId, phone)).sort()).toEqual([
    'You left a chair.',
    'You left a table.',
  ])
})

test('debounce: one run starts, with the newest event, when no further one arrives', async () => {
  const id = await cartJourney({ debounce: { minutes: 10 } })
  const { id: contactId, phone } = await createContact(owner)
  for (const item of ['a lamp', 'a chair', 'a table']) {
    await expectStatus(owner.post('/events', { name: 'cart', contactId, data: { cartId: 'c', item } }), 202)
    const [run] = await until(
      () => listRuns(owner, id),
      runs => runs[0]?.event.data.item === item,
    )
    expect(run).toMatchObject({ status: 'waiting', waitingFor: { debounce: true } })
    advance(9)
  }
  advance(2)
  await until(
    () => listRuns(owner, id),
    runs => runs[0].waitingFor?.nodeId === 'wait',
  )
  advance(61)
  await gets(phone, ['You left a table.'])
  await hasRuns(id, 1)
  const event = (item: string, cartId = 'c') => ({ name: 'cart', data: { cartId, item } })
  const simulated = await expectStatus(
    owner.post(`/journeys/${id}/simulate`, {
      window: 'open',
      event: event('a lamp'),
      inputs: [
        { afterSeconds: 300, event: event('a table') },
        { afterSeconds: 300, event: event('a desk', 'd') },
      ],
    }),
    200,
  )
  expect(simulated.effects).toMatchObject([{ input: [{ content: text('You left a table.') }] }])
  expect(Date.parse(simulated.path[0].at) - Date.parse(simulated.startedAt)).toBe(15 * minute)
})

test('400 for a cooldown without its time, and for restart with once', async () => {
  const definition = (data: object) => ({ nodes: [{ id: 's', type: 'start', data }], edges: [] })
  const violationsOf = async (data: object) => {
    const { id } = await expectStatus(
      owner.post('/journeys', { name: 'J', definition: definition(data) }),
      201,
    )
    return (await expectStatus(owner.post(`/journeys/${id}/publish`), 400)).violations
  }
  expect(await violationsOf({ triggerConfig: { type: 'manual' }, entryMode: 'cooldown' })).toMatchObject([
    { field: 'definition.nodes[0].data.cooldown', code: 'required' },
  ])
  const restart = { triggerConfig: { type: 'event', name: 'x', restart: true }, entryMode: 'once' }
  expect(await violationsOf(restart)).toMatchObject([
    { field: 'definition.nodes[0].data.triggerConfig.restart', code: 'conflict' },
  ])
})
