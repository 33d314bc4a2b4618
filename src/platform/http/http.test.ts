/** The front door with routes of its own: what every operation gets for free. */
import { once } from 'node:events'
import { connect } from 'node:net'
import Type from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { client } from '../../../test/harness/api.ts'
import { testDeps } from '../../../test/harness/deps.ts'
import { sql } from '../db/sql.ts'
import { transact } from '../db/transact.ts'
import { problemKind } from '../errors.ts'
import type { Caller } from './caller.ts'
import { cursorPage, tokenPage } from './page.ts'
import { createRateLimit } from './rate-limit.ts'
import { route } from './route.ts'
import { AnyId, literals, nullable, object, Timestamp, variants } from './schemas.ts'
import { buildServer } from './server.ts'

const { deps } = await testDeps()
const { db, clock } = deps
await db.run(sql`create table made (id serial primary key, tenant_id text, name text)`)
const everyone = ['owner', 'admin', 'agent'] as const
const open = { scopes: [], roles: everyone }
const Taken = problemKind(409, 'thing_taken', 'Taken')
let calls = 0

const Made = object({ id: Type.Integer(), secret: Type.Optional(Type.String()) })
/** Hooks of transactions that were committed. */
let commits = 0
const insert = (tenantId: string, name: string) =>
  sql`insert into made (tenant_id, name) values (${tenantId}, ${name}) returning id`

const routes = [
  route({
    method: 'POST',
    path: '/things',
    tag: 't',
    summary: 's',
    access: open,
    body: object({ name: Type.String({ maxLength: 5 }) }),
    success: { status: 201, body: Made },
    secretFields: ['secret'],
    handle: ({ write, caller, body }) =>
      write(async tx => ({
        ...(await tx.one<{ id: number }>(insert(caller.tenantId, body.name))),
        secret: 'shown once',
      })),
  }),
  route({
    method: 'POST',
    path: '/crash',
    tag: 't',
    summary: 's',
    access: open,
    success: { status: 200 },
    handle: async () => {
      throw new Error('inner words')
    },
  }),
  route({
    method: 'POST',
    path: '/conflict',
    tag: 't',
    summary: 's',
    access: open,
    success: { status: 204 },
    errors: [Taken],
    handle: async () => {
      calls++
      const { fail } = await import('../errors.ts')
      return fail(Taken)
    },
  }),
  route({
    method: 'POST',
    path: '/slow',
    tag: 't',
    summary: 's',
    access: open,
    success: { status: 200, body: object({ n: Type.Integer() }) },
    handle: async () => {
      await new Promise(resolve => setTimeout(resolve, 300))
      return { n: ++calls }
    },
  }),
  route({
    method: 'POST',
    path: '/shape',
    tag: 't',
    summary: 's',
    access: open,
    success: { status: 200, body: Type.Any() },
    body: object({
      at: Type.Optional(Timestamp),
      kind: Type.Optional(literals(['a', 'b'])),
      n: Type.Optional(nullable(Type.Integer({ minimum: 1 }))),
      list: Type.Optional(Type.Array(object({ x: Type.String() }))),
      v: Type.Optional(
        variants('type', [
          object({ type: Type.Literal('text'), text: Type.String() }),
          object({ type: Type.Literal('pic'), url: Type.String() }),
        ]),
      ),
    }),
    handle: async ({ body }) => body,
  }),
  route({
    method: 'GET',
    path: '/things',
    tag: 't',
    summary: 's',
    access: open,
    page: { ...tokenPage, default: 3, max: 4 },
    query: object({
      only: Type.Optional(Type.Array(Type.String())),
      flag: Type.Optional(Type.Boolean()),
      f: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
    success: { status: 200, body: Type.Any() },
    handle: async ({ page, query }) => {
      const from = (page.after?.[0] as number | undefined) ?? 0
      const { rows, next } = page.toPage(
        Array.from({ length: Math.min(page.limit + 1, 10 - from) }, (_, i) => from + i + 1),
        row => [row],
      )
      return { rows, query, nextPageToken: next }
    },
  }),
  route({
    method: 'GET',
    path: '/made-by-get',
    tag: 't',
    summary: 's',
    access: open,
    success: { status: 200, body: Made },
    handle: async ({ db, write, caller }) => {
      await transact(db, async tx => {
        await tx.run(insert(caller.tenantId, 'by get'))
        tx.afterCommit(() => commits++)
      })
      return write(tx => tx.one<{ id: number }>(insert(caller.tenantId, 'by get')))
    },
  }),
  route({
    method: 'GET',
    path: '/cursor',
    tag: 't',
    summary: 's',
    access: open,
    page: cursorPage,
    success: { status: 200, body: Type.Any() },
    handle: async ({ page }) => page.toPage([1, 2, 3].slice(0, page.limit + 1), row => [row]),
  }),
  route({
    method: 'PATCH',
    path: '/revised/{id}',
    tag: 't',
    summary: 's',
    access: open,
    concurrency: 'required',
    success: { status: 200, body: object({ revision: Type.Integer() }), etag: true },
    handle: async ({ ifMatch }) => {
      ifMatch.check(7)
      return { revision: 8 }
    },
  }),
  route({
    method: 'DELETE',
    path: '/revised/{id}',
    tag: 't',
    summary: 's',
    access: open,
    params: object({ id: AnyId }),
    success: { status: 204 },
    handle: async () => undefined,
  }),
  route({
    method: 'GET',
    path: '/admins',
    tag: 't',
    summary: 's',
    access: { scopes: ['a:b'], roles: ['owner', 'admin'] },
    success: { status: 204 },
    handle: async () => undefined,
  }),
  route({
    method: 'POST',
    path: '/anyone',
    tag: 't',
    summary: 's',
    access: 'public',
    limitPerMinute: 3,
    success: { status: 204 },
    handle: async () => undefined,
  }),
]

const callers: Record<string, Caller> = Object.fromEntries(
  [
    ['t1', 'owner'],
    ['t2', 'owner'],
    ['g', 'agent'],
    ['a', 'admin'],
    ['limited', 'owner'],
  ].map(([token, role]) => [
    token,
    {
      tenantId: `tn_${token}`,
      id: `usr_${token}`,
      kind: 'user',
      role,
      scopes: new Set(token === 'a' ? [] : ['a:b']),
      teamIds: [],
    } as unknown as Caller,
  ]),
)
const app = await buildServer({
  deps,
  routes,
  authenticate: async token => callers[token],
  pageKey: deps.keys.current('p'),
  checkResponses: true,
  bodyLimit: 100_000,
  bodyTimeoutMs: 1_000,
  corsOrigins: ['https://app.example'],
  trustProxy: 'loopback',
  callerLimit: { take: key => (key === 'usr_limited' ? limited.take(key) : {}) },
})
const createBucket = () => createRateLimit({ name: 'caller', perSecond: 1, burst: 3 })
let limited = createBucket()
await app.listen({ port: 0 })
afterAll(() => app.close())
const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
const me = client(url, 'tn_t1', '', 't1')

describe('who may', () => {
  test('401 without, with a strange and with a wrong token', async () => {
    for (const headers of [
      {},
      { authorization: 'Basic eDp5' },
      { authorization: 'Bearer nobody' },
      { authorization: 'Bearer' },
    ]) {
      const answer = await client(url, '', '', '').get('/things', headers as Record<string, string>)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.body).toMatchObject({
        code: 'auth_token_invalid',
        status: 401,
        instance: '/v1/things',
        type: '/docs/errors#auth_token_invalid',
      })
      expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
    }
  })
  test('403 by role before scope, 403 by scope', async () => {
    expect((await client(url, '', '', 'g').get('/admins')).body.code).toBe('auth_role_missing')
    expect((await client(url, '', '', 'a').get('/admins')).body.code).toBe('auth_scope_missing')
    expect((await me.get('/admins')).status).toBe(204)
  })
  test('401 comes before anything about the body', async () => {
    expect((await client(url, '', '', '').post('/things', '{not json')).status).toBe(401)
  })
  test('429 with Retry-After when the bucket is empty', async () => {
    limited = createBucket()
    const greedy = client(url, '', '', 'limited')
    const answers = await Promise.all(Array.from({ length: 5 }, () => greedy.get('/admins')))
    expect(answers.map(a => a.status).sort()).toEqual([204, 204, 204, 429, 429])
    const refused = answers.find(a => a.status === 429)!
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit-policy')).toBe('"caller";q=3;w=3')
    expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"caller";r=\d;t=3$/)
  })
  let networks = 0
  test('429 on a public route for one address, before its body is read; other addresses go on', async () => {
    const n = ++networks
    const [one, other] = [`192.0.${n}.1`, `192.0.${n}.2`]
    const send = (address: string, body?: string) =>
      client(url, '', '', '').post('/anyone', body, { 'x-forwarded-for': address })
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(one)))
    expect(answers.map(a => a.status).sort()).toEqual([204, 204, 204, 429, 429])
    const refused = await send(one, '{not json')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=3;w=60')
    expect((await send(other)).status).toBe(204)
    // Addresses of one IPv6 network count as one.
    for (const [host, status] of [204, 204, 204, 429].entries())
      expect((await send(`2001:db8:${n}::${host + 1}`)).status).toBe(status)
    expect((await send(`2001:db8:${n}:1::1`)).status).toBe(204)
  })
})

describe('bad input', () => {
  const bad = async (body: string, headers = {}) => (await me.post('/shape', body, headers)).body
  test.each([
    ['not JSON', '{"a":', 'malformed_body'],
    ['an array', '[]', 'malformed_body'],
    ['a string', '"x"', 'malformed_body'],
    ['a NUL', '{"kind":"\\u0000"}', 'malformed_body'],
    ['an unpaired surrogate', '{"kind":"\\ud800"}', 'malformed_body'],
    ['__proto__', '{"__proto__":{"a":1}}', 'malformed_body'],
    ['__proto__ in disguise', '{"\\u005f_proto__":{"a":1}}', 'malformed_body'],
    ['nested without end', `{"v":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'malformed_body'],
    ['a missing body', '', 'validation_failed'],
  ])('400 for %s', async (_name, body, code) => {
    const answer = await me.post('/shape', body)
    expect(answer).toMatchObject({ status: 400, body: { code } })
  })
  test('400 for bytes that are not UTF-8', async () => {
    const response = await fetch(`${url}/v1/shape`, {
      method: 'POST',
      headers: { authorization: 'Bearer t1', 'content-type': 'application/json' },
      body: Buffer.from('{"kind":"\xff"}', 'latin1'),
    })
    expect(response.status).toBe(400)
  })
  test('400 names every fault with its path', async () => {
    const body = await bad(
      JSON.stringify({
        at: '2026-02-30T00:00:00Z',
        kind: 'c',
        n: 0,
        list: [{ x: 1 }, {}],
        v: { type: 'pic', text: 'x' },
        typo: 1,
      }),
    )
    expect(body.code).toBe('validation_failed')
    expect(
      Object.fromEntries(body.violations.map((v: { field: string; code: string }) => [v.field, v.code])),
    ).toEqual({
      at: 'invalid_format',
      kind: 'invalid_value',
      n: 'too_small',
      'list[0].x': 'invalid_type',
      'list[1].x': 'required',
      'v.url': 'required',
      'v.text': 'unknown_property',
      typo: 'unknown_property',
    })
  })
  test('400 for an unknown variant says which there are', async () => {
    expect((await bad('{"v":{"type":"film"}}')).violations).toEqual([
      { field: 'v.type', code: 'invalid_value', message: 'must be one of text, pic' },
    ])
  })
  test('400 for unknown, repeated and mistyped query parameters', async () => {
    const names = ['typo=1', '__proto__=1', '__proto__[a]=1', 'constructor=1']
    for (const query of [...names, 'pageSize=0', 'pageSize=x', 'pageSize=1&pageSize=2', 'flag=maybe']) {
      expect(await me.get(`/things?${query}`), query).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      })
    }
    expect((await me.get('/things?only=%zz')).body.code).toBe('malformed_url')
    expect((await me.get('/things?only=%00')).body.code).toBe('malformed_url')
  })
  test('query arrays repeat, objects use brackets', async () => {
    const { body } = await me.get('/things?only=a&only=b&flag=true&f[plan]=gold&f[x%20y]=1+2')
    expect(body.query).toEqual({ only: ['a', 'b'], flag: true, f: { plan: 'gold', 'x y': '1 2' } })
  })
  test('415 names the header that is missing or wrong, and what to send', async () => {
    const send = async (headers: Record<string, string>) => {
      const response = await fetch(`${me.url}/v1/shape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${me.token}`, ...headers },
        body: new TextEncoder().encode('{}'),
      })
      return (await response.json()) as { status: number; detail: string }
    }
    expect(await send({})).toMatchObject({
      status: 415,
      detail: 'the header Content-Type is missing; send Content-Type: application/json',
    })
    expect(await send({ 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
      detail:
        'the header Content-Type is application/x-www-form-urlencoded; send Content-Type: application/json',
    })
  })
  test('415 for another content type, an encoding, another charset', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': 'application/json; charset=latin1' },
    ]) {
      expect((await me.post('/shape', '{}', headers as unknown as Record<string, string>)).status).toBe(415)
    }
  })
  test('415 for a form where JSON is expected, also if the body is optional or there is none', async () => {
    const send = (method: string, path: string) => {
      const body = new FormData()
      body.append('name', 'Ada')
      return fetch(`${url}/v1${path}`, { method, headers: { authorization: `Bearer ${me.token}` }, body })
    }
    for (const [method, path] of [
      ['POST', '/shape'],
      ['POST', '/slow'],
      ['DELETE', '/revised/1'],
    ] as const) {
      const response = await send(method, path)
      expect(response.status, path).toBe(415)
      expect(await response.json()).toMatchObject({
        code: 'unsupported_media_type',
        detail: expect.stringContaining('send Content-Type: application/json'),
      })
    }
  })
  test('413 for a body past the limit', async () => {
    expect((await me.post('/shape', JSON.stringify({ kind: 'x'.repeat(200_000) }))).body.code).toBe(
      'body_too_large',
    )
  })
  test('404 and 405 with Allow', async () => {
    expect((await me.get('/nothing')).body.code).toBe('route_not_found')
    const answer = await me.put('/revised/1')
    expect(answer.body.code).toBe('method_not_allowed')
    expect(answer.headers.get('allow')).toBe('PATCH, DELETE')
  })
  test('400 for a path that does not decode, and for control characters in it', async () => {
    expect((await me.delete('/revised/%zz')).status).toBe(400)
    expect((await me.delete('/revised/%00')).status).toBe(400)
  })
  test('operations without a body take none, an empty one, or {}', async () => {
    for (const body of [undefined, '', '{}'])
      expect((await me.request('DELETE', '/revised/1', body)).status).toBe(204)
    expect((await me.request('DELETE', '/revised/1', '{"a":1}')).status).toBe(400)
  })
  test('431 for a long URL says what is too large', async () => {
    expect(await me.get(`/things?only=${'x'.repeat(20_000)}`)).toMatchObject({
      status: 431,
      body: { title: 'The URL and the headers are too large', detail: expect.stringContaining('16 KiB') },
    })
  })
  test('what is not HTTP gets a 400 and a closed socket', async () => {
    const text = await new Promise<string>(resolve => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'))
      let seen = ''
      socket.on('data', data => {
        seen += data
      })
      socket.on('close', () => resolve(seen))
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('malformed_request')
  })
  test.each(['t1', 'nobody'])(
    '408 and a closed socket for a body that does not arrive (token %s)',
    async token => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      let seen = ''
      socket.on('data', data => {
        seen += data
      })
      const head = `POST /v1/things HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}`
      socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":`)
      // A byte now and then is not enough.
      const drip = setInterval(() => socket.write(' '), 100)
      socket.on('error', () => {}).on('end', () => socket.end())
      await once(socket, 'close')
      clearInterval(drip)
      expect(seen).toMatch(token === 't1' ? /^HTTP\/1\.1 408 / : /^HTTP\/1\.1 401 /)
    },
  )
  test('500 shows nothing from inside', async () => {
    const { body, status } = await me.post('/crash')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('inner words')
  })
})

describe('paging', () => {
  test('walks through everything once, cuts sizes down, ends without a token', async () => {
    const seen: number[] = []
    let token: string | undefined
    do {
      const { body } = await me.get(`/things?pageSize=100${token ? `&pageToken=${token}` : ''}`)
      expect(body.rows.length).toBeLessThanOrEqual(4)
      seen.push(...body.rows)
      token = body.nextPageToken
    } while (token)
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
  test('400 for a token that was altered, or comes from another query, operation or workspace', async () => {
    const { nextPageToken: token } = (await me.get('/things')).body
    const altered = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
    for (const answer of [
      await me.get(`/things?pageToken=${altered}`),
      await me.get(`/things?pageToken=${token}&flag=true`),
      await me.get(`/cursor?cursor=${token}`),
      await client(url, '', '', 't2').get(`/things?pageToken=${token}`),
      await me.get('/things?pageToken=nonsense'),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_page_token' } })
    }
    expect((await me.get(`/things?pageToken=${token}`)).status).toBe(200)
  })
})

describe('If-Match', () => {
  test.each([
    [undefined, 428],
    ['"6"', 412],
    ['W/"7"', 412],
    ['', 428],
    [' ', 428],
    ['7', 412],
    ['"7', 412],
    ['"7"', 200],
    ['*', 200],
    ['"1", "7"', 200],
  ])('%s → %d', async (header, status) => {
    const answer = await me.patch('/revised/1', {}, header === undefined ? {} : { 'if-match': header })
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.headers.get('etag')).toBe('"8"')
  })
})

describe('Idempotency-Key', () => {
  const count = async () => (await db.one<{ n: number }>(sql`select count(*) as n from made`)).n
  let keys = 0
  const newKey = () => `k${++keys}`
  test('the same request is not run again; the secret of its first response is consumed', async () => {
    const [before, key] = [await count(), newKey()]
    const first = await me.post('/things', { name: 'a' }, { 'idempotency-key': key })
    const again = await me.post('/things', { name: 'a' }, { 'idempotency-key': `"${key}"` })
    expect(first.body.secret).toBe('shown once')
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'idempotency_secret_consumed', created: { id: first.body.id } },
    })
    expect(again.body.created.secret).toBeUndefined()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await count()).toBe(before + 1)
  })
  test('422 with another body; another caller has keys of their own', async () => {
    const headers = { 'idempotency-key': newKey() }
    await me.post('/things', { name: 'a' }, headers)
    expect((await me.post('/things', { name: 'b' }, headers)).body.code).toBe('idempotency_key_reused')
    expect((await client(url, '', '', 't2').post('/things', { name: 'b' }, headers)).status).toBe(201)
  })
  test('409 while the first is in flight; of twenty concurrent requests one has an effect', async () => {
    calls = 0
    const headers = { 'idempotency-key': newKey() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => me.post('/slow', {}, headers)))
    // On a busy machine the last request may arrive after the first has finished and get its stored response.
    const replayed = answers.filter(a => a.headers.has('idempotent-replayed'))
    expect(answers.filter(a => a.status === 200)).toHaveLength(1 + replayed.length)
    expect(answers.filter(a => a.body.code === 'idempotency_key_in_use')).toHaveLength(19 - replayed.length)
    expect(calls).toBe(1)
    expect((await me.post('/slow', {}, headers)).body).toEqual({ n: 1 })
  })
  test('a 4xx is kept, a 5xx is not', async () => {
    calls = 0
    const [kept, retried] = [{ 'idempotency-key': newKey() }, { 'idempotency-key': newKey() }]
    for (let i = 0; i < 2; i++) expect((await me.post('/conflict', {}, kept)).status).toBe(409)
    expect(calls).toBe(1)
    const first = await me.post('/crash', {}, retried)
    const second = await me.post('/crash', {}, retried)
    expect([first.status, second.status]).toEqual([500, 500])
    expect(second.headers.get('idempotent-replayed')).toBeNull()
  })
  test('after 24 hours the key is new; after a crash it is free in seconds', async () => {
    const key = newKey()
    const post = () => me.post('/things', { name: 'a' }, { 'idempotency-key': key })
    const first = await post()
    clock.advance(25 * 3_600_000)
    expect((await post()).body.id).not.toBe(first.body.id)
    await db.run(sql`update idempotency_keys set status = null, body = null where key = ${key}`)
    expect((await post()).status).toBe(409)
    clock.advance(16_000)
    expect((await post()).status).toBe(201)
  })
  test('400 for a key that is empty, long or not visible', async () => {
    for (const key of ['""', 'x'.repeat(256), 'a b'])
      expect((await me.post('/things', { name: 'a' }, { 'idempotency-key': key })).status).toBe(400)
  })
})

test('HEAD answers like GET without its effects', async () => {
  const made = async () => (await db.rows(sql`select from made where name = 'by get'`)).length
  const before = await made()
  commits = 0
  expect(await me.request('HEAD', '/made-by-get')).toMatchObject({ status: 200, body: '' })
  expect(await made()).toBe(before)
  expect(commits).toBe(0)
  expect((await me.get('/made-by-get')).status).toBe(200)
  expect(await made()).toBe(before + 2)
  expect(commits).toBe(1)
})

test('answers cannot run, be framed, sniffed or cached; CORS only for the listed origins', async () => {
  const { headers } = await me.get('/things', { origin: 'https://app.example' })
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(
    (await me.get('/things', { origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
  ).toBeNull()
})
