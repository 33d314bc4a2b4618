/** Whatever a client sends, right, nearly right or nonsense, the answer is never a 5xx. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { toOperation } from '../../src/platform/http/route.ts'
import { buildQuerySchema } from '../../src/platform/http/serve-route.ts'
import { testApi } from '../harness/api.ts'
import { playProviders } from '../harness/sandbox.ts'
import { almostValid, valid } from './arbitrary.ts'

const api = await testApi()
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
      ? value.map(one => `${name}=${text(one)}`)
      : typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, one]) => `${name}[${text(key)}]=${text(one)}`)
        : [`${name}=${text(value)}`],
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

// Ending our own login or waiting for the beat of a login proves nothing here.
const skipped = new Set(['POST /auth/logout', 'POST /auth/login'])

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
        async (param, given, sent, extra) => {
          const path =
            route.path.replace(/\{\w+\}/g, param) +
            queryString(
              typeof given === 'object' && given !== null && !Array.isArray(given)
                ? (given as Record<string, unknown>)
                : {},
            )
          const answer = await owner.request(
            route.method,
            path,
            sent === undefined || route.method === 'GET' ? undefined : JSON.stringify(sent),
            extra,
          )
          expect(
            answer.status,
            `${path} ${JSON.stringify(sent)} → ${JSON.stringify(answer.body)}`,
          ).toBeLessThan(500)
        },
      ),
      { numRuns: runs, endOnFailure: true },
    )
  })
})
