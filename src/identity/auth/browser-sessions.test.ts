/** Tests sessions of browsers: the cookie, the pages that may use it, and how sessions end. */
import { describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  browserWithCookie,
  logInBrowser,
  ownPage,
  readSetCookie,
  requestAtHost,
  startSession,
} from '../testing/browsers.ts'
import { clientWithToken, createTestUser, logIn, password } from '../testing/users.ts'
import { hashSecret } from './tokens.ts'
import { computeCode, getStep } from './totp.ts'

const lines: string[] = []
const api = await testApi({ LOG_LEVEL: 'debug' }, { logTo: { write: line => lines.push(line) } })
const { db, clock } = api.deps
const day = 86_400_000
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

async function arrange(role: 'owner' | 'admin' | 'agent' = 'agent') {
  const workspace = await api.workspace()
  const user = await createTestUser(api, workspace.tenantId, { role })
  return { ...workspace, ...user, browser: await logInBrowser(api, user.email) }
}
const getValue = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1)

describe('POST /auth/sessions', () => {
  test('204 sets a cookie that scripts cannot read, and stores its hash only', async () => {
    const { tenantId } = await api.workspace()
    const { id, email } = await createTestUser(api, tenantId)
    const response = await startSession(api, email.toUpperCase())
    expect([response.status, response.body]).toEqual([204, ''])
    const set = readSetCookie(response)
    expect(set).toMatch(
      /^__Host-parley=ses_[0-9a-z]{26}_[0-9A-Za-z]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    )
    const value = getValue(set.split(';')[0]!)
    const row = await db.one<{ hash: Buffer; text: string }>(
      sql`select cookie_hash as hash, s::text as text from auth_sessions s where user_id = ${id}`,
    )
    expect(row.hash.equals(hashSecret(value))).toBe(true)
    expect(row.text).not.toContain(value)
    expect(lines.join('')).not.toContain(value)
  })

  test('200 for reads and writes of our own pages; GET /users/me returns the scopes', async () => {
    const { id, browser } = await arrange('owner')
    const me = await browser.get('/users/me')
    expect(me).toMatchObject({ status: 200, body: { id } })
    expect(me.body.scopes).toEqual([...api.deps.roleScopes.owner].sort())
    expect(readSetCookie(me)).toBe('')
    expect((await browser.post('/contacts', { name: 'Ada' })).status).toBe(201)
    expect((await browser.get('/me')).body).toMatchObject({ type: 'user', id, apiKey: null })
  })

  test('409 auth_tenant_required as for tokens, then 204 with tenantId', async () => {
    const email = `two-${Math.random()}@example.com`
    const [first, second] = [await api.workspace('First'), await api.workspace('Second')]
    await createTestUser(api, first.tenantId, { email })
    const { id } = await createTestUser(api, second.tenantId, { email })
    const answer = await startSession(api, email)
    expect(answer).toMatchObject({ status: 409, body: { code: 'auth_tenant_required' } })
    expect(answer.body.tenants).toHaveLength(2)
    const body = { email, password, tenantId: second.tenantId }
    const chosen = await api.anonymous.post('/auth/sessions', body, ownPage)
    expect(chosen.status).toBe(204)
    const browser = browserWithCookie(api, readSetCookie(chosen).split(';')[0]!)
    expect((await browser.get('/users/me')).body.id).toBe(id)
  })

  test('409 with a challenge for a second factor, which POST /auth/sessions/second-factor completes', async () => {
    const { email, browser } = await arrange()
    const { secret } = (await browser.post('/users/me/second-factor', { password })).body
    const confirmed = await browser.post('/users/me/second-factor/confirm', { code: totp(secret) })
    expect(confirmed.status).toBe(200)
    // The session that enabled it goes on.
    expect((await browser.get('/users/me')).status).toBe(200)
    const { status, body } = await startSession(api, email)
    expect([status, body.code]).toEqual([409, 'auth_second_factor_code_required'])
    const complete = (code: string) =>
      api.anonymous.post('/auth/sessions/second-factor', { challenge: body.challenge, code }, ownPage)
    expect((await complete('000000')).body.code).toBe('auth_second_factor_failed')
    const completed = await complete(confirmed.body.recoveryCodes[0])
    expect(completed.status).toBe(204)
    const again = browserWithCookie(api, readSetCookie(completed).split(';')[0]!)
    expect((await again.get('/users/me')).body.email).toBe(email)
  })

  test('403 auth_cross_site for a login that another site sends; 204 for clients that are not browsers', async () => {
    const { email } = await createTestUser(api, (await api.workspace()).tenantId)
    const others: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://127.0.0.1:1' },
    ]
    for (const headers of others)
      expect((await startSession(api, email, headers)).body.code).toBe('auth_cross_site')
    expect((await startSession(api, email, {})).status).toBe(204)
  })

  test('429 with Retry-After counts attempts together with POST /auth/login', {
    timeout: 60_000,
  }, async () => {
    const { email } = await createTestUser(api, (await api.workspace()).tenantId)
    const wrong = { email, password: 'not the password' }
    const paths = ['/auth/login', '/auth/sessions']
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => api.anonymous.post(paths[i % 2]!, wrong, ownPage)),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    const refused = await api.anonymous.post('/auth/sessions', { email, password }, ownPage)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  })

  test('a second login replaces the session of the browser', async () => {
    const { email, browser } = await arrange()
    const second = await startSession(api, email, { ...ownPage, cookie: browser.cookie })
    expect(second.status).toBe(204)
    expect((await browser.get('/users/me')).status).toBe(401)
  })
})

/** Returns the current code of a secret. */
function totp(secret: string): string {
  const bits = [...secret].map(letter => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map(byte => Number.parseInt(byte, 2)))
  return computeCode(bytes, getStep(clock.now()))
}

const anotherPort = { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }
const notOwn: [string, Record<string, string>][] = [
  ['another port of the host', anotherPort],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another port, in a browser without Sec-Fetch-Site', { origin: 'http://127.0.0.1:1' }],
  ['another site, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
  ['a sandboxed frame', { origin: 'null' }],
]

describe('pages that may use the cookie', () => {
  test.each(notOwn)('403 auth_cross_site for %s, also for reads', async (_, headers) => {
    const { browser } = await arrange('owner')
    for (const [method, path] of [
      ['GET', '/contacts'],
      ['POST', '/contacts'],
      ['PATCH', '/users/me'],
      ['PUT', '/users/me/password'],
      ['DELETE', '/auth/sessions/current'],
    ] as const) {
      const { status, body } = await browser.request(method, path, undefined, headers)
      expect([status, body.code], method).toEqual([403, 'auth_cross_site'])
    }
    expect((await browser.get('/contacts')).body.contacts).toEqual([])
  })

  test('403 for a write that does not show where it comes from; 200 for a read', async () => {
    const { browser } = await arrange('owner')
    for (const headers of [{}, { 'sec-fetch-site': 'none' }] as Record<string, string>[]) {
      expect((await browser.post('/contacts', { name: 'Ada' }, headers)).body.code).toBe('auth_cross_site')
      expect((await browser.get('/contacts', headers)).status).toBe(200)
    }
  })

  test('201 with our own Origin where the browser sends no Sec-Fetch-Site', async () => {
    const { browser } = await arrange('owner')
    expect((await browser.post('/contacts', { name: 'Ada' }, { origin: api.url })).status).toBe(201)
  })

  test('the Authorization header wins: nothing of the cookie is used', async () => {
    const { browser, tenantId, owner } = await arrange()
    const authorization = `Bearer ${owner.token}`
    const both = await browser.get('/users/me', { authorization, ...anotherPort })
    expect(both).toMatchObject({ status: 200, body: { id: owner.id } })
    expect((await browser.get('/users/me', { ...ownPage, authorization: 'Bearer pk_wrong' })).status).toBe(
      401,
    )
    expect((await browser.get('/users/me', { ...ownPage, authorization: 'Basic x' })).status).toBe(401)
    expect(tenantId).toBe(owner.tenantId)
  })

  test('401 for the value of the cookie as a bearer token, in a URL and with a wrong value', async () => {
    const { browser } = await arrange()
    const value = getValue(browser.cookie)
    expect((await clientWithToken(api, value).get('/users/me')).status).toBe(401)
    const inUrl = await api.anonymous.get(`/contacts?ticket=${value}&token=${value}&access_token=${value}`)
    expect(inUrl.status).toBe(401)
    for (const cookie of [
      `${browser.cookie}x`,
      `x__Host-parley=${value}`,
      '__Host-parley=',
      `parley=${value}`,
    ])
      expect((await browserWithCookie(api, cookie).get('/users/me')).status, cookie).toBe(401)
    const among = browserWithCookie(api, `a=b; ${browser.cookie}; parley=ses_planted`)
    expect((await among.get('/users/me')).status).toBe(200)
  })
})

describe('the name of the cookie', () => {
  const logInAt = async (host: string, headers: Record<string, string> = {}, at: { url: string } = api) => {
    const { email } = await createTestUser(api, (await api.workspace()).tenantId)
    return requestAtHost(at, host, {
      method: 'POST',
      path: '/auth/sessions',
      body: { email, password },
      headers,
    })
  }
  const getMe = (host: string, cookie: string, headers = {}, at: { url: string } = api) =>
    requestAtHost(at, host, { method: 'GET', path: '/users/me', headers: { cookie, ...headers } })

  test('parley without Secure over plain HTTP, and each name only where it belongs', async () => {
    const { setCookie } = await logInAt('desk.example:8080', { origin: 'http://desk.example:8080' })
    expect(setCookie).toMatch(/^parley=ses_\w{70}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/)
    const cookie = setCookie.split(';')[0]!
    expect((await getMe('desk.example:8080', cookie)).status).toBe(200)
    expect((await getMe('localhost', cookie)).status).toBe(401)
    expect((await getMe('localhost', `__Host-${cookie}`)).status).toBe(200)
    expect((await getMe('desk.example:8080', `__Host-${cookie}`)).status).toBe(401)
  })

  test('__Host-parley on loopback, behind a trusted proxy with TLS and at an https PUBLIC_URL', async () => {
    for (const host of ['localhost:80', '127.0.0.1', '[::1]:8080', 'console.localhost'])
      expect((await logInAt(host)).setCookie, host).toMatch(/^__Host-parley=.*; Secure;/)
    const proxied = await api.another({ trustProxy: 'loopback' })
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'desk.example' }
    expect((await logInAt('10.0.0.7', forwarded, proxied)).setCookie).toMatch(/^__Host-parley=/)
    // Without TRUST_PROXY the headers are ignored.
    expect((await logInAt('10.0.0.7', forwarded)).setCookie).toMatch(/^parley=/)
    const named = await api.another({ publicUrl: 'https://desk.example' })
    const { setCookie } = await logInAt('desk.example', { origin: 'https://desk.example' }, named)
    expect(setCookie).toMatch(/^__Host-parley=/)
    const cookie = setCookie.split(';')[0]!
    const crossed = await getMe('desk.example', cookie, { origin: 'http://desk.example' }, named)
    expect([crossed.status, crossed.body.code]).toEqual([403, 'auth_cross_site'])
  })
})

describe('how a session ends', () => {
  test('204 of DELETE /auth/sessions/current deletes the cookie and ends this session only', async () => {
    const { email, browser } = await arrange()
    const other = await logInBrowser(api, email)
    const ended = await browser.delete('/auth/sessions/current')
    expect(ended.status).toBe(204)
    expect(readSetCookie(ended)).toBe('__Host-parley=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0')
    expect((await browser.get('/users/me')).status).toBe(401)
    expect((await other.get('/users/me')).status).toBe(200)
    expect((await other.post('/auth/logout')).status).toBe(204)
    expect((await other.get('/users/me')).status).toBe(401)
  })

  test('a changed password ends all sessions but the one that changed it', async () => {
    const { email, browser } = await arrange()
    const other = await logInBrowser(api, email)
    const changed = await browser.put('/users/me/password', {
      current: password,
      new: 'quiet-Maple-77-compass',
    })
    expect(changed.status).toBe(204)
    expect((await other.get('/users/me')).status).toBe(401)
    expect((await browser.get('/users/me')).status).toBe(200)
  })

  test('disabling the user ends the session permanently; a demotion applies to it', async () => {
    const { id, owner, browser } = await arrange('admin')
    expect((await browser.get('/audit-log')).status).toBe(200)
    await owner.put(`/users/${id}/role`, { role: 'agent' })
    expect((await browser.get('/audit-log')).status).toBe(403)
    await owner.patch(`/users/${id}`, { disabled: true })
    expect((await browser.get('/users/me')).status).toBe(401)
    await owner.patch(`/users/${id}`, { disabled: false })
    expect((await browser.get('/users/me')).status).toBe(401)
  })

  test('401 after 30 days without use', async () => {
    const { browser } = await arrange()
    clock.advance(30 * day + 1)
    expect((await browser.get('/users/me')).status).toBe(401)
  })

  test('a session that is used goes on with the same cookie, until 90 days after the login', async () => {
    const { browser } = await arrange()
    const getOwn = async () => (await browser.get('/users/me/sessions')).body.items[0]
    for (const left of [30, 30, 30]) {
      clock.advance(20 * day)
      const used = await browser.get('/users/me')
      expect(used.status).toBe(200)
      expect(readSetCookie(used)).toContain(`${browser.cookie}; Path=/`)
      expect(Number(/Max-Age=(\d+)/.exec(readSetCookie(used))![1]) / 86_400).toBeCloseTo(left, 1)
      await eventually(async () => {
        const { expiresAt, lastUsedAt } = await getOwn()
        expect((Date.parse(expiresAt) - clock.now().getTime()) / day).toBeCloseTo(left, 1)
        expect((Date.parse(lastUsedAt) - clock.now().getTime()) / day).toBeCloseTo(0, 1)
      })
    }
    clock.advance(29 * day)
    expect((await browser.get('/users/me')).status).toBe(200)
    clock.advance(day)
    expect((await browser.get('/users/me')).status).toBe(401)
  })

  test('many concurrent requests of several tabs succeed while the session is extended', async () => {
    const { browser } = await arrange()
    clock.advance(2 * day)
    const answers = await Promise.all(Array.from({ length: 60 }, () => browser.get('/users/me')))
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200))
    for (const answer of answers)
      if (readSetCookie(answer)) expect(readSetCookie(answer)).toContain(`${browser.cookie};`)
    expect((await browser.get('/users/me')).status).toBe(200)
  })
})

describe('GET /users/me/sessions', () => {
  test('200 lists the open sessions of the caller, newest first, in pages', async () => {
    const { email, browser, tenantId } = await arrange()
    const token = clientWithToken(api, (await logIn(api, email)).body.accessToken)
    await logInBrowser(api, (await createTestUser(api, tenantId)).email)
    const { body } = await token.get('/users/me/sessions')
    expect(body).toMatchObject({
      items: [
        { kind: 'token', isCurrent: true, address: '127.0.0.1', userAgent: 'node' },
        { kind: 'browser', isCurrent: false, address: '127.0.0.1', userAgent: 'node' },
      ],
      hasMore: false,
    })
    const first = (await browser.get('/users/me/sessions?limit=1')).body
    const second = (await browser.get(`/users/me/sessions?limit=1&cursor=${first.nextCursor}`)).body
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      body.items.map(({ id }: { id: string }) => id),
    )
    expect(second).toMatchObject({ items: [{ isCurrent: true }], hasMore: false })
  })

  test('204 of DELETE ends another own session, with an entry in the audit log; 404 the second time', async () => {
    const { id, email, owner, browser } = await arrange()
    const other = await logInBrowser(api, email)
    const [{ id: otherId }] = (await browser.get('/users/me/sessions')).body.items
    expect((await browser.delete(`/users/me/sessions/${otherId}`)).status).toBe(204)
    expect((await other.get('/users/me')).status).toBe(401)
    expect((await browser.delete(`/users/me/sessions/${otherId}`)).body.code).toBe('auth_session_not_found')
    const log = await owner.get(`/audit-log?action=login.revoked&targetId=${id}`)
    expect(log.body.items).toMatchObject([{ actorId: id, details: { reason: 'revoked_by_user' } }])
    expect((await browser.get('/users/me')).status).toBe(200)
  })

  test("404 for another user's session, which goes on", async () => {
    const { browser, tenantId } = await arrange()
    const other = await logInBrowser(api, (await createTestUser(api, tenantId)).email)
    const [{ id }] = (await other.get('/users/me/sessions')).body.items
    expect((await browser.delete(`/users/me/sessions/${id}`)).status).toBe(404)
    expect((await other.get('/users/me')).status).toBe(200)
  })
})
