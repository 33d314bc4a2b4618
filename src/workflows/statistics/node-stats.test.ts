/** Statistics of nodes: by version and day, before and after they are added to the counters. */
import { beforeEach, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { foldDeltas } from '../store/statistics/node-counts.ts'
import {
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  newPhone,
  type Run,
  receiveMessage,
  text,
  type WorkflowInput,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
const { clock, db } = service.deps
let workspace: Workspace
let owner: Client

beforeEach(async () => {
  workspace = await service.workspace()
  owner = await workspace.key()
})

const stats = (path: string, client = owner): Promise<Run> => expectStatus(client.get(path), 200)
const fold = () => transact(db, tx => foldDeltas(tx, 10_000))
const today = () => clock.now().toISOString().slice(0, 10)
const near = (seconds: number) =>
  expect.toSatisfy((n: number) => n !== null && Math.abs(n - seconds) <= 600, `near ${seconds}`)
const none = {
  entered: 0,
  waiting: 0,
  left: 0,
  passed: {},
  failed: 0,
  undelivered: 0,
  medianStaySeconds: null,
}

async function start(id: string, count: number): Promise<string[]> {
  const contacts = await Promise.all(Array.from({ length: count }, () => createContact(owner)))
  for (const { id: contactId } of contacts)
    await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  return contacts.map(contact => contact.id)
}

const hasRuns = (id: string, status: string, count: number) =>
  until(
    async () => (await expectStatus(owner.get(`/journeys/${id}/runs?status=${status}`), 200)).runs as Run[],
    runs => runs.length === count,
  )

const waiting: WorkflowInput = {
  trigger: { type: 'manual' },
  nodes: {
    wait: ['waitFor', { cases: [{ event: 'go' }], timeout: { days: 9 } }],
    set: ['setVariable', { name: 'x', value: 'a' }],
  },
  edges: ['start > wait', 'wait:0 > set'],
}

test('journey: entered, waiting, left by output, and the median stay, by version', async () => {
  const id = await createJourney(owner, waiting)
  const path = `/journeys/${id}`
  const first = (await owner.get(path)).body.publishedVersionId as string
  const contacts = await start(id, 7)
  await hasRuns(id, 'waiting', 7)
  clock.advance(2 * 3_600_000)
  for (const contactId of contacts.slice(0, 3)) {
    await expectStatus(owner.post('/events', { name: 'go', contactId }), 202)
    await waitForRun(owner, id, 'completed', contactId)
  }
  // Cancelled runs leave the node without a stay: as many as the others, which must not make the median 0.
  for (const contactId of contacts.slice(3, 6))
    await expectStatus(owner.post('/runs/cancel', { contactId }), 200)
  const second = (await expectStatus(owner.post(`${path}/publish`), 200)).id as string
  await start(id, 1)
  await hasRuns(id, 'waiting', 2)
  const expected = {
    workflowId: id,
    versionId: first,
    to: today(),
    nodes: [
      { ...none, nodeId: 'start', entered: 7, left: 7, passed: { next: 7 }, medianStaySeconds: 0 },
      {
        ...none,
        nodeId: 'wait',
        entered: 7,
        waiting: 1,
        left: 6,
        passed: { 0: 3 },
        medianStaySeconds: near(7_200),
      },
      { ...none, nodeId: 'set', entered: 3, left: 3, passed: { next: 3 }, medianStaySeconds: 0 },
    ],
  }
  const ofVersion = (versionId: string) => stats(`${path}/stats?versionId=${versionId}`)
  const before = await ofVersion(first)
  expect(before).toMatchObject(expected)
  expect((await ofVersion(second)).nodes).toMatchObject([
    { nodeId: 'start', entered: 1 },
    { nodeId: 'wait', entered: 1, waiting: 1, left: 0, medianStaySeconds: null },
    { ...none, nodeId: 'set' },
  ])
  const all = await stats(`${path}/stats`)
  expect(all).toMatchObject({ versionId: null, nodes: [{ entered: 8 }, { entered: 8, waiting: 2 }, {}] })
  while ((await transact(db, tx => foldDeltas(tx, 2))) > 0);
  expect(await ofVersion(first)).toEqual(before)
  expect(await stats(`${path}/stats`)).toEqual(all)
  // The analytics of all versions are unchanged by the further counters.
  const analytics = await stats(`${path}/analytics`)
  expect(analytics.totals).toMatchObject({ entered: 8, waiting: 2 })
  const past = await stats(`${path}/stats?versionId=${first}&from=2020-01-01&to=2020-03-31`)
  expect(past.nodes).toEqual([
    { ...none, nodeId: 'start' },
    { ...none, nodeId: 'wait', waiting: 1 },
    { ...none, nodeId: 'set' },
  ])
})

test('the stay counts from entering the node, also if the run has waited there several times', async () => {
  const inboxId = await connectInbox(owner, '7119')
  const ask = {
    content: text('Mail?'),
    variable: 'mail',
    validate: 'email',
    retries: 3,
    timeout: { days: 2 },
  }
  const id = await createChatbot(owner, {
    trigger: { type: 'message_received' },
    nodes: { ask: ['ask', ask], end: ['end'] },
    edges: ['start > ask', 'ask > end'],
  })
  const phone = newPhone()
  const path = `/chatbots/${id}`
  const runIs = (test: (run: Run) => boolean) =>
    until(
      async () => (await expectStatus(owner.get(`${path}/runs`), 200)).runs[0] as Run,
      run => run !== undefined && test(run),
    )
  const isAsking = ({ waitingFor }: Run) => waitingFor?.nodeId === 'ask'
  await receiveMessage(owner, inboxId, phone, 'Hello')
  clock.advance(10_000)
  const asked = await runIs(isAsking)
  clock.advance(1_200_000)
  await receiveMessage(owner, inboxId, phone, 'none')
  await until(
    async () => (await stats(`${path}/runs`)).runs[0] as Run,
    run => {
      clock.advance(5_000)
      return isAsking(run) && run.waitingFor.since > asked.waitingFor.since
    },
  )
  const again = await runIs(isAsking)
  expect(again.waitingFor).not.toHaveProperty('enteredAt')
  clock.advance(1_200_000)
  await receiveMessage(owner, inboxId, phone, 'ann@example.com')
  await until(
    async () => (await stats(`${path}/runs`)).runs[0] as Run,
    run => {
      clock.advance(5_000)
      return run.status === 'completed'
    },
  )
  const node = (await stats(`${path}/stats`)).nodes.find((one: Run) => one.nodeId === 'ask')
  expect(node).toMatchObject({ entered: 1, waiting: 0, left: 1, passed: { answered: 1 } })
  expect(node.medianStaySeconds).toBeGreaterThan(2_400)
  expect(node.medianStaySeconds).toBeLessThan(4_000)
})

test('a run that fails is counted at its node, and again if its retry fails', async () => {
  const fieldId = (
    await expectStatus(owner.post('/contacts/custom-fields', { name: 'Size', type: 'text' }), 201)
  ).id as string
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: { set: ['setField', { fieldId, value: 'L' }] },
    edges: ['start > set'],
  })
  await expectStatus(owner.delete(`/contacts/custom-fields/${fieldId}`), 204)
  await start(id, 1)
  const run = await waitForRun(owner, id, 'failed')
  const read = async () => (await stats(`/journeys/${id}/stats`)).nodes
  const expected = [
    { nodeId: 'start', entered: 1, failed: 0 },
    { nodeId: 'set', entered: 1, waiting: 0, left: 1, passed: {}, failed: 1, medianStaySeconds: 0 },
  ]
  expect(await read()).toMatchObject(expected)
  await fold()
  expect(await read()).toMatchObject(expected)
  // A failure without a step of the node: it is not part of the plan.
  await db.run(sql`
    update workflow_runs set node_id = 'gone' where tenant_id = ${workspace.tenantId} and id = ${run.id}`)
  await expectStatus(owner.post(`/runs/${run.id}/retry`), 200)
  const [, set, gone] = await until(read, nodes => nodes[2] !== undefined)
  expect([set, gone]).toMatchObject([
    { nodeId: 'set', failed: 1 },
    { nodeId: 'gone', entered: 0, waiting: 0, failed: 1 },
  ])
})

test('400 for a reversed or too long range, 404 for a version of another workflow or workspace, 403 without the scope', async () => {
  const id = await createJourney(owner, waiting)
  const other = await createJourney(owner, waiting)
  const path = `/journeys/${id}/stats`
  for (const range of ['from=2020-02-01&to=2020-01-31', 'from=2020-01-01&to=2020-04-02', 'from=x']) {
    const { violations } = await expectStatus(owner.get(`${path}?${range}`), 400)
    expect(violations[0].field).toBe('from')
  }
  await expectStatus(owner.get(`${path}?from=2020-01-01&to=2020-04-01`), 200)
  const foreign = (await owner.get(`/journeys/${other}`)).body.publishedVersionId
  expect((await expectStatus(owner.get(`${path}?versionId=${foreign}`), 404)).code).toBe(
    'journey_version_not_found',
  )
  expect((await expectStatus(owner.get(`/chatbots/${id}/stats`), 404)).code).toBe('chatbot_not_found')
  const stranger = (await service.workspace()).owner
  expect((await expectStatus(stranger.get(path), 404)).code).toBe('journey_not_found')
  const lister = await workspace.key({ scopes: ['journey:list'] })
  await expectStatus(lister.get(path), 403)
})
