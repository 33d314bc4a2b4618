/** Messages that are not delivered: the end of their run, and warnings when the workflow is published. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import {
  buildDefinition,
  connectInbox,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  text,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let owner: Client

beforeAll(async () => {
  owner = (await service.workspace()).owner
  await connectInbox(owner, '7401')
})

test.each([
  ['undelivered', 'hello', ['start > out', 'out > hello']],
  ['end', 'end', ['start > out', 'out > hello', 'hello:optedOut > end']],
])('%s for a run whose contact has opted out', async (endReason, nodeId, edges) => {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      out: ['setOptOut', { channel: 'chatapp', optedOut: true }],
      hello: ['sendMessage', { content: text('Hello') }],
      ...(nodeId === 'end' ? { end: ['end'] as [string] } : {}),
    },
    edges,
  })
  const { id: contactId } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  const run = await waitForRun(owner, id, 'completed')
  expect(run).toMatchObject({ endReason, nodeId })
  expect(getPath(run)).toContain('hello:optedOut')
  const simulated = await expectStatus(owner.post(`/journeys/${id}/simulate`, { contactId }), 200)
  expect(simulated).toMatchObject({ endReason, nodeId })
})

async function publish(kind: 'journey' | 'chatbot', trigger: object, content: object, edges: string[] = []) {
  const nodes = {
    start: ['start', { triggerConfig: trigger }],
    say: ['sendMessage', { content }],
    end: ['end'],
  }
  const definition = buildDefinition(nodes as never, ['start > say', 'say > end', ...edges])
  const body = kind === 'journey' ? { definition } : { draft: definition }
  const { id } = await expectStatus(owner.post(`/${kind}s`, { name: 'W', ...body }), 201)
  const { warnings } = await expectStatus(owner.post(`/${kind}s/${id}/publish`), 200)
  return warnings.map(({ field, code, message }: Record<string, string>) => {
    expect(code).toBe('undelivered_ends_run')
    return `${field} ${/leaves by ([^:]+)/.exec(message!)![1]}`
  })
}

const at = 'definition.nodes[1]'

test('publishing warns of outputs without an edge if the messaging window may be closed', async () => {
  const created = { type: 'contact_created' }
  const all = [`${at} failed, windowClosed, or optedOut`]
  expect(await publish('journey', created, text('Hello'))).toEqual(all)
  const edges = ['say:failed > end', 'say:optedOut > end']
  expect(await publish('journey', created, text('Hello'), edges)).toEqual([`${at} windowClosed`])
  expect(await publish('journey', created, text('Hello'), [...edges, 'say:windowClosed > end'])).toEqual([])
  const template = { type: 'template', template: { name: 'hello_world', language: 'en_US' } }
  expect(await publish('journey', created, template)).toEqual([`${at} failed or optedOut`])
})

test('publishing does not warn if the customer has just written', async () => {
  const received = { type: 'message_received' }
  expect(await publish('journey', received, text('Hello'))).toEqual([])
  expect(await publish('chatbot', received, text('Hello'))).toEqual([])
})

test('violations of edges and jumps name the node that was most likely meant', async () => {
  const nodes = {
    start: ['start', { triggerConfig: { type: 'manual' } }],
    welcome: ['note', { text: 'x' }],
    again: ['jump', { to: 'welcom' }],
    x: ['note', { text: 'x' }],
  }
  const definition = buildDefinition(nodes as never, ['start > wellcome', 'welcome > again', 'again > q'])
  const { id } = await expectStatus(owner.post('/journeys', { name: 'W', definition }), 201)
  const { violations } = await expectStatus(owner.post(`/journeys/${id}/publish`), 400)
  const messages = violations.filter(({ code }: Record<string, string>) => code === 'unknown_node')
  expect(messages.map(({ field, message }: Record<string, string>) => `${field} ${message}`).sort()).toEqual([
    'definition.edges[0].target node "wellcome" not found; did you mean "welcome"?',
    'definition.edges[2].target node "q" not found',
    'definition.nodes[2].data.to node "welcom" not found; did you mean "welcome"?',
  ])
})

test('violations list the valid values, and those of a chatbot name its draft', async () => {
  const definition = {
    nodes: [
      { id: 's', type: 'start', data: { triggerConfig: { type: 'mesage_received' } } },
      { id: 'n', type: 'sendMesage', data: {} },
    ],
    edges: [{ source: 's', target: 'n' }],
  }
  const { id } = await expectStatus(owner.post('/chatbots', { name: 'Bot', draft: definition }), 201)
  const { violations } = await expectStatus(owner.post(`/chatbots/${id}/publish`), 400)
  const find = (field: string) =>
    violations.find((found: { field: string }) => found.field === field)?.message as string
  expect(find('draft.nodes[1].type')).toMatch(
    /^is not a node; use one of start, sendMessage, .*; did you mean "sendMessage"\?$/,
  )
  expect(find('draft.nodes[0].data.triggerConfig.type')).toBe(
    'is not a trigger; use one of conversation_started, message_received; did you mean "message_received"?',
  )
})
