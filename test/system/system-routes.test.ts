import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parley, type Service, scratch, start } from './program.ts'

const root = scratch()
const token = 'a token of tests'
let service: Service

beforeAll(async () => {
  service = await start({ dataDir: path.join(root, 'data'), env: { METRICS_TOKEN: token } })
  await service.ready()
})

interface Operation {
  operationId: string
  security: object[]
  requestBody?: { content: Record<string, { example: object }> }
}

interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  servers: { url: string }[]
  components: { securitySchemes: Record<string, object> }
}

const openApi = async () => (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as Document

test('/metrics requires its token, from this machine and through a proxy; the ignored proxy is logged', async () => {
  const metrics = (headers: Record<string, string>) => fetch(`${service.url}/metrics`, { headers })
  const headers: Record<string, string>[] = [
    {},
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
  ]
  for (const proxied of headers) {
    const refused = await metrics(proxied)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(await refused.json()).toMatchObject({ code: 'auth_token_invalid' })
    const wrong = await metrics({ ...proxied, authorization: `Bearer ${token}x` })
    expect(wrong.status).toBe(401)
    const right = await metrics({ ...proxied, authorization: `Bearer ${token}` })
    expect(right.status).toBe(200)
  }
  expect(service.output().match(/set TRUST_PROXY/g)).toHaveLength(1)
})

test('/metrics contains no ids of workspaces', async () => {
  const { tenantId } = service.credentials()
  const scrape = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${service.url}/metrics`, { headers })).text()
  }
  const series = 'parley_http_request_seconds_count{route="/v1/users",method="GET",status="2xx"}'
  const count = (text: string) => Number(text.split(`${series} `)[1]?.split('\n')[0] ?? 0)
  const before = count(await scrape())
  await service.call('GET', '/users')
  await service.call('GET', `/users/${tenantId}`)
  await service.call('GET', `/${tenantId}`)
  const text = await scrape()
  expect(count(text)).toBe(before + 1)
  expect(text).toContain('process_cpu_seconds_total')
  expect(text).not.toMatch(/\b(tn|usr|tem|key|svc)_[0-9a-z]{20}/)
})

test('/docs loads nothing from another host', async () => {
  const page = await fetch(`${service.url}/docs`)
  expect(page.url).toBe(`${service.url}/docs/`)
  const html = await page.text()
  const policy = page.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  // The policy blocks other hosts even if a script tries to load from one.
  expect(policy).not.toMatch(/\*|https?:/)
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1]!)
  expect(parts.length).toBeGreaterThan(3)
  for (const part of parts) {
    expect(part).toMatch(/^\/docs\//)
    const response = await fetch(service.url + part)
    expect(response.status, part).toBe(200)
    const text = await response.text()
    if (part.endsWith('.css')) expect(text).not.toMatch(/@import|url\(\s*["']?(https?:)?\/\//)
    if (part.endsWith('start.js')) expect(text).not.toMatch(/https?:/)
  }
  const document = await openApi()
  expect(document.openapi).toMatch(/^3\.1/)
  expect(JSON.stringify(document.servers ?? [])).not.toMatch(/https?:/)
  expect((await fetch(`${service.url}/docs/errors`)).status).toBe(200)
})

test('/docs/errors lists every code', async () => {
  const html = await (await fetch(`${service.url}/docs/errors`)).text()
  for (const code of ['validation_failed', 'service_unavailable', 'auth_token_invalid'])
    expect(html).toContain(`id="${code}"`)
})

test('parley routes prints the routes of the OpenAPI document', async () => {
  const { stdout } = await parley(['routes', '--json'])
  const printed = (JSON.parse(stdout) as { method: string; path: string }[]).map(
    ({ method, path: at }) => `${method} ${at}`,
  )
  const { paths } = await openApi()
  const served = Object.entries(paths).flatMap(([at, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${at.replace(/^\/v1/, '')}`),
  )
  expect(served.sort()).toEqual(printed.sort())
})

test('requests built from the served document succeed with the key of the first start', async () => {
  const { paths, servers, components } = await openApi()
  expect(servers).toEqual([{ url: '/v1' }])
  expect(components.securitySchemes.bearerAuth).toMatchObject({ type: 'http', scheme: 'bearer' })
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at, method, ...operation })),
  )
  for (const [operationId, status] of [
    ['getCaller', 200],
    ['listConversations', 200],
    ['createContact', 201],
    ['createTag', 201],
  ] as const) {
    const { at, method, security, requestBody } = operations.find(found => found.operationId === operationId)!
    expect(security).toEqual([{ bearerAuth: [] }, { sessionCookie: [] }])
    const response = await fetch(new URL(`${servers[0]!.url}${at}`, `${service.url}/docs/`), {
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${service.credentials().apiKey}`,
        'content-type': 'application/json',
      },
      ...(requestBody ? { body: JSON.stringify(requestBody.content['application/json']!.example) } : {}),
    })
    const text = await response.text()
    expect(response.status, `${operationId}: ${text}`).toBe(status)
    // The examples can be created again.
    if (status === 201)
      expect((await service.call('DELETE', `${at}/${JSON.parse(text).id}`)).status).toBe(204)
  }
})
