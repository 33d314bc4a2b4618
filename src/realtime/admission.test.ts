/** Tests which connections are admitted: by session cookie from our own pages, and never by a token in the URL. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { testApi } from '../../test/harness/api.ts'
import { within } from '../../test/harness/wait.ts'
import { logInBrowser } from '../identity/testing/browsers.ts'
import { createTestUser } from '../identity/testing/users.ts'

const api = await testApi()
const ws = await api.workspace()
const url = `${api.url.replace('http', 'ws')}/v1/realtime`

async function arrange() {
  const user = await createTestUser(api, ws.tenantId)
  return { ...user, browser: await logInBrowser(api, user.email) }
}

/** Connects and returns the first frame, the close code, or the status of a refused handshake. */
async function connect(headers: Record<string, string>, query = '') {
  const socket = new WebSocket(`${url}${query}`, { headers })
  const closed = once(socket, 'close').then(([code]) => code as number)
  const outcome = await Promise.race([
    once(socket, 'message').then(([data]) => JSON.parse(String(data)).type as string),
    once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number),
    closed,
  ])
  return { socket, closed, outcome }
}

test('hello for the cookie with our own Origin or Sec-Fetch-Site: same-origin', async () => {
  const { browser } = await arrange()
  const { cookie } = browser
  const own = { origin: api.url }
  for (const headers of [own, { ...own, 'sec-fetch-site': 'same-origin' }] as Record<string, string>[]) {
    const { socket, outcome } = await connect({ cookie, ...headers })
    expect(outcome).toBe('hello')
    socket.close()
  }
})

test.each([
  ['another port of the host', { origin: 'http://127.0.0.1:1' }],
  ['another port of the host, as browsers report it', { 'sec-fetch-site': 'same-site' }],
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a client that shows no origin', {}],
])('403 for the cookie from %s', async (_, headers) => {
  const { browser } = await arrange()
  expect((await connect({ cookie: browser.cookie, ...headers })).outcome).toBe(403)
})

test('the Authorization header and a ticket win over the cookie', async () => {
  const { browser } = await arrange()
  const { cookie } = browser
  const { ticket } = (await browser.post('/realtime/tickets')).body
  const other = { cookie, origin: 'http://127.0.0.1:1' }
  const byTicket = await connect(other, `?ticket=${ticket}`)
  expect(byTicket.outcome).toBe('hello')
  const byHeader = await connect({ ...other, authorization: `Bearer ${ws.owner.token}` })
  expect(byHeader.outcome).toBe('hello')
  for (const { socket } of [byTicket, byHeader]) socket.close()
  const own = { cookie, origin: api.url }
  expect((await connect({ ...own, authorization: 'Bearer pk_wrong' })).outcome).toBe(4401)
})

test.each(['undefined', 'null', '-1', '1.5', '1e3', '9'.repeat(16)])(
  '400 for since=%s, which would connect without the missed events',
  async since => {
    const authorization = `Bearer ${ws.owner.token}`
    expect((await connect({ authorization }, `?since=${since}`)).outcome).toBe(400)
    expect((await connect({ authorization: 'Bearer pk_wrong' }, `?since=${since}`)).outcome).toBe(4401)
  },
)

test('hello for an empty since, and for one that is a number', async () => {
  for (const query of ['?since=', '?since=0']) {
    const { socket, outcome } = await connect({ authorization: `Bearer ${ws.owner.token}` }, query)
    expect(outcome).toBe('hello')
    socket.close()
  }
})

test('4401 for the value of the cookie in the URL or as a bearer token', async () => {
  const { browser } = await arrange()
  const value = browser.cookie.slice(browser.cookie.indexOf('=') + 1)
  for (const name of ['ticket', 'token', 'access_token'])
    expect((await connect({ origin: api.url }, `?${name}=${value}`)).outcome, name).toBe(4401)
  expect((await connect({ authorization: `Bearer ${value}` })).outcome).toBe(4401)
})

test('revoking a session closes its sockets within a second, and those of other sessions stay', async () => {
  const { email, browser } = await arrange()
  const other = await logInBrowser(api, email)
  const own = await connect({ cookie: browser.cookie, origin: api.url })
  const [{ id }] = (await other.get('/users/me/sessions')).body.items
  const lost = await connect({ cookie: other.cookie, origin: api.url })
  const byTicket = await connect({}, `?ticket=${(await other.post('/realtime/tickets')).body.ticket}`)
  expect([own.outcome, lost.outcome, byTicket.outcome]).toEqual(['hello', 'hello', 'hello'])
  const started = performance.now()
  expect((await browser.delete(`/users/me/sessions/${id}`)).status).toBe(204)
  expect(await Promise.all([lost.closed, byTicket.closed])).toEqual([4401, 4401])
  expect(performance.now() - started).toBeLessThan(within(1_000))
  expect(own.socket.readyState).toBe(WebSocket.OPEN)
  expect((await browser.delete('/auth/sessions/current')).status).toBe(204)
  expect(await own.closed).toBe(4401)
})
