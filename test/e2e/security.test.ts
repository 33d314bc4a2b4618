/** Tests attacks on the HTTP server as a whole; attacks on one part are tested beside that part. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testApi } from '../harness/api.ts'
import { within } from '../harness/wait.ts'

const lines: string[] = []
const api = await testApi(
  { LOG_LEVEL: 'trace' },
  { logTo: { write: line => void lines.push(line) }, spread: true },
)
const { port } = new URL(api.url)

/** Sends raw bytes and returns the response, until the server closes or one second without data. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  let response = ''
  socket.on('data', chunk => {
    response += chunk
  })
  socket.on('error', () => {})
  socket.setTimeout(1_000, () => socket.destroy())
  socket.write(text)
  await once(socket, 'close')
  return response
}

const statuses = (response: string) =>
  [...response.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(match => Number(match[1]))

test('request smuggling: conflicting lengths are refused and the connection is closed', async () => {
  const { owner } = await api.workspace()
  const head = `POST /v1/contacts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\n`
  const hidden = `GET /v1/users HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n\r\n`
  for (const lengths of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
    'Content-Length: 4\r\nContent-Length: 5\r\n',
    'Content-Length: +4\r\n',
    'Content-Length: 0x4\r\n',
    'Transfer-Encoding: xchunked\r\n',
    'Transfer-Encoding: identity, chunked, identity\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Transfer-Encoding:\u000bchunked\r\n',
    'Content-Length: 4\r\n Content-Length: 5\r\n',
  ]) {
    const response = await raw(`${head}${lengths}\r\n0\r\n\r\n${hidden}`)
    expect(
      statuses(response).every(status => status >= 400),
      `${lengths}\n${response}`,
    ).toBe(true)
    expect(statuses(response).length, lengths).toBeLessThanOrEqual(1)
    expect(response).not.toContain('"users"')
  }
})

test('header injection: no input adds a header to the response', async () => {
  const { owner } = await api.workspace()
  const nasty = encodeURIComponent('x\r\nset-cookie: a=b\r\n\r\n<script>')
  for (const path of [`/contacts/${nasty}`, `/contacts?pageToken=${nasty}`, `/${nasty}`, `/docs/${nasty}`]) {
    const response = await owner.get(path)
    expect(response.status, path).toBeGreaterThanOrEqual(400)
    expect(response.status, path).toBeLessThan(500)
    expect(response.headers.get('set-cookie')).toBeNull()
  }
  for (const header of ['Origin', 'X-Request-Id', 'Idempotency-Key', 'If-Match', 'Prefer']) {
    const response = await raw(
      `POST /v1/tags HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n${header}: x\u0001\u007fy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(statuses(response)[0], header).toBeGreaterThanOrEqual(400)
    expect(response).not.toContain('\u0001')
  }
})

test('415 for compressed bodies, which are not decompressed', async () => {
  const { owner } = await api.workspace()
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const before = process.memoryUsage.rss()
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
    const response = await fetch(`${api.url}/v1/contacts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body: bomb,
    })
    expect(response.status, encoding).toBe(415)
  }
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(100)
})

test('prototype pollution: no property of a body reaches a prototype', async () => {
  const { owner } = await api.workspace()
  const post = (path: string, body: string) =>
    fetch(`${api.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body,
    })
  for (const body of [
    '{"name":"a","__proto__":{"role":"owner"}}',
    '{"name":"a","customFields":{"__proto__":{"x":"y"}}}',
    '{"name":"a","constructor":{"prototype":{"x":"y"}}}',
    '{"name":"a","customFields":{"constructor":"y"}}',
    '{"name":"a","customFields":{"hasOwnProperty":"y","toString":"y"}}',
  ])
    expect((await post('/contacts', body)).status, body).toBe(400)
  for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty'])
    expect((await post('/contacts/custom-fields', `{"name":"${name}","type":"text"}`)).status).toBeLessThan(
      500,
    )
  const created = await owner.post('/contacts', { name: 'a', customFields: { constructor: 'mine' } })
  expect(created.body.customFields).toMatchObject({ constructor: 'mine' })
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('path traversal: no path reaches a file outside the assets', async () => {
  for (const path of [
    '/docs/assets/../../package.json',
    '/docs/assets/..%2f..%2fpackage.json',
    '/docs/assets/%2e%2e/%2e%2e/package.json',
    '/docs/assets/..%5c..%5cpackage.json',
    '/v1/../package.json',
    '/v1/media/..%2f..%2fsecret.key',
    '//etc/passwd',
    '/%00',
  ]) {
    const response = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(statuses(response)[0], path).toBeGreaterThanOrEqual(400)
    expect(statuses(response)[0], path).toBeLessThan(500)
    expect(response).not.toContain('"dependencies"')
  }
})

test('texts that make regular expressions backtrack are answered quickly', async () => {
  const { owner } = await api.workspace()
  const long = 'a'.repeat(30_000)
  const time = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const attacks = [
    () => owner.post('/contacts', { name: 'x', phone: `+${'1'.repeat(20_000)}!` }),
    () => owner.post('/contacts', { name: `${' '.repeat(20_000)}x` }),
    () => owner.post('/users/invitations', { email: `${long}@${'a.'.repeat(5_000)}!`, role: 'agent' }),
    () =>
      owner.post('/contacts/search', {
        filter: { match: 'all', conditions: [{ type: 'searchText', text: '%_'.repeat(90) }] },
      }),
    () => owner.get('/contacts', { 'if-match': `${'"a", '.repeat(1_000)}x` }),
    () => owner.post('/tags', { name: 'x' }, { prefer: `${'a=b; '.repeat(800)}` }),
    () => owner.patch('/webhooks', { url: `http://${'a.'.repeat(1_000)}` }),
    () => fetch(`${api.url}/v1/users`, { headers: { authorization: `Bearer ${'.'.repeat(8_000)}` } }),
  ]
  for (const attack of attacks)
    expect(Math.min(await time(attack), await time(attack)), String(attack)).toBeLessThan(within(500))
})

test('log injection: input adds no log line, and tokens are not logged', async () => {
  const { owner } = await api.workspace()
  lines.length = 0
  const forged = '\n{"level":60,"msg":"forged"}\u001b[2J'
  await owner.post('/contacts', { name: forged })
  await owner.get(`/contacts/${encodeURIComponent(forged)}`)
  await fetch(`${api.url}/v1/users`, {
    headers: { authorization: `Bearer ${owner.token}`, 'user-agent': 'x\t"}' },
  })
  api.deps.log.error({ err: new Error(forged), path: forged }, forged)
  const logged = lines.join('').trimEnd().split('\n')
  expect(logged).toHaveLength(lines.length)
  for (const line of logged) {
    expect(JSON.parse(line).msg).not.toBe('forged')
    expect(line).not.toContain('\u001b')
    expect(line).not.toContain(owner.token)
  }
})

test('the time of a 401 does not depend on the matching prefix of a key', async () => {
  const { key } = await api.workspace()
  const { token } = await key()
  const wrongFirst = `${token.slice(0, 12)}${token[12] === 'a' ? 'b' : 'a'}${token.slice(13)}`
  const wrongLast = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  const times: Record<string, number[]> = { [wrongFirst]: [], [wrongLast]: [] }
  for (let n = 0; n < 150; n++)
    for (const secret of n % 2 ? [wrongFirst, wrongLast] : [wrongLast, wrongFirst]) {
      const startedAt = performance.now()
      const response = await fetch(`${api.url}/v1/users`, { headers: { authorization: `Bearer ${secret}` } })
      await response.text()
      times[secret]!.push(performance.now() - startedAt)
      expect(response.status).toBe(401)
    }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
  const [first, last] = [median(times[wrongFirst]!), median(times[wrongLast]!)]
  expect(Math.abs(first - last) / Math.max(first, last)).toBeLessThan(0.5)
})
