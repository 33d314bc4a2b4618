/** Generates a client with @hey-api/openapi-ts, compiles it with code that uses it, and calls the API through it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventTypes } from '../../src/webhooks/schemas.ts'
import { testApi } from '../harness/api.ts'
import { compile } from '../harness/compile.ts'
import { load } from './packages.ts'

const input = path.resolve(import.meta.dirname, '../../openapi.json')
const { paths, webhooks } = JSON.parse(await readFile(input, 'utf8'))
const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-client-'))
const api = await testApi()

beforeAll(async () => {
  const { createClient } = await load('@hey-api/openapi-ts')
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
  await createClient({ input, output: folder, plugins, logs: { level: 'silent', file: false } })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the generated function of an operation, and the prefix of its types. */
const nameOf = (method: string, url: string): string => paths[url][method].operationId
const typeOf = (operationId: string): string => operationId[0]!.toUpperCase() + operationId.slice(1)
const payloadOf = (type: string): string => `${typeOf(webhooks[type].post.operationId)}WebhookPayload`

test('the generated client compiles, with its webhook payloads, enums, dictionaries and problems', async () => {
  await writeFile(path.join(folder, 'use.ts'), sample())
  await compile(folder, 'use.ts')
})

test('the generated client creates a contact, reads it and gets problems', async () => {
  const outfile = path.join(folder, 'client.mjs')
  await build({ entryPoints: [path.join(folder, 'sdk.gen.ts')], bundle: true, format: 'esm', outfile })
  const sdk = await import(/* @vite-ignore */ outfile)
  const { owner } = await api.workspace()
  const options = { baseUrl: `${api.url}/v1`, headers: { authorization: `Bearer ${owner.token}` } }
  const body = { name: 'Ada', phone: '+14155550142' }
  const created = await sdk[nameOf('post', '/contacts')]({ ...options, body })
  expect(created.response.status).toBe(201)
  const { id } = created.data
  const found = await sdk[nameOf('get', '/contacts/{id}')]({ ...options, path: { id } })
  expect(found.data).toMatchObject({ id, name: 'Ada' })
  const missing = await sdk[nameOf('get', '/contacts/{id}')]({ ...options, path: { id: 'con_missing' } })
  expect([missing.response.status, missing.error.code]).toEqual([404, 'contact_not_found'])
})

/** Code of an integrator: wrong types in the document make an assignment, or an expected error, fail to compile. */
const sample = () => `
import type { ${eventTypes.map(payloadOf).join(', ')}, Contact, Problem } from './types.gen'
import type * as types from './types.gen'
import { ${nameOf('put', '/users/{userId}/role')} as changeRole, ${nameOf('get', '/contacts')} as listContacts } from './sdk.gen'

type Event = ${eventTypes.map(payloadOf).join(' | ')}
export function receive(event: Event): string {
  switch (event.type) {
${eventTypes.map(type => `    case '${type}': return event.data.${type.split('.')[0]}.id`).join('\n')}
  }
}
export const event = (payload: ${payloadOf('message.created')}): 'message.created' => payload.type
// @ts-expect-error: the type of an event is one constant
export const otherEvent = (payload: ${payloadOf('message.created')}): 'contact.created' => payload.type
export const changes = (payload: ${payloadOf('contact.updated')}): string[] => payload.data.changes

export const field = (contact: Contact): string | undefined => contact.customFields['plan']
export const problem: types.${typeOf(nameOf('post', '/contacts'))}Errors[409 | 422] = {} as Problem
export type Stale = types.${typeOf(nameOf('patch', '/segments/{segmentId}'))}Errors[412 | 428]
export const part = (bytes: types.${typeOf(nameOf('get', '/media/{mediaId}/content'))}Responses[206]): Blob => bytes

export async function use(): Promise<Contact[]> {
  await changeRole({ path: { userId: 'usr_1' }, body: { role: 'admin' } })
  // @ts-expect-error: the role is an enum
  await changeRole({ path: { userId: 'usr_1' }, body: { role: 'boss' } })
  // @ts-expect-error: the path has a parameter
  await changeRole({ body: { role: 'admin' } })
  const { data } = await listContacts({ query: { pageSize: 10, customFields: { plan: 'gold' } } })
  return data?.contacts ?? []
}
`
