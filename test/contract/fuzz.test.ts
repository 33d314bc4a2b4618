/** Tests that no operation answers 5xx to valid, almost valid or arbitrary input. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { buildQuerySchema } from '../../src/platform/http/input/read-input.ts'
import { toOperation } from '../../src/platform/http/route.ts'
import { testApi } from '../harness/api.ts'
import { playProviders } from '../harness/sandbox.ts'
import { almostValid, valid } from './arbitrary.ts'

const api = await testApi({}, { spread: true })
await playProviders(api)
const { owner, teamId, tenantId } = await api.workspace()
const runs = Number(process.env.FUZZ_RUNS ?? 12)

const params = fc.constantFrom(
  'nothing',
  teamId,
  owner.id,
  tenantId,
  '%F0%9F%99%82',
  "a'b",
  'x'.repeat(150),
  '..%2f..',
  '0',
)
const text = (value: unknown) =>
  encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))

function queryString(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map(item => `${name}=${text(item)}`)
      : typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, item]) => `${name}[${text(key)}]=${text(item)}`)
        : [`${name}=${text(value)}`],
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

// Logging out would end the test's own session, and logging in is throttled.
const skipped = new Set([
  'POST /auth/logout',
  'POST /auth/login',
  'POST /auth/sessions',
  'DELETE /auth/sessions/current',
])

describe.each(
  routes
    .filter(route => !skipped.has(toOperation(route)))
    .map(route => ({ route, operation: toOperation(route) })),
)('$operation', ({ route }) => {
  test('no 5xx', async () => {
    const query = buildQuerySchema(route)
    const body =
      route.body && !route.multipart
        ? fc.oneof(valid(route.body), almostValid(route.body))
        : fc.constantFrom(undefined, {}, { a: 1 })
    const headers = fc.constantFrom<Record<string, string>>(
      {},
      { 'if-match': '"1"' },
      { 'if-match': 'x' },
      { prefer: 'handling=strict' },
      { 'idempotency-key': 'same' },
    )
    await fc.assert(
      fc.asyncProperty(
        params,
        fc.oneof(valid(query), almostValid(query)),
        body,
        headers,
        async (param, queryValue, bodyValue, extraHeaders) => {
          const path =
            route.path.replace(/\{\w+\}/g, param) +
            queryString(
              typeof queryValue === 'object' && queryValue !== null && !Array.isArray(queryValue)
                ? (queryValue as Record<string, unknown>)
                : {},
            )
          const response = await owner.request(
            route.method,
            path,
            bodyValue === undefined || route.method === 'GET' ? undefined : JSON.stringify(bodyValue),
            extraHeaders,
          )
          expect(
            response.status,
            `${path} ${JSON.stringify(bodyValue)} → ${JSON.stringify(response.body)}`,
          ).toBeLessThan(500)
        },
      ),
      { numRuns: runs, endOnFailure: true },
    )
  })
})

test('the API document lists every status that was observed', () => {
  expect([...api.unlistedStatuses]).toEqual([])
})
