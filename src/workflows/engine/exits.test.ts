/** `exitWhen` ends runs wherever they are; `waitFor` stores the awaited event. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import {
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listRuns,
  type WorkflowInput,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let owner: Client
let tagId: string

beforeAll(async () => {
  owner = await (await service.workspace()).key()
  tagId = (await expectStatus(owner.post('/tags', { name: 'Customer' }), 201)).id
})

const isCustomer = () => ({ match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tagId] }] })
const send = (contactId: string, name: string, data: object) =>
  expectStatus(owner.post('/events', { contactId, name, data }), 202)

async function createWithExits(exitWhen: object[], nodes: WorkflowInput['nodes'], edges: string[]) {
  const triggerConfig = { type: 'event', name: 'cart', conditions: {} }
  const start = { id: 'start', type: 'start', data: { triggerConfig, entryMode: 'every_time', exitWhen } }
  const definition = {
    nodes: [start, ...Object.entries(nodes).map(([id, [type, data = {}]]) => ({ id, type, data }))],
    edges: edges.map(edge => {
      const [source, target] = edge.split(' > ')
      return { source, target }
    }),
  }
  const { id } = await expectStatus(owner.post('/journeys', { name: 'Cart', definition }), 201)
  await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
  await expectStatus(owner.post(`/journeys/${id}/activate`), 200)
  return id as string
}

const waiting: WorkflowInput['nodes'] = { wait: ['delay', { for: { days: 2 } }], end: ['end'] }
const edges = ['start > wait', 'wait > end']

test('an event ends only the run of its cart, during a delay, with the name of the goal', async () => {
  const match = { cartId: '{{event.data.cartId}}' }
  const id = await createWithExits([{ event: 'paid', match, goal: 'bought' }], waiting, edges)
  const { id: contactId } = await createContact(owner)
  await send(contactId, 'cart', { cartId: 'a' })
  await waitForRun(owner, id, 'waiting', contactId)
  await send(contactId, 'paid', { cartId: 'b' })
  await send(contactId, 'cart', { cartId: 'c' })
  await send(contactId, 'paid', { cartId: 'a' })
  const query = `?contactId=${contactId}`
  await expect
    .poll(async () => (await listRuns(owner, id, query)).map(run => [run.event.data.cartId, run.endReason]), {
      timeout: 60_000,
    })
    .toEqual([
      ['c', null],
      ['a', 'goal'],
    ])
  const [, ended] = await listRuns(owner, id, query)
  const run = await expectStatus(owner.get(`/runs/${ended.id}`), 200)
  expect(run).toMatchObject({ status: 'completed', nodeId: 'wait', waitingFor: null })
  expect(run.path.at(-1)).toMatchObject({
    nodeId: 'wait',
    outcome: 'end',
    output: 'goal',
    detail: { goal: 'bought' },
  })
  const analytics = await expectStatus(owner.get(`/journeys/${id}/analytics`), 200)
  expect(analytics).toMatchObject({
    totals: { entered: 2, waiting: 1, goalReached: 1 },
    nodes: expect.arrayContaining([expect.objectContaining({ nodeId: 'wait', goalReached: 1 })]),
    days: [{ goalReached: 1 }],
  })
})

test('a condition that becomes true ends the run, and one that is true already does at the start', async () => {
  const id = await createWithExits([{ event: 'never' }, { condition: isCustomer() }], waiting, edges)
  const { id: contactId } = await createContact(owner)
  await send(contactId, 'cart', {})
  await waitForRun(owner, id, 'waiting', contactId)
  await expectStatus(owner.post(`/contacts/${contactId}/tags/${tagId}`), 204)
  const run = await waitForRun(owner, id, 'completed', contactId)
  expect([run.endReason, ...getPath(run)]).toEqual(['exited', 'start:next', 'wait', 'wait:exited'])
  await send(contactId, 'cart', {})
  await expect
    .poll(async () => (await listRuns(owner, id, `?contactId=${contactId}`)).length, { timeout: 60_000 })
    .toBe(2)
  const [second] = await listRuns(owner, id, `?contactId=${contactId}`)
  expect(second).toMatchObject({ endReason: 'exited', nodeId: 'start' })
})

test('a simulation leaves by the exit as a live run does', async () => {
  const exits = [{ condition: 'has(variables.seen) && event.data.total > 5', goal: 'big' }, { event: 'paid' }]
  const nodes: WorkflowInput['nodes'] = { seen: ['setVariable', { name: 'seen', value: true }], ...waiting }
  const id = await createWithExits(exits, nodes, ['start > seen', 'seen > wait', 'wait > end'])
  const simulate = async (total: number, inputs: object[] = []) => {
    const body = { event: { name: 'cart', data: { total } }, inputs }
    const { endReason, nodeId } = await expectStatus(owner.post(`/journeys/${id}/simulate`, body), 200)
    return [endReason, nodeId]
  }
  // The condition is true once the variable is set: when the run continues after its delay.
  expect(await simulate(6)).toEqual(['goal', 'wait'])
  expect(await simulate(1, [{ afterSeconds: 60, event: { name: 'paid' } }])).toEqual(['exited', 'wait'])
  expect(await simulate(1)).toEqual(['end', 'end'])
})

test('waitFor stores the awaited event, and later nodes read its data', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      wait: ['waitFor', { cases: [{ id: 'paid', event: 'paid' }], saveAs: 'payment' }],
      note: ['setVariable', { name: 'text', value: 'Paid {{variables.payment.data.total}}' }],
    },
    edges: ['start > wait', 'wait:paid > note'],
  })
  const { id: contactId } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  await waitForRun(owner, id, 'waiting')
  await send(contactId, 'paid', { total: 42 })
  const { variables } = await waitForRun(owner, id, 'completed')
  expect(variables).toEqual({ payment: { name: 'paid', key: null, data: { total: 42 } }, text: 'Paid 42' })
})

test('400 on publishing for an exit that is neither an event nor a condition, or cannot be read', async () => {
  const data = {
    triggerConfig: { type: 'manual' },
    exitWhen: [{ goal: 'x' }, { condition: 'contact.nmae == "x"' }, { condition: 'variables.x == 1' }],
  }
  const definition = { nodes: [{ id: 's', type: 'start', data }], edges: [] }
  const { id } = await expectStatus(owner.post('/journeys', { name: 'J', definition }), 201)
  const codes = async () =>
    (await expectStatus(owner.post(`/journeys/${id}/publish`), 400)).violations.map(
      ({ field, code }: Record<string, string>) => `${field!.split('data.')[1]} ${code}`,
    )
  expect(await codes()).toEqual(['exitWhen[0].event required'])
  data.exitWhen.shift()
  await expectStatus(owner.patch(`/journeys/${id}`, { definition }), 200)
  expect(await codes()).toEqual([
    'exitWhen[0].condition unknown_contact_field',
    'exitWhen[1].condition unknown_variable',
  ])
})
