/** A workflow acts with the rights of its publisher: checked at publishing, at entry, before each effect, and when they are lost. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { testService, until } from '../../test/harness/service.ts'
import { sql } from '../platform/db/sql.ts'
import { transact } from '../platform/db/transact.ts'
import { nodeTypes } from './nodes/registry.ts'
import { rightsByType } from './nodes/rights.ts'
import {
  buildDefinition,
  connectInbox,
  createChatbot,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listRuns,
  newPhone,
  type Run,
  receiveMessage,
  text,
  waitForRun,
} from './testing/fixtures.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let tagId: string

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  tagId = (await expectStatus(owner.post('/tags', { name: 'vip' }), 201)).id
})

const workflowScopes = ['list', 'read', 'create', 'update', 'publish', 'activate'].map(
  name => `journey:${name}`,
)
const http = ['http', { method: 'GET', url: 'https://example.com/' }] as [string, Record<string, unknown>]
const pingTrigger = { type: 'event', name: 'ping' }
const waitForGo: [string, Record<string, unknown>] = [
  'waitFor',
  { cases: [{ event: 'go' }], timeout: { days: 1 } },
]
const send = (name: string, contactId: string) =>
  expectStatus(owner.post('/events', { name, contactId }), 202)

async function createDraft(client: Client, nodes: Record<string, [string, Record<string, unknown>?]>) {
  const ids = Object.keys(nodes)
  const edges = ids.map((id, i) => `${i === 0 ? 'start' : ids[i - 1]} > ${id}`)
  const start: [string, Record<string, unknown>] = [
    'start',
    { triggerConfig: { ...pingTrigger, conditions: {} }, entryMode: 'every_time' },
  ]
  const definition = buildDefinition({ start, ...nodes }, edges)
  return (await expectStatus(client.post('/journeys', { name: 'Draft', definition }), 201)).id as string
}

test('every node type has an entry in the table of rights, with scopes that owners hold', () => {
  expect(Object.keys(rightsByType).sort()).toEqual(nodeTypes.map(({ type }) => type).sort())
  const scopes = Object.values(rightsByType).flatMap(rights => rights.scopes)
  expect(scopes.filter(scope => !service.deps.roleScopes.owner.has(scope))).toEqual([])
})

describe('publishing', () => {
  test('403 lists each node and the scope that the key lacks; the simulation reports the same', async () => {
    const key = await workspace.key({ scopes: [...workflowScopes, 'contact:update'] })
    const id = await createDraft(key, {
      hello: ['sendMessage', { content: text('Hello') }],
      tag: ['addTag', { tagId }],
      close: ['closeConversation'],
    })
    const problem = await expectStatus(key.post(`/journeys/${id}/publish`), 403)
    expect(problem).toMatchObject({
      code: 'workflow_rights_missing',
      violations: [
        {
          field: 'definition.nodes[1]',
          code: 'missing_scope',
          message: 'the sendMessage node "hello" needs the scope message:create',
        },
        {
          field: 'definition.nodes[3]',
          code: 'missing_scope',
          message: 'the closeConversation node "close" needs the scope conversation:close',
        },
      ],
    })
    const simulated = await expectStatus(key.post(`/journeys/${id}/simulate`, {}), 403)
    expect(simulated.violations).toEqual(problem.violations)
    await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
  })

  test('403 names draft for a chatbot, and the default reply of its start node', async () => {
    const key = await workspace.key({ scopes: workflowScopes })
    const draft = buildDefinition({ start: ['start', { defaultReply: text('One moment') }] }, [])
    const { id } = await expectStatus(key.post('/chatbots', { name: 'Bot', draft }), 201)
    const { violations } = await expectStatus(key.post(`/chatbots/${id}/publish`), 403)
    expect(violations).toEqual([
      {
        field: 'draft.nodes[0]',
        code: 'missing_scope',
        message: 'the start node "start" needs the scope message:create',
      },
    ])
  })

  test('a key with exactly the scopes of its nodes publishes, and its runs act', async () => {
    const key = await workspace.key({ scopes: [...workflowScopes, 'contact:update'] })
    const id = await createDraft(key, { tag: ['addTag', { tagId }] })
    await expectStatus(key.post(`/journeys/${id}/publish`), 200)
    await expectStatus(key.post(`/journeys/${id}/activate`), 200)
    const { id: contactId } = await createContact(owner)
    await send('ping', contactId)
    await waitForRun(owner, id, 'completed')
    expect((await owner.get(`/contacts/${contactId}`)).body.tagIds).toEqual([tagId])
  })

  test('403 for an http node of an agent; owners, admins and keys with the role admin may publish it', async () => {
    const agents = [await workspace.user('agent'), await workspace.key({ role: 'agent' })]
    for (const agent of agents) {
      const id = await createDraft(agent, { call: http, tag: ['addTag', { tagId }] })
      const { violations } = await expectStatus(agent.post(`/journeys/${id}/publish`), 403)
      expect(violations).toEqual([
        {
          field: 'definition.nodes[1]',
          code: 'missing_role',
          message: 'the http node "call" needs the role owner or admin',
        },
      ])
      for (const publisher of [owner, await workspace.user('admin'), await workspace.key()])
        await expectStatus(publisher.post(`/journeys/${id}/publish`), 200)
    }
  })
})

/** A contact with a conversation on an inbox of the team. */
async function createTeamContact(teamId: string, waba: string) {
  const inboxId = await connectInbox(owner, waba)
  await expectStatus(owner.put(`/inboxes/${inboxId}/team`, { teamId }), 200)
  const phone = newPhone()
  await receiveMessage(owner, inboxId, phone, 'Hi')
  const { contacts } = await until(
    () => expectStatus(owner.get(`/contacts?search=${encodeURIComponent(phone)}`), 200),
    body => body.contacts.length > 0,
  )
  return { id: contacts[0].id as string, phone, inboxId }
}

const createTeam = async (name: string): Promise<string> =>
  (await expectStatus(owner.post('/teams', { name }), 201)).id

describe('a workflow published by an agent', () => {
  test('starts no run for a contact of another team', async () => {
    const [own, other] = [await createTeam('Own'), await createTeam('Other')]
    const agent = await workspace.user('agent', [own])
    const visible = await createTeamContact(own, '7201')
    const hidden = await createTeamContact(other, '7202')
    const nodes = { tag: ['addTag', { tagId }] as [string, Record<string, unknown>] }
    const byAgent = await createJourney(agent, { trigger: pingTrigger, nodes, edges: ['start > tag'] })
    const byOwner = await createJourney(owner, { trigger: pingTrigger, nodes, edges: ['start > tag'] })
    await send('ping', hidden.id)
    await send('ping', visible.id)
    await waitForRun(owner, byAgent, 'completed', visible.id)
    await waitForRun(owner, byOwner, 'completed', hidden.id)
    expect((await listRuns(owner, byAgent)).map(run => run.contactId)).toEqual([visible.id])
    const refused = await expectStatus(owner.post(`/journeys/${byAgent}/runs`, { contactId: hidden.id }), 409)
    expect(refused.detail).toContain('the agent who published the journey cannot see the contact')
    const explained = await expectStatus(owner.get(`/journeys/${byAgent}/contacts/${hidden.id}/explain`), 200)
    expect(explained).toMatchObject({ wouldEnter: false, reasons: [{ code: 'not_visible' }] })
  })

  test.each([
    ['addTag', { tagId: 'tag' }],
    ['sendMessage', { content: text('Hello') }],
    ['closeConversation', {}],
    ['emitEvent', { name: 'done' }],
  ] as const)('ends a run before %s when the contact is no longer visible', async (type, given) => {
    const team = await createTeam('Own')
    const agent = await workspace.user('agent', [team])
    const contact = await createTeamContact(team, '7203')
    const data = 'tagId' in given ? { tagId } : given
    const id = await createJourney(agent, {
      trigger: pingTrigger,
      nodes: { wait: waitForGo, act: [type, data], after: ['note', { text: 'not reached' }] },
      edges: ['start > wait', 'wait:0 > act', 'act > after'],
    })
    await send('ping', contact.id)
    await waitForRun(owner, id, 'waiting')
    await expectStatus(owner.patch(`/users/${agent.id}`, { teamIds: [] }), 200)
    await send('go', contact.id)
    const run = await waitForRun(owner, id, 'completed')
    expect([run.endReason, getPath(run).at(-1)]).toEqual(['not_visible', 'act:not_visible'])
    expect((await owner.get(`/contacts/${contact.id}`)).body.tagIds).toEqual([])
    const { conversations } = await expectStatus(owner.get('/conversations'), 200)
    expect(conversations[0].status).toBe('open')
  })

  test('a bot takes no session of another team', async () => {
    const [own, other] = [await createTeam('Own'), await createTeam('Other')]
    const agent = await workspace.user('agent', [own])
    const inboxId = await connectInbox(owner, '7204')
    await expectStatus(owner.put(`/inboxes/${inboxId}/team`, { teamId: other }), 200)
    const bot = await createChatbot(agent, {
      nodes: { note: ['note', { text: 'x' }] },
      edges: ['start > note'],
    })
    await receiveMessage(owner, inboxId, newPhone(), 'Hi')
    const released = await until(
      () => expectStatus(owner.get('/conversations'), 200),
      ({ conversations }) => conversations[0]?.activeOwner?.type === 'team',
    )
    expect(released.conversations[0].activeOwner.id).toBe(other)
    expect((await expectStatus(owner.get(`/chatbots/${bot}/runs`), 200)).runs).toEqual([])
  })
})

const nodesOfAdmin = { wait: waitForGo, call: http, tag: ['addTag', { tagId: '' }] } as Record<
  string,
  [string, Record<string, unknown>]
>

/** A journey of the client with a run that waits for the event `go`, then tags the contact. */
async function createWaitingRun(client: Client, nodes: Record<string, [string, Record<string, unknown>]>) {
  const id = await createJourney(client, {
    trigger: pingTrigger,
    nodes: { ...nodes, tag: ['addTag', { tagId }] },
    edges:
      'call' in nodes
        ? ['start > wait', 'wait:0 > tag', 'wait:timeout > call']
        : ['start > wait', 'wait:0 > tag'],
  })
  const { id: contactId } = await createContact(owner)
  await send('ping', contactId)
  await waitForRun(owner, id, 'waiting')
  return { id, contactId }
}

const getJourney = (id: string): Promise<Run> => expectStatus(owner.get(`/journeys/${id}`), 200)
const waitForStatus = (id: string, status: string) =>
  until(
    () => getJourney(id),
    journey => journey.status === status,
  )

async function expectHeld(id: string, contactId: string): Promise<void> {
  await send('go', contactId)
  const [run] = await until(
    () => listRuns(owner, id),
    ([first]) => first.held !== undefined,
  )
  expect([run.status, run.held]).toEqual(['waiting', 'publisher_rights_lost'])
  expect((await owner.get(`/contacts/${contactId}`)).body.tagIds).toEqual([])
}

describe('when the publisher loses rights', () => {
  test('the journey is paused, its runs are held, and publishing by an owner continues them', async () => {
    const admin = await workspace.user('admin')
    const { id, contactId } = await createWaitingRun(admin, nodesOfAdmin)
    await expectStatus(owner.put(`/users/${admin.id}/role`, { role: 'agent' }), 200)
    const paused = await waitForStatus(id, 'paused')
    expect(paused.pauseReason).toMatchObject({ code: 'publisher_rights_lost', missing: ['role:admin'] })
    const { events } = await until(
      () => expectStatus(owner.get('/events?eventTypes=journey.updated'), 200),
      body => body.events.length >= 2,
    )
    expect(events.at(-1).data).toMatchObject({
      journey: { id, status: 'paused', pauseReason: { missing: ['role:admin'] } },
      changes: ['status'],
    })
    await expectHeld(id, contactId)
    const refused = await expectStatus(owner.post(`/journeys/${id}/activate`), 409)
    expect(refused.code).toBe('journey_publisher_rights_lost')
    expect(refused.detail).toContain('role:admin')
    await expectStatus(owner.post(`/journeys/${id}/simulate`, { version: 'published' }), 409)
    await expectStatus(admin.post(`/journeys/${id}/publish`), 403)
    await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
    expect(await getJourney(id)).toMatchObject({ status: 'active' })
    expect((await getJourney(id)).pauseReason).toBeUndefined()
    const run = await waitForRun(owner, id, 'completed')
    expect([run.endReason, run.held]).toEqual(['end_of_path', undefined])
    expect((await owner.get(`/contacts/${contactId}`)).body.tagIds).toEqual([tagId])
  })

  test('activating continues the runs once the publisher has the rights again', async () => {
    const admin = await workspace.user('admin')
    const { id, contactId } = await createWaitingRun(admin, { wait: waitForGo })
    await expectStatus(owner.patch(`/users/${admin.id}`, { disabled: true }), 200)
    const { pauseReason } = await waitForStatus(id, 'paused')
    expect(pauseReason.missing).toEqual(['account:active'])
    expect(pauseReason.message).toMatch(/^the publisher was disabled or deleted, or lost its last key; let /)
    await expectHeld(id, contactId)
    await expectStatus(owner.patch(`/users/${admin.id}`, { disabled: false }), 200)
    expect((await getJourney(id)).status).toBe('paused')
    await expectStatus(owner.post(`/journeys/${id}/activate`), 200)
    expect((await waitForRun(owner, id, 'completed')).endReason).toBe('end_of_path')
  })

  test.each(['key', 'account'])('a revoked %s pauses what the service account published', async what => {
    const key = await workspace.key({ scopes: [...workflowScopes, 'contact:update'] })
    const { id, contactId } = await createWaitingRun(key, { wait: waitForGo })
    const { apiKeys } = await expectStatus(owner.get(`/service-accounts/${key.id}/api-keys`), 200)
    const path = what === 'key' ? `/api-keys/${apiKeys[0].id}` : `/service-accounts/${key.id}`
    expect((await owner.delete(path)).status).toBeLessThan(300)
    await waitForStatus(id, 'paused')
    await expectHeld(id, contactId)
  })

  test('a second key keeps the rights of a service account', async () => {
    const key = await workspace.key({ scopes: [...workflowScopes, 'contact:update'] })
    const { id, contactId } = await createWaitingRun(key, { wait: waitForGo })
    const { apiKeys } = await expectStatus(owner.get(`/service-accounts/${key.id}/api-keys`), 200)
    await expectStatus(owner.post(`/service-accounts/${key.id}/api-keys`, { name: 'New' }), 200)
    expect((await owner.delete(`/api-keys/${apiKeys[0].id}`)).status).toBeLessThan(300)
    await send('go', contactId)
    await waitForRun(owner, id, 'completed')
    expect((await getJourney(id)).status).toBe('active')
  })

  test('a journey that a caller paused stays paused when it is published again', async () => {
    const admin = await workspace.user('admin')
    const { id } = await createWaitingRun(admin, { wait: waitForGo })
    await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
    await expectStatus(owner.patch(`/users/${admin.id}`, { disabled: true }), 200)
    await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
    expect((await getJourney(id)).status).toBe('paused')
  })

  test('a version from before publishers were stored has the rights of an owner', async () => {
    const admin = await workspace.user('admin')
    const { id, contactId } = await createWaitingRun(admin, { wait: waitForGo })
    await transact(service.deps.db, tx =>
      tx.run(sql`update workflow_versions set publisher_id = null where tenant_id = ${owner.tenantId}`),
    )
    const witness = await createWaitingRun(admin, { wait: waitForGo })
    await expectStatus(owner.patch(`/users/${admin.id}`, { disabled: true }), 200)
    await waitForStatus(witness.id, 'paused')
    expect((await getJourney(id)).status).toBe('active')
    await send('go', contactId)
    await waitForRun(owner, id, 'completed', contactId)
  })

  test('a bot hands its session to the team, and takes sessions again once an owner has published it', async () => {
    const admin = await workspace.user('admin')
    const inboxId = await connectInbox(owner, '7205')
    const bot = await createChatbot(admin, {
      nodes: { ask: ['ask', { content: text('Name?'), variable: 'name' }] },
      edges: ['start > ask'],
    })
    const phone = newPhone()
    await receiveMessage(owner, inboxId, phone, 'Hi')
    const listBotRuns = async (): Promise<Run[]> =>
      (await expectStatus(owner.get(`/chatbots/${bot}/runs`), 200)).runs
    await until(listBotRuns, ([run]) => run?.waitingFor?.question !== undefined)
    await expectStatus(owner.patch(`/users/${admin.id}`, { disabled: true }), 200)
    await until(
      () => expectStatus(owner.get(`/chatbots/${bot}`), 200),
      ({ status }) => status === 'paused',
    )
    await receiveMessage(owner, inboxId, phone, 'Ann')
    const [run] = await until(listBotRuns, ([first]) => first.status === 'cancelled')
    expect(run.endReason).toBe('publisher_rights_lost')
    const getOwner = async () =>
      (await expectStatus(owner.get('/conversations'), 200)).conversations[0].activeOwner
    expect((await getOwner())?.type).not.toBe('bot')
    await expectStatus(owner.post(`/chatbots/${bot}/publish`), 200)
    await receiveMessage(owner, inboxId, newPhone(), 'Hello')
    await until(listBotRuns, runs => runs.length === 2)
  })
})
