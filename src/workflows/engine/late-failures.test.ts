/** Tests events of a message after its run continued: rejected by the provider, or its contact archived, deleted or erased. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { transact } from '../../platform/db/transact.ts'
import { deleteContactRuns } from '../store/runs/retention.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listSentTexts,
  newPhone,
  type Run,
  receiveMessage,
  text,
  type WorkflowInput,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeEach(async () => {
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7301')
})

/** The provider accepts messages to this number, and rejects them by callback. */
const rejectedLater = '+15005550011'
/** The provider refuses messages to this number. */
const rejectedAtOnce = '+15005550010'

async function startRun(nodes: WorkflowInput['nodes'], edges: string[], phone?: string) {
  const hello: [string, Record<string, unknown>] = ['sendMessage', { content: text('Hello'), inboxId }]
  const id = await createJourney(owner, { trigger: { type: 'manual' }, nodes: { hello, ...nodes }, edges })
  const contact = await createContact(owner, phone ? { phone } : {})
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId: contact.id }), 201)
  return { id, contact }
}

const waitForEnd = async (id: string, endReason: string): Promise<Run> => {
  const { runs } = await until(
    () => expectStatus(owner.get(`/journeys/${id}/runs`), 200),
    body => body.runs[0]?.endReason === endReason,
  )
  return expectStatus(owner.get(`/runs/${runs[0].id}`), 200)
}
const getAnalytics = (id: string): Promise<Run> => expectStatus(owner.get(`/journeys/${id}/analytics`), 200)

test('a message that is rejected later makes an ended run undelivered, in its log and the analytics', async () => {
  const { id } = await startRun({}, ['start > hello'], rejectedLater)
  const run = await waitForEnd(id, 'undelivered')
  expect(run.status).toBe('completed')
  expect(getPath(run)).toEqual(['start:next', 'hello:next', 'hello:undelivered'])
  expect(run.path.at(-1)).toMatchObject({
    input: { type: 'delivery', status: 'failed' },
    detail: { late: true, code: expect.any(String) },
  })
  const { totals, nodes } = await getAnalytics(id)
  expect(totals).toMatchObject({ entered: 1, waiting: 0, undelivered: 1 })
  expect(nodes.find((node: Run) => node.nodeId === 'hello')).toMatchObject({ waiting: 0, undelivered: 1 })
})

test('of several messages of a run that are rejected, one ends it: live, and together in a simulation', async () => {
  const again: [string, Record<string, unknown>] = ['sendMessage', { content: text('Again'), inboxId }]
  const { id } = await startRun({ again }, ['start > hello', 'hello > again'], rejectedLater)
  const run = await waitForEnd(id, 'undelivered')
  const isLate = (step: string) => step.endsWith(':undelivered')
  expect(getPath(run).filter(isLate)).toHaveLength(1)
  const failed = { failed: 'undeliverable' }
  const contact = { phone: newPhone() }
  const request = { contact, window: 'open', deliveries: { hello: failed, again: failed } }
  const simulated = await expectStatus(owner.post(`/journeys/${id}/simulate`, request), 200)
  expect(simulated).toMatchObject({ status: 'completed', endReason: 'undelivered' })
  expect(getPath(simulated).filter(isLate)).toEqual(['hello:undelivered'])
})

test('a message that is rejected later ends a run that waits elsewhere', async () => {
  const nodes: WorkflowInput['nodes'] = { nap: ['delay', { for: { days: 2 } }] }
  const { id } = await startRun(nodes, ['start > hello', 'hello > nap'], rejectedLater)
  const run = await waitForEnd(id, 'undelivered')
  expect([run.status, run.waitingFor, getPath(run).at(-1)]).toEqual(['completed', null, 'hello:undelivered'])
  expect((await getAnalytics(id)).totals).toMatchObject({ waiting: 0, undelivered: 1 })
})

test.each([
  ['at the end', {}, ['start > hello']],
  ['in a delay', { nap: ['delay', { for: { days: 2 } }] }, ['start > hello', 'hello > nap']],
] as [string, WorkflowInput['nodes'], string[]][])(
  'a simulation with a failed delivery ends as the live run does, %s',
  async (_name, nodes, edges) => {
    const { id } = await startRun(nodes, edges, rejectedLater)
    const live = await waitForEnd(id, 'undelivered')
    const simulated = await expectStatus(
      owner.post(`/journeys/${id}/simulate`, {
        contact: { phone: newPhone() },
        deliveries: { hello: { failed: '131026' } },
        window: 'open',
      }),
      200,
    )
    expect(simulated.endReason).toBe('undelivered')
    expect(getPath(simulated)).toEqual(getPath(live))
  },
)

test('a run whose session has ended is not undelivered: live and in a simulation', async () => {
  const trigger = { type: 'message_received' }
  const nodes: WorkflowInput['nodes'] = {
    bye: ['closeConversation', {}],
    hello: ['sendMessage', { content: text('Hello'), inboxId }],
    nap: ['delay', { for: { days: 2 } }],
  }
  const edges = ['start > bye', 'bye > hello', 'hello > nap']
  const id = await createChatbot(owner, { trigger, nodes, edges })
  await receiveMessage(owner, inboxId, rejectedAtOnce, 'Hi')
  const { runs } = await until(
    () => expectStatus(owner.get(`/chatbots/${id}/runs`), 200),
    body => body.runs[0]?.status === 'completed',
  )
  const live = await expectStatus(owner.get(`/runs/${runs[0].id}`), 200)
  const simulated = await expectStatus(
    owner.post(`/chatbots/${id}/simulate`, {
      contact: { phone: newPhone() },
      message: 'Hi',
      deliveries: { hello: { failed: 'recipient_unreachable' } },
    }),
    200,
  )
  for (const run of [live, simulated]) {
    expect(run.endReason).toBe('session_ended')
    expect(getPath(run)).toEqual(['start:next', 'bye:next', 'hello:next', 'nap'])
  }
})

test('with an edge from failed the run goes there, and nothing is corrected', async () => {
  const nodes: WorkflowInput['nodes'] = { sorry: ['note', { text: 'not delivered' }] }
  const { id } = await startRun(nodes, ['start > hello', 'hello:failed > sorry'], rejectedLater)
  const run = await waitForEnd(id, 'end_of_path')
  expect(getPath(run).slice(-2)).toEqual(['hello:failed', 'sorry:next'])
})

test('a goal that was reached stays a goal', async () => {
  const nodes: WorkflowInput['nodes'] = { won: ['goal', { name: 'won' }] }
  const { id, contact } = await startRun(nodes, ['start > hello', 'hello > won'], rejectedLater)
  const later = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: { hello: ['sendMessage', { content: text('Hello'), inboxId }] },
    edges: ['start > hello'],
  })
  await until(
    () => getMessage(contact.id),
    message => message?.deliveryStatus === 'failed',
  )
  await expectStatus(owner.post(`/journeys/${later}/runs`, { contactId: contact.id }), 201)
  await waitForEnd(later, 'undelivered')
  expect((await waitForRun(owner, id, 'completed')).endReason).toBe('goal')
})

async function getMessage(contactId: string): Promise<Run> {
  const { conversations } = await expectStatus(owner.get(`/conversations?contactId=${contactId}`), 200)
  if (conversations.length === 0) return undefined
  const path = `/conversations/${conversations[0].id}/messages`
  return (await expectStatus(owner.get(path), 200)).messages[0]
}

test.each([
  ['archived', 'archived', (id: string) => owner.post(`/contacts/${id}/archive`)],
  ['deleted', 'contact_deleted', (id: string) => owner.delete(`/contacts/${id}`)],
])('a pending message to a contact who was %s is not handed to the provider', async (_name, code, remove) => {
  await expectStatus(owner.put('/sandbox/faults', { requests: [{ answer: 'serverError' }] }), 200)
  const { contact } = await startRun({}, ['start > hello'])
  const { id: messageId } = await until(
    () => getMessage(contact.id),
    message => message?.deliveryStatus === 'pending',
  )
  expect((await remove(contact.id)).status).toBe(204)
  await expectStatus(owner.delete('/sandbox/faults'), 204)
  const { message } = await until(
    () => expectStatus(owner.get(`/messages/${messageId}`), 200),
    body => body.message.deliveryStatus !== 'pending',
  )
  expect(message).toMatchObject({ deliveryStatus: 'failed', deliveryError: { code } })
  expect(await listSentTexts(owner, inboxId, contact.phone)).toEqual([])
})

test('the runs of an erased contact no longer count as waiting', async () => {
  const nodes: WorkflowInput['nodes'] = { nap: ['delay', { for: { days: 2 } }] }
  const { id, contact } = await startRun(nodes, ['start > hello', 'hello > nap'])
  await waitForRun(owner, id, 'waiting')
  expect((await getAnalytics(id)).totals.waiting).toBe(1)
  await transact(service.deps.db, tx => deleteContactRuns(tx, owner.tenantId, [contact.id]))
  const { totals, nodes: counts } = await getAnalytics(id)
  expect(totals).toMatchObject({ entered: 1, waiting: 0 })
  expect(counts.every((node: Run) => node.waiting === 0)).toBe(true)
})
