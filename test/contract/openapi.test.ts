/** Tests the API document: its webhooks describe real deliveries, and clients generated from it compile. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { apiDocs, exampleIdSources } from '../../src/api-docs.ts'
import { apiWebhooks } from '../../src/api-webhooks.ts'
import type { ValueSource } from '../../src/platform/http/openapi/parameters.ts'
import { matchesSchema } from '../../src/platform/http/validate.ts'
import { eventTypes } from '../../src/webhooks/schemas.ts'
import { startEndpoint } from '../../src/webhooks/testing/endpoint.ts'
import type { Client } from '../harness/api.ts'
import { compile } from '../harness/compile.ts'
import { testService, until } from '../harness/service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const document = JSON.parse(await readFile(path.join(root, 'openapi.json'), 'utf8'))

test('the document has a signed webhook with a payload schema for each event type', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes])
  for (const type of eventTypes) {
    const { post } = document.webhooks[type]
    expect(post.security).toEqual([{ standardWebhooks: [] }])
    const { $ref } = post.requestBody.content['application/json'].schema
    const payload = document.components.schemas[$ref.split('/').at(-1)]
    expect(payload.properties.type).toMatchObject({ const: type })
  }
  expect(document.components.securitySchemes.standardWebhooks).toMatchObject({ name: 'webhook-signature' })
})

test('each discriminator refers to named schemas', () => {
  const found: { propertyName: string; mapping?: Record<string, string> }[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    const { discriminator } = node as { discriminator?: (typeof found)[number] }
    if (discriminator?.propertyName) found.push(discriminator)
    Object.values(node).forEach(visit)
  }
  visit(document)
  expect(found.length).toBeGreaterThan(5)
  for (const { mapping = {}, propertyName } of found) {
    expect(Object.keys(mapping).length).toBeGreaterThan(1)
    for (const [value, $ref] of Object.entries(mapping)) {
      const option = document.components.schemas[$ref.split('/').at(-1)!]
      expect(option.properties[propertyName], $ref).toMatchObject({ const: value })
    }
  }
})

test('no union in the document accepts anything', () => {
  const found: string[] = []
  const visit = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return
    const { anyOf } = node as { anyOf?: object[] }
    if (anyOf?.some(option => Object.keys(option).length === 0)) found.push(at)
    for (const [name, member] of Object.entries(node)) visit(member, `${at}/${name}`)
  }
  visit(document, '')
  expect(found).toEqual([])
})

test('every delivered event matches the payload schema of its type', { timeout: 120_000 }, async () => {
  const service = await testService({}, { spread: true })
  const endpoint = await startEndpoint()
  onTestFinished(() => endpoint.close())
  const { owner } = await service.workspace()
  await owner.get('/webhooks/signing-keys')
  const enabled = await owner.patch('/webhooks', { url: endpoint.url, enabled: true, eventTypes })
  expect(enabled.status, JSON.stringify(enabled.body)).toBe(200)
  const waba = String(Date.now())
  const connect = { chatapp: { resourceIds: [waba], phoneNumberIds: [`${waba}001`] } }
  const inboxId = (await owner.post('/inboxes', connect)).body.inboxes[0].id
  const { id: contactId } = (await owner.post('/contacts', { name: 'Ada', phone: '+14155550188' })).body
  const sent = await owner.post('/messages', {
    inboxId,
    recipient: { type: 'contact', contactId },
    content: { type: 'text', text: { body: 'Hello' } },
  })
  expect(sent.status, JSON.stringify(sent.body)).toBe(202)
  const conversation = `/conversations/${sent.body.conversation.id}`
  await owner.post(`${conversation}/reassign`, { userId: owner.id })
  await owner.post(`${conversation}/close`)
  await rateConversation(owner, inboxId)
  const team = (await owner.post('/teams', { name: 'Escalations' })).body
  await owner.put(`/inboxes/${inboxId}/team`, { teamId: team.id })
  await owner.patch(`/contacts/${contactId}`, { name: 'Ada L' })
  const triggerConfig = { type: 'message_received', match: 'any', conditions: {} }
  const definition = { nodes: [{ id: 'start', type: 'start', data: { triggerConfig } }], edges: [] }
  for (const [kind, body] of [
    ['journeys', { definition }],
    ['chatbots', { draft: definition }],
  ] as const) {
    const { id } = (await owner.post(`/${kind}`, { name: 'Hello', ...body })).body
    await owner.post(`/${kind}/${id}/publish`)
    expect((await owner.post(`/${kind}/${id}/activate`)).status).toBe(200)
  }
  await owner.post(`/contacts/${contactId}/archive`)
  await owner.delete(`/contacts/${contactId}`)
  const payloads = await until(
    async () => endpoint.received.map(call => JSON.parse(String(call.body))),
    received => eventTypes.every(type => received.some(payload => payload.type === type)),
  )
  for (const payload of payloads) {
    const schema = apiWebhooks.find(({ type }) => type === payload.type)!.body
    expect(matchesSchema(schema, payload), JSON.stringify(payload)).toBe(true)
  }
})

/** Lets a customer write, and rate the conversation after it was closed. */
async function rateConversation(owner: Client, inboxId: string): Promise<void> {
  const from = '+14155550189'
  const write = (body: string) =>
    owner.post('/sandbox/inbound', { inboxId, from, content: { type: 'text', text: { body } } })
  const find = async () =>
    (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations[0]
  await owner.patch(`/inboxes/${inboxId}`, { csat: { question: 'How was it?' } })
  await write('Hello')
  const { id } = await until(find, row => row?.lastMessageSender === 'customer')
  await owner.post(`/conversations/${id}/close`)
  await until(find, row => row.lastMessageSender === 'bot')
  await write('5')
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  example?: string
  schema: { enum?: string[] }
  'x-source'?: ValueSource
}

const operations = Object.entries<Record<string, { operationId: string; parameters: Parameter[] }>>(
  document.paths,
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
)

test('each required parameter says where its value comes from', () => {
  const silent = operations.flatMap(({ path, method, parameters }) =>
    parameters
      .filter(({ required, description, example }) => required && !description && !example)
      .map(({ name }) => `${method} ${path} ${name}`),
  )
  expect(silent).toEqual([])
})

test('each source of ids is an operation that lists items with that member', () => {
  const named = operations.flatMap(({ parameters }) => parameters.flatMap(each => each['x-source'] ?? []))
  for (const { path, member = 'id' } of [...named, ...Object.values(exampleIdSources)]) {
    const { schema } = document.paths[path].get.responses[200].content['application/json']
    const list = Object.values<{ type?: string; items?: object }>(resolve(schema).properties).find(
      ({ type }) => type === 'array',
    )
    expect(resolve(list!.items!).properties, path).toHaveProperty(member)
  }
})

test('each id in an example has a source', () => {
  const examples = JSON.stringify(
    operations.map(operation => (operation as { requestBody?: object }).requestBody),
  )
  const prefixes = new Set([...examples.matchAll(/\b([a-z]+)_01[0-9a-z]{24}\b/g)].map(([, prefix]) => prefix))
  expect([...prefixes].sort()).toEqual(Object.keys(exampleIdSources))
})

test('the documented parameters and operations exist', () => {
  const places = operations.flatMap(({ path, parameters }) => [
    ...[...path.matchAll(/\{\w+\}/g)].map(({ index, 0: name }) => path.slice(0, index + name.length)),
    ...parameters.map(({ name }) => `${path}?${name}`),
  ])
  expect(Object.keys(apiDocs.parameters!).filter(place => !places.includes(place))).toEqual([])
  const ids = operations.map(({ operationId }) => operationId)
  expect(apiDocs.withoutPrefill!.filter(id => !ids.includes(id))).toEqual([])
})

function resolve(schema: { $ref?: string; anyOf?: object[] }): { properties: Record<string, object> } {
  if (schema.$ref) return resolve(document.components.schemas[schema.$ref.split('/').at(-1)!])
  return schema.anyOf ? resolve(schema.anyOf[0]!) : (schema as never)
}

test('openapi-typescript generates types that compile under strict rules', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-openapi-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'api.ts'), astToString(await openapiTS(document)))
  await writeFile(path.join(folder, 'use.ts'), sample)
  await compile(folder, 'use.ts')
})

/** Assigns to the exact types that an integrator uses: a wrong document does not compile. */
const sample = `
import type { components, paths, webhooks } from './api.ts'
type Payload<T extends keyof webhooks> = webhooks[T]['post'] extends {
  requestBody: { content: { 'application/json': infer Body } }
} ? Body : never
export function receive(event: Payload<'contact.created'> | Payload<'message.created'>): string {
  return event.type === 'contact.created' ? event.data.contact.id : event.data.message.conversationId
}
type Role = NonNullable<paths['/users/{userId}/role']['put']['requestBody']>['content']['application/json']['role']
export const role: Role = 'admin'
// @ts-expect-error: the role is an enum
export const wrong: Role = 'boss'
export type Stale = paths['/segments/{segmentId}']['patch']['responses'][412 | 428]
export type Reused = paths['/contacts']['post']['responses'][409 | 422]['content']['application/json']
export const problem: Reused = {} as components['schemas']['Problem']
`
