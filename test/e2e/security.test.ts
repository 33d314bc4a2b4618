/** Attacks on the door as a whole; those on one part are beside it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testApi } from '../harness/api.ts'
import { within } from '../harness/wait.ts'

const lines: string[] = []
const api = await testApi({ LOG_LEVEL: 'trace' }, { logTo: { write: line => void lines.push(line) } })
const { port } = new URL(api.url)

/** What the server says to these bytes until it hangs up, or has been silent for a while. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => {})
  socket.setTimeout(1_000, () => socket.destroy())
  socket.write(text)
  await once(socket, 'close')
  return answer
}

const statuses = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(match => Number(match[1]))

test('a request cannot hide another one: lengths that disagree are refused, and the connection ends', async () => {
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
    const answer = await raw(`${head}${lengths}\r\n0\r\n\r\n${hidden}`)
    expect(
      statuses(answer).every(status => status >= 400),
      `${lengths}\n${answer}`,
    ).toBe(true)
    expect(statuses(answer).length, lengths).toBeLessThanOrEqual(1)
    expect(answer).not.toContain('"users"')
  }
})

test('no input ends up in a header of the answer as a new line', async () => {
  const { owner } = await api.workspace()
  const nasty = encodeURIComponent('x\r\nset-cookie: a=b\r\n\r\n<script>')
  for (const path of [`/contacts/${nasty}`, `/contacts?pageToken=${nasty}`, `/${nasty}`, `/docs/${nasty}`]) {
    const answer = await owner.get(path)
    expect(answer.status, path).toBeGreaterThanOrEqual(400)
    expect(answer.status, path).toBeLessThan(500)
    expect(answer.headers.get('set-cookie')).toBeNull()
  }
  for (const header of ['Origin', 'X-Request-Id', 'Idempotency-Key', 'If-Match', 'Prefer']) {
    const answer = await raw(
      `POST /v1/tags HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n${header}: x\u0001\u007fy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    expect(statuses(answer)[0], header).toBeGreaterThanOrEqual(400)
    expect(answer).not.toContain('\u0001')
  }
})

test('a body that unpacks to a thousand times its size is not unpacked', async () => {
  const { owner } = await api.workspace()
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const before = process.memoryUsage.rss()
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
    const answer = await fetch(`${api.url}/v1/contacts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body: bomb,
    })
    expect(answer.status, encoding).toBe(415)
  }
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(100)
})

test('no member of a body reaches the prototype of anything', async () => {
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
  const kept = await owner.post('/contacts', { name: 'a', customFields: { constructor: 'mine' } })
  expect(kept.body.customFields).toMatchObject({ constructor: 'mine' })
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('no path leads out of what is served', async () => {
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
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(statuses(answer)[0], path).toBeGreaterThanOrEqual(400)
    expect(statuses(answer)[0], path).toBeLessThan(500)
    expect(answer).not.toContain('"dependencies"')
  }
})

test('texts that make careless patterns explode are answered as quickly as others', async () => {
  const { owner } = await api.workspace()
  const long = 'a'.repeat(30_000)
  const time = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
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

test('what somebody sends cannot write a line of the log, nor its token', async () => {
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

test('how long a refusal takes does not tell how much of a secret was right', async () => {
  const { key } = await api.workspace()
  const { token } = await key()
  const wrongFirst = `${token.slice(0, 12)}${token[12] === 'a' ? 'b' : 'a'}${token.slice(13)}`
  const wrongLast = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  const took: Record<string, number[]> = { [wrongFirst]: [], [wrongLast]: [] }
  for (let n = 0; n < 150; n++)
    for (const secret of n % 2 ? [wrongFirst, wrongLast] : [wrongLast, wrongFirst]) {
      const began = performance.now()
      const answer = await fetch(`${api.url}/v1/users`, { headers: { authorization: `Bearer ${secret}` } })
      await answer.text()
      took[secret]!.push(performance.now() - began)
      expect(answer.status).toBe(401)
    }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
  const [first, last] = [median(took[wrongFirst]!), median(took[wrongLast]!)]
  expect(Math.abs(first - last) / Math.max(first, last)).toBeLessThan(0.5)
})
