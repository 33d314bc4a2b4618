/**
 * Sends the example of every operation to the running service, as a reader of the reference would paste it: only ids and
 * secrets are replaced by real ones, and resources are brought into the state that the operation needs.
 */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { buildBodySchema } from '../../src/platform/http/input/read-input.ts'
import { toOperation } from '../../src/platform/http/route.ts'
import { matchesSchema } from '../../src/platform/http/validate.ts'
import { startEndpoint } from '../../src/webhooks/testing/endpoint.ts'
import { type Client, client as newClient, type Workspace } from '../harness/api.ts'
import { testService } from '../harness/service.ts'
import { type Prepared, setups } from './example-setups.ts'
import { createVisitor, factories } from './factories.ts'

interface Operation {
  operationId: string
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> }
  parameters: { name: string; in: string; required: boolean }[]
}

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const service = await testService({ SIGNUP: 'open' }, { spread: true })
const endpoint = await startEndpoint()
let workspace: Workspace
beforeEach(async () => {
  workspace = await service.workspace()
})
const getOperation = (method: string, path: string): Operation => document.paths[path][method.toLowerCase()]

/** A browser and an identity provider send these to each other; `oidc-login.test.ts` plays both. */
const redirects = new Set(['startOidcLogin', 'completeOidcLogin'])

const created: Record<string, (client: Client) => Promise<string>> = {
  con: async client =>
    (await client.post('/contacts', { name: 'Ada', phone: `+1415${newNumber().slice(1)}` })).body.id,
  ibx: async client =>
    (await client.post('/inboxes', { chatapp: { resourceIds: ['5551'], phoneNumberIds: [newNumber()] } }))
      .body.inboxes[0].id,
  cnv: async client => {
    const inboxId = await created.ibx!(client)
    const recipient = { type: 'phone', phoneNumber: `+1415${newNumber().slice(1)}` }
    const content = { type: 'text', text: { body: 'Hello' } }
    return (await client.post('/messages', { recipient, inboxId, content })).body.conversation.id
  },
  usr: async client => client.id,
  team: async () => workspace.teamId,
  tag: async client => (await client.post('/tags', { name: newNumber() })).body.id,
  seg: async client =>
    (await client.post('/segments', { name: newNumber(), filter: { match: 'all', conditions: [] } })).body.id,
  bot: async client =>
    (
      await client.post('/chatbots', {
        name: 'B',
        draft: { nodes: [{ id: 's', type: 'start', data: {} }], edges: [] },
      })
    ).body.id,
}
let numbers = 0
const newNumber = () => `5557${String(1000 + numbers++)}`

/** Replaces the ids of an example by ids of new resources, and public URLs by the endpoint of this test. */
async function substitute(value: unknown, client: Client): Promise<unknown> {
  if (typeof value === 'string') {
    const create = created[/^([a-z]+)_01[0-9a-z]{24}$/.exec(value)?.[1] ?? '']
    if (create) return create(client)
    return value.startsWith('https://example.com/hooks') ? endpoint.url : value
  }
  if (Array.isArray(value)) return Promise.all(value.map(item => substitute(item, client)))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(async ([name, member]) => [
    name,
    await substitute(member, client),
  ])
  return Object.fromEntries(await Promise.all(members))
}

async function buildRequest(
  route: (typeof routes)[number],
  caller: Workspace,
): Promise<Prepared & { path: string }> {
  const operation = getOperation(route.method, route.path)
  const factory = factories[route.path]
  const example = operation.requestBody?.content['application/json']?.example
  let body = await substitute(example, caller.owner)
  const setup = await setups[operation.operationId]?.({ service, workspace: caller, example: body })
  if (setup?.path) return { body, headers: factory?.headers ?? {}, ...setup, path: setup.path }
  const params = (await factory?.params(caller)) ?? {}
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => params[name]!)
  const required = operation.parameters.filter(parameter => parameter.in === 'query' && parameter.required)
  const values: Record<string, () => Promise<string>> = {
    inboxId: () => created.ibx!(caller.owner),
    inboxKey: async () => (await createVisitor(caller)).inboxKey,
    q: async () => 'hello',
    filter: async () => encodeURIComponent(JSON.stringify({ match: 'all', conditions: [] })),
  }
  const query = await Promise.all(
    required.map(async ({ name }) => {
      expect(Object.keys(values), 'the required query parameters').toContain(name)
      return `?${name}=${await values[name]!()}`
    }),
  )
  // The message must be one of the conversation in the path.
  if (operation.operationId === 'markConversationRead' && factory?.body instanceof Function)
    body = (await factory.body(caller, params)).POST
  const more = setup?.query ? `?${new URLSearchParams(setup.query)}` : ''
  return { body, headers: factory?.headers ?? {}, ...setup, path: path + query.join('') + more }
}

test('every example matches the schema of its body', () => {
  const invalid = routes
    .filter(route => {
      const { requestBody } = getOperation(route.method, route.path)
      const example = requestBody?.content['application/json']?.example
      return example !== undefined && !matchesSchema(buildBodySchema(route)!, example)
    })
    .map(toOperation)
  expect(invalid).toEqual([])
})

test('every JSON body has an example', () => {
  const missing = routes
    .filter(route => getOperation(route.method, route.path).requestBody?.content['application/json'])
    .filter(route => {
      const { requestBody } = getOperation(route.method, route.path)
      return requestBody!.content['application/json']!.example === undefined
    })
  expect(missing.map(toOperation)).toEqual([])
})

const tested = routes
  .filter(route => !route.multipart)
  .filter(route => !redirects.has(getOperation(route.method, route.path).operationId))
  .map(route => ({ name: getOperation(route.method, route.path).operationId, route }))

describe.each(tested)('$name', ({ name, route }) => {
  test('the example gets the success status', { timeout: 60_000 }, async () => {
    if (name === 'logIn' || name === 'createBrowserSession') await createExampleUser()
    if (name === 'rotateSigningKey') await workspace.owner.get('/webhooks/signing-keys')
    if (name === 'replayEvents' || name === 'verifyWebhook')
      await workspace.owner.patch('/webhooks', { url: endpoint.url, enabled: true })
    const { path, body, headers, client: caller } = await buildRequest(route, workspace)
    // Sending needs a segment, an inbox and content.
    const [campaign] = /^\/campaigns\/\w+(?=\/(schedule|test|estimate|preview)\b)/.exec(path) ?? []
    if (campaign) await workspace.owner.patch(campaign, (await getExample('updateCampaign')) as object)
    const client = caller ?? (await getClient(route))
    const answer = await client.request(route.method, path, body, headers)
    expect(answer.status, `${route.method} ${path} → ${JSON.stringify(answer.body)}`).toBe(
      route.success.status,
    )
    // A number belongs to one workspace until its inbox is deleted.
    if (name === 'createInboxes')
      for (const { id } of answer.body.inboxes) await workspace.owner.delete(`/inboxes/${id}`)
  })
})

async function getClient({ access }: (typeof routes)[number]): Promise<Client> {
  if (access === 'visitor') return newClient(service.url, '', '', (await createVisitor(workspace)).token)
  return access === 'public' ? service.anonymous : workspace.owner
}

/** The user of the examples of logins: an address in two workspaces would have to choose one. */
let exampleUser: Promise<unknown> | undefined
async function createExampleUser(): Promise<void> {
  exampleUser ??= service.anonymous.post('/workspaces', (await getExample('createWorkspace')) as object)
  await exampleUser
}

async function getExample(operationId: string): Promise<unknown> {
  const route = routes.find(({ method, path }) => getOperation(method, path).operationId === operationId)!
  const example = getOperation(route.method, route.path).requestBody!.content['application/json']!.example
  return substitute(example, workspace.owner)
}
