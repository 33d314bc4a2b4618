/** Values in requests of http nodes: encoded for their place, and secrets that nobody can read. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../test/harness/api.ts'
import { testService } from '../../test/harness/service.ts'
import { sql } from '../platform/db/sql.ts'
import { createContact, createJourney, expectStatus, getPath, waitForRun } from './testing/fixtures.ts'

const service = await testService()
let workspace: Workspace
let owner: Client
let address: string
const calls: { url: string; headers: IncomingHttpHeaders; body: string }[] = []

/** Echoes the request, as an endpoint does that reports what was wrong with it. */
const endpoint = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  calls.push({ url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() })
  response.writeHead(200, { 'content-type': 'application/json', 'x-echo': String(request.headers['x-key']) })
  response.end(JSON.stringify({ url: request.url, headers: request.headers }))
})

beforeAll(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
})
beforeEach(() => {
  calls.length = 0
})
afterAll(() => {
  endpoint.closeAllConnections()
  endpoint.close()
})

async function call(data: Record<string, unknown>, answer: unknown = null) {
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: { call: ['http', { method: 'POST', saveAs: 'response', ...data }], end: ['end'] },
    edges: ['start > call', 'call:ok > end'],
  })
  const { id: contactId } = await createContact(owner)
  const body = { contactId, data: { answer } }
  await expectStatus(owner.post(`/journeys/${id}/runs`, body), 201)
  return waitForRun(owner, id, 'completed')
}

describe('encoding', () => {
  const hostile = '../admin?x=1&y=2#z'

  test('a value cannot change the path, query or fragment of a URL', async () => {
    await call({ url: `${address}/orders/{{event.data.answer}}/items?q={{event.data.answer}}&n=1` }, hostile)
    const encoded = '..%2Fadmin%3Fx%3D1%26y%3D2%23z'
    expect(calls.map(({ url }) => url)).toEqual([`/orders/${encoded}/items?q=${encoded}&n=1`])
  })

  test.each(['..', '.'])('error instead of a request for the path segment %s', async answer => {
    const run = await call({ url: `${address}/orders/{{event.data.answer}}/items` }, answer)
    expect(getPath(run)).toContain('call:error')
    expect(run.variables.response).toEqual({ error: 'invalid_url' })
    expect(calls).toEqual([])
  })

  test('a value cannot add members to JSON written as a text, within or outside of quotes', async () => {
    const answer = '1", "admin": true, "x": "'
    const body =
      '{"name": "{{event.data.answer}}", "age": {{event.data.answer}}, "n": {{event.data.n | default: 0}}}'
    await call({ url: address, body }, answer)
    expect(JSON.parse(calls[0]!.body)).toEqual({ name: answer, age: answer, n: 0 })
  })

  test('a value cannot add fields to a form, or headers', async () => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-name': 'n {{event.data.answer}}',
    }
    await call({ url: address, headers, body: 'name={{event.data.answer}}' }, 'a&admin=1\r\nx-admin: 1')
    expect(calls[0]!.body).toBe('name=a%26admin%3D1%0D%0Ax-admin%3A%201')
    expect(calls[0]!.headers['x-name']).toBe('n a&admin=1 x-admin: 1')
    expect(calls[0]!.headers['x-admin']).toBeUndefined()
  })
})

describe('secrets', () => {
  const value = 'tok en/"42"&x$&'
  const data = () => ({
    url: `${address}/v1?key={{secrets.shop}}&q={{event.data.answer}}`,
    headers: { 'x-key': 'Bearer {{secrets.shop}}' },
  })

  test('PUT, list and delete: the value is never returned, is encrypted, and changes are in the audit log', async () => {
    const put = await expectStatus(owner.put('/secrets/shop', { value }), 200)
    expect(put).toEqual({ name: 'shop', createdAt: expect.any(String), updatedAt: expect.any(String) })
    expect((await expectStatus(owner.get('/secrets'), 200)).secrets).toEqual([put])
    await expectStatus(owner.put('/secrets/gone', { value: 'something' }), 200)
    await expectStatus(owner.delete('/secrets/gone'), 204)
    await expectStatus(owner.delete('/secrets/gone'), 404)
    const { items: entries } = await expectStatus(owner.get('/audit-log'), 200)
    const actions = entries.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['secret.created', 'secret.deleted']))
    expect(JSON.stringify(entries)).not.toContain('tok en')
    const { sealed } = await service.deps.db.one<{ sealed: Buffer }>(
      sql`select sealed from workflow_secrets where tenant_id = ${workspace.tenantId} and name = 'shop'`,
    )
    expect(sealed.includes('tok en')).toBe(false)
  })

  test.each([
    ['bad-name', 'long enough', 'name'],
    ['good', 'x', 'value'],
    ['good', 'line\nbreak', 'value'],
  ])('400 for the name %s with the value %j', async (name, given, field) => {
    const { violations } = await expectStatus(owner.put(`/secrets/${name}`, { value: given }), 400)
    expect(violations[0].field).toBe(field)
  })

  test('a secret of another workspace with the same name is another secret', async () => {
    const other = await service.workspace()
    await expectStatus(owner.put('/secrets/shop', { value }), 200)
    await expectStatus(other.owner.put('/secrets/shop', { value: 'theirs' }), 200)
    await call(data())
    expect(calls[0]!.headers['x-key']).toBe(`Bearer ${value}`)
  })

  test('403 for an agent', async () => {
    const agent = await workspace.user('agent')
    await expectStatus(agent.get('/secrets'), 403)
    await expectStatus(agent.put('/secrets/shop', { value: 'other' }), 403)
  })

  test('the endpoint receives the value; run, steps, jobs and simulation contain only its name', async () => {
    await expectStatus(owner.put('/secrets/shop', { value }), 200)
    const run = await call(data(), '{{secrets.shop}}')
    expect(calls[0]!.headers['x-key']).toBe(`Bearer ${value}`)
    expect(calls[0]!.url).toBe(`/v1?key=${encodeURIComponent(value)}&q=%7B%7Bsecrets.shop%7D%7D`)
    const shown = JSON.stringify(run)
    expect(shown).toContain('{{secrets.shop}}')
    expect(shown).toContain('***')
    for (const text of ['tok en', encodeURIComponent(value)]) expect(shown).not.toContain(text)
    const simulated = await expectStatus(owner.post(`/journeys/${run.workflowId}/simulate`), 200)
    expect(JSON.stringify(simulated)).not.toContain('tok en')
    expect(simulated.path[1].detail.url).toContain('{{secrets.shop}}')
  })

  test('error if the secret was deleted after publishing', async () => {
    await expectStatus(owner.put('/secrets/short', { value: 'lived' }), 200)
    const id = await createJourney(owner, {
      trigger: { type: 'manual' },
      nodes: {
        call: ['http', { method: 'GET', url: address, headers: { a: '{{secrets.short}}' }, saveAs: 'r' }],
      },
      edges: ['start > call'],
    })
    await expectStatus(owner.delete('/secrets/short'), 204)
    const { missing } = await expectStatus(owner.get(`/journeys/${id}`), 200)
    expect(missing).toMatchObject([{ field: 'definition.nodes[1].data.headers.a', code: 'unknown_secret' }])
    const { id: contactId } = await createContact(owner)
    await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
    const run = await waitForRun(owner, id, 'completed')
    expect(run.variables.r).toEqual({ error: 'secret_not_found' })
    expect(calls).toEqual([])
  })

  test('400 on publishing for a secret that does not exist, and for one anywhere else', async () => {
    const start = { id: 's', type: 'start', data: { triggerConfig: { type: 'manual' } } }
    const nodes = [
      start,
      {
        id: 'a',
        type: 'http',
        data: { method: 'POST', url: `${address}/{{secrets.none}}`, body: '{{secrets.shop}}' },
      },
      { id: 'b', type: 'note', data: { text: '{{secrets.shop}}' } },
      { id: 'c', type: 'http', data: { method: 'POST', url: `${address}/{{secrets.none}}` } },
    ]
    const edges = [
      { source: 's', target: 'a' },
      { source: 'a', target: 'b' },
      { source: 'b', target: 'c' },
    ]
    const { id } = await expectStatus(
      owner.post('/journeys', { name: 'J', definition: { nodes, edges } }),
      201,
    )
    const { violations } = await expectStatus(owner.post(`/journeys/${id}/publish`), 400)
    expect(violations.map(({ field, code }: Record<string, string>) => `${field} ${code}`)).toEqual([
      'definition.nodes[1].data.body misplaced_secret',
      'definition.nodes[2].data.text misplaced_secret',
      'definition.nodes[3].data.url unknown_secret',
    ])
  })
})
