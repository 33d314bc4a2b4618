/** Simulations that an editor steps through: they pause, start at a time or at a node, and play a draft that is not stored. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { buildDefinition, connectInbox, expectStatus, type Run, text } from '../testing/fixtures.ts'

const service = await testService()
let owner: Client
let path: string

const start = { triggerConfig: { type: 'manual', conditions: {} }, entryMode: 'every_time' }
const nodes = {
  start: ['start', start] as [string, object],
  ask: ['ask', { content: text('Your name?'), variable: 'name', timeout: { hours: 1 } }] as [string, object],
  wait: ['delay', { for: { days: 2 } }] as [string, object],
  hello: ['sendMessage', { content: text('Hello {{variables.name}}') }] as [string, object],
}
const edges = ['start > ask', 'ask:answered > wait', 'wait > hello']

beforeAll(async () => {
  owner = await (await service.workspace()).key()
  await connectInbox(owner, '7610')
})
beforeEach(async () => {
  const definition = buildDefinition(nodes as never, edges)
  const { id } = await expectStatus(owner.post('/journeys', { name: 'A journey', definition }), 201)
  path = `/journeys/${id}`
})

const simulate = (body: object): Promise<Run> =>
  expectStatus(owner.post(`${path}/simulate`, { window: 'open', ...body }), 200)
const getOutputs = ({ path: steps }: Run): string[] =>
  steps.flatMap((step: Run) => (step.output === null ? [] : [`${step.nodeId}:${step.output}`]))

test('until inputs: the simulation ends at each wait, and time passes only with an input', async () => {
  const first = await simulate({ until: 'inputs' })
  expect(first).toMatchObject({
    status: 'waiting',
    nodeId: 'ask',
    waitingFor: { nodeId: 'ask', message: true },
  })
  expect(getOutputs(first)).toEqual(['start:next'])
  const answered = await simulate({ until: 'inputs', inputs: [{ message: 'Ada' }] })
  expect(answered).toMatchObject({ status: 'waiting', nodeId: 'wait', variables: { name: 'Ada' } })
  const { since, until } = answered.waitingFor
  expect(Date.parse(until) - Date.parse(since)).toBe(2 * 86_400_000)
  const early = await simulate({ until: 'inputs', inputs: [{ message: 'Ada' }, { afterSeconds: 86_400 }] })
  expect(early.nodeId).toBe('wait')
  const later = await simulate({ until: 'inputs', inputs: [{ message: 'Ada' }, { afterSeconds: 172_801 }] })
  expect(later).toMatchObject({ status: 'completed', endReason: 'end_of_path', waitingFor: null })
  expect(getOutputs(later)).toEqual(['start:next', 'ask:answered', 'wait:next', 'hello:next'])
  const late = await simulate({ until: 'inputs', inputs: [{ afterSeconds: 3_601 }] })
  expect(getOutputs(late)).toEqual(['start:next', 'ask:timeout'])
})

test('the clock starts at the given time', async () => {
  const startsAt = '2031-05-02T18:00:00.000Z'
  const { startedAt, path: steps } = await simulate({ startsAt, until: 'inputs' })
  expect(startedAt).toBe(startsAt)
  expect(steps[0].at).toBe(startsAt)
})

test('a run that starts at a node has the given variables, and ignores the trigger', async () => {
  const midway = await simulate({ startNodeId: 'hello', variables: { name: 'Bo' } })
  expect(getOutputs(midway)).toEqual(['hello:next'])
  expect(midway.effects).toMatchObject([{ effect: 'send', input: [{ content: text('Hello Bo') }] }])
  const unknown = await expectStatus(owner.post(`${path}/simulate`, { startNodeId: 'no' }), 400)
  expect(unknown.violations).toMatchObject([{ field: 'startNodeId', code: 'unknown_node' }])
})

test('a draft in the request is simulated, and not stored', async () => {
  const definition = buildDefinition({ start: ['start', start], bye: ['end'] } as never, ['start > bye'])
  expect(getOutputs(await simulate({ definition }))).toEqual(['start:next', 'bye:end'])
  expect((await expectStatus(owner.get(path), 200)).definition.nodes).toHaveLength(4)
})

test('cases are stored with the workflow; agents without journey:update read them only', async () => {
  const expected = {
    entered: true,
    endReason: 'end',
    path: [{ nodeId: 'start', output: 'next' }],
    effects: [],
  }
  const one = { id: 'one', name: 'One', request: { message: 'Hi', inputs: [{ message: 'Ada' }] }, expected }
  expect(await expectStatus(owner.get(`${path}/cases`), 200)).toEqual({ cases: [], revision: 1 })
  await expectStatus(owner.put(`${path}/cases`, { cases: [one] }), 200)
  const { body, headers } = await owner.get(`${path}/cases`)
  expect(body).toEqual({ cases: [one], revision: 2 })
  expect(headers.get('etag')).toBe('"2"')
  // Two editors who read the same cases: the second one is refused, and the draft keeps its own revision.
  const save = (name: string) =>
    owner.put(`${path}/cases`, { cases: [{ ...one, name }] }, { 'if-match': '"2"' })
  expect(await expectStatus(save('First'), 200)).toMatchObject({ revision: 3 })
  await expectStatus(save('Second'), 412)
  await expectStatus(owner.put(`${path}/cases`, { cases: [], revision: 2 }), 412)
  expect(await expectStatus(owner.get(`${path}/cases`), 200)).toMatchObject({ cases: [{ name: 'First' }] })
  expect(await expectStatus(owner.get(path), 200)).toMatchObject({ revision: 1 })
  const many = Array.from({ length: 51 }, () => one)
  await expectStatus(owner.put(`${path}/cases`, { cases: many }), 400)
  await expectStatus(owner.get('/journeys/jrn_unknown/cases'), 404)
  await expectStatus(owner.get(`${path.replace('journeys', 'chatbots')}/cases`), 404)
  const reader = await (await service.workspace()).key({ scopes: ['journey:read'] })
  await expectStatus(reader.put(`${path}/cases`, { cases: [] }), 403)
})
