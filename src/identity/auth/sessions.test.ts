/** Tests logging in, refreshing and logging out. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testApi } from '../../../test/harness/api.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import { clientWithToken, createTestUser, logIn, password } from '../testing/users.ts'

const api = await testApi({ SIGNUP: 'open' })
const other = await api.another()
const { db, clock } = api.deps
const day = 86_400_000
const refresh = (refreshToken: string, at = api) => at.anonymous.post('/auth/refresh', { refreshToken })
const me = (accessToken: string, at = api) => clientWithToken(at, accessToken).get('/users/me')

async function loggedIn() {
  const { tenantId, owner } = await api.workspace()
  const person = await createTestUser(api, tenantId)
  const { body } = await logIn(api, person.email)
  return { ...person, owner, ...(body as { accessToken: string; refreshToken: string }) }
}

describe('POST /auth/login', () => {
  test('200 with tokens that work and identify the user', async () => {
    const { tenantId } = await api.workspace()
    const { id, email } = await createTestUser(api, tenantId, { role: 'admin' })
    const { status, body } = await logIn(api, email.toUpperCase())
    expect(status).toBe(200)
    expect(body).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, user: { id, email, role: 'admin' } })
    expect(JSON.stringify(body)).not.toMatch(/argon2|password_?hash/i)
    expect((await me(body.accessToken)).body.id).toBe(id)
    const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString())
    expect(Object.keys(claims).sort()).toEqual(['exp', 'iat', 'iss', 'sid', 'sub', 'tid'])
  })

  test('413 for a body of more than 16 KiB, before it is read', async () => {
    const { status, body } = await api.anonymous.post('/auth/login', {
      email: 'sam@example.com',
      password: 'x'.repeat(17 * 1024),
    })
    expect([status, body.code]).toEqual([413, 'body_too_large'])
  })

  test('401 alike for a wrong password, an unknown address, a disabled user and one without a password', async () => {
    const { tenantId, owner } = await api.workspace()
    const wrong = await createTestUser(api, tenantId)
    const disabled = await createTestUser(api, tenantId)
    const outside = await createTestUser(api, tenantId, { passwordHash: null })
    await owner.patch(`/users/${disabled.id}`, { disabled: true })
    const answers = await Promise.all([
      logIn(api, wrong.email, 'not the password'),
      logIn(api, 'nobody@example.com'),
      logIn(api, disabled.email),
      logIn(api, outside.email),
      logIn(api, wrong.email, password, { tenantId: (await api.workspace()).tenantId }),
      logIn(api, wrong.email, password, { tenantId: 'tn_🙂' }),
    ])
    const listed = answers.map(({ status, body }) => ({ status, ...body, requestId: '' }))
    expect(listed[0]).toMatchObject({ status: 401, code: 'auth_login_failed' })
    for (const one of listed) expect(one).toEqual(listed[0])
    expect(answers[0]!.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('409 auth_tenant_required lists the workspaces that fit, and only those', async () => {
    const email = `many${Math.random()}@example.com`
    const [first, second, otherPassword, disabledIn] = [
      await api.workspace('First'),
      await api.workspace('Second'),
      await api.workspace('Other password'),
      await api.workspace('Disabled'),
    ]
    await createTestUser(api, first.tenantId, { email })
    const inSecond = await createTestUser(api, second.tenantId, { email: email.toUpperCase() })
    await createTestUser(api, otherPassword.tenantId, { email, passwordHash: null })
    const gone = await createTestUser(api, disabledIn.tenantId, { email })
    await disabledIn.owner.patch(`/users/${gone.id}`, { disabled: true })
    const answer = await logIn(api, email)
    expect(answer).toMatchObject({ status: 409, body: { code: 'auth_tenant_required' } })
    expect(answer.body.tenants).toEqual([
      { id: first.tenantId, name: 'First' },
      { id: second.tenantId, name: 'Second' },
    ])
    expect((await logIn(api, email, password, { tenantId: second.tenantId })).body.user.id).toBe(inSecond.id)
    expect((await logIn(api, email, password, { tenantId: otherPassword.tenantId })).status).toBe(401)
    expect((await logIn(api, email, 'wrong wrong wrong')).body.tenants).toBeUndefined()
  })

  test.each([
    '🔑🗝🚪🏠🐈🌧🍎🎈🚲🛶',
    'ﺍﻟﺴﻼﻡ عليكم ورحمة',
    'Ünïcödé pässwörd',
    'twelve ancient marbles '.repeat(9).slice(0, 200),
    "' or 1=1 -- \\ %",
    '  quiet  moss  ',
  ])('200 for the password %j, also when another keyboard composes it differently', async chosen => {
    const email = `strange${Math.random()}@example.com`
    const owner = { name: 'O', email, password: chosen }
    expect((await api.anonymous.post('/workspaces', { name: 'W', owner })).status).toBe(201)
    expect((await logIn(api, email, chosen)).status).toBe(200)
    expect((await logIn(api, email, chosen.normalize('NFD'))).status).toBe(200)
  })
  test('401 for nearly the password', async () => {
    const { email } = await createTestUser(api, (await api.workspace()).tenantId)
    const near = [
      password.toUpperCase(),
      `${password} `,
      ` ${password}`,
      password.slice(0, -1),
      `${password}x`,
    ]
    const answers = await Promise.all(near.map(given => logIn(api, email, given)))
    expect(answers.map(one => one.status)).toEqual([401, 401, 401, 401, 401])
  })

  test.each([
    { email: 'a@b.example', password: 'x'.repeat(201) },
    { email: 'a@b.example', password: '' },
    { email: 'a@b.example', password: null },
    { email: 'a@b.example', password: ['x'] },
    { email: 'nobody', password },
    { email: `${'x'.repeat(250)}@b.example`, password },
    { email: 'a@b.example', password, tenantId: 1 },
    { email: 'a@b.example', password, extra: 1 },
    {},
  ])('400 for what is no login at all', async body => {
    expect((await api.anonymous.post('/auth/login', body)).status).toBe(400)
  })
  test('400 for a NUL, an unpaired surrogate and broken JSON', async () => {
    for (const text of [
      '{"email":"a@b.example","password":"\\u0000abcdefghij"}',
      '{"email":"a@b.example","password":"\\ud800abc"}',
      '{"email"',
    ])
      expect((await api.anonymous.post('/auth/login', text)).status).toBe(400)
  })

  test('a login that meets a disabling is refused or ended, and stays so when they are enabled again', async () => {
    const meet = async (_: unknown, round: number) => {
      const { tenantId, owner } = await api.workspace()
      const { id, email } = await createTestUser(api, tenantId)
      const login = logIn(api, email)
      await sleep(round * 15)
      await other.as(owner).patch(`/users/${id}`, { disabled: true })
      const { status, body } = await login
      await owner.patch(`/users/${id}`, { disabled: false })
      expect([200, 401]).toContain(status)
      if (status === 401) return
      expect((await me(body.accessToken)).status).toBe(401)
      expect((await refresh(body.refreshToken)).status).toBe(401)
    }
    await Promise.all(Array.from({ length: 12 }, meet))
  })
})

describe('POST /auth/refresh', () => {
  test('200 gives a new pair; the login goes on', async () => {
    const first = await loggedIn()
    const second = await refresh(first.refreshToken)
    expect(second).toMatchObject({ status: 200, body: { tokenType: 'Bearer', user: { id: first.id } } })
    expect(second.body.refreshToken).not.toBe(first.refreshToken)
    expect((await me(first.accessToken)).status).toBe(200)
    expect((await me(second.body.accessToken)).status).toBe(200)
    expect((await refresh(second.body.refreshToken)).status).toBe(200)
  })

  test('401 for a used token, which ends the family: its tokens of both kinds, old and new', async () => {
    const first = await loggedIn()
    const bystander = await logIn(api, first.email)
    const second = (await refresh(first.refreshToken)).body
    const third = (await refresh(second.refreshToken, other)).body
    expect(await refresh(first.refreshToken)).toMatchObject({
      status: 401,
      body: { code: 'auth_refresh_token_invalid' },
    })
    for (const { accessToken } of [first, second, third]) expect((await me(accessToken)).status).toBe(401)
    for (const { refreshToken } of [first, second, third])
      expect((await refresh(refreshToken)).status).toBe(401)
    // Their other logins are not touched.
    expect((await me(bystander.body.accessToken)).status).toBe(200)
    const log = await first.owner.get(`/audit-log?action=login.revoked&targetId=${first.id}`)
    expect(log.body.items).toMatchObject([
      { actorType: 'system', actorId: null, details: { reason: 'refresh_token_reused' } },
    ])
  })

  test('of two concurrent uses one succeeds, the other is a reuse and revokes the session', async () => {
    for (let round = 0; round < 10; round++) {
      const first = await loggedIn()
      const answers = await Promise.all([refresh(first.refreshToken), refresh(first.refreshToken, other)])
      expect(answers.map(one => one.status).sort()).toEqual([200, 401])
      const won = answers.find(one => one.status === 200)!
      expect((await refresh(won.body.refreshToken)).status).toBe(401)
    }
  })

  test('401 thirty days after the login, however often it was refreshed', async () => {
    const first = await loggedIn()
    clock.advance(29 * day)
    const second = await refresh(first.refreshToken)
    expect(second.status).toBe(200)
    clock.advance(day + 1000)
    expect((await refresh(second.body.refreshToken)).status).toBe(401)
    expect((await me(second.body.accessToken)).status).toBe(401)
  })

  test('401 for an access token after 15 minutes, while its login goes on', async () => {
    const first = await loggedIn()
    expect((await me(first.accessToken)).status).toBe(200)
    clock.advance(14 * 60_000)
    expect((await me(first.accessToken)).status).toBe(200)
    clock.advance(61_000)
    expect((await me(first.accessToken)).status).toBe(401)
    expect((await refresh(first.refreshToken)).status).toBe(200)
  })

  test('401 for a disabled user, also after they are enabled again', async () => {
    const { owner, id, refreshToken, accessToken } = await loggedIn()
    await owner.patch(`/users/${id}`, { disabled: true })
    expect((await refresh(refreshToken)).status).toBe(401)
    await owner.patch(`/users/${id}`, { disabled: false })
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await me(accessToken)).status).toBe(401)
  })

  test('401 for nonsense and for an access token; 400 for no token', async () => {
    const { accessToken } = await loggedIn()
    for (const token of ['rt_', 'x', accessToken.slice(0, 200), '🙂', "' or 1=1"])
      expect((await refresh(token)).status).toBe(401)
    expect((await refresh('')).status).toBe(400)
    expect((await refresh('x'.repeat(201))).status).toBe(400)
  })
})

describe('POST /auth/logout', () => {
  test('204 ends this session immediately and no other', async () => {
    const first = await loggedIn()
    const second = (await logIn(api, first.email)).body
    expect((await clientWithToken(api, first.accessToken).post('/auth/logout')).status).toBe(204)
    expect((await me(first.accessToken)).status).toBe(401)
    expect((await refresh(first.refreshToken)).status).toBe(401)
    expect((await me(second.accessToken)).status).toBe(200)
    expect((await clientWithToken(api, first.accessToken).post('/auth/logout')).status).toBe(401)
  })
  test('204 for a key, which goes on', async () => {
    const key = await (await api.workspace()).key()
    expect((await key.post('/auth/logout')).status).toBe(204)
    expect((await key.get('/users')).status).toBe(200)
  })
})

describe('what is kept', () => {
  test('neither passwords nor refresh tokens, but hashes', async () => {
    const { refreshToken, email } = await loggedIn()
    const tables = ['users', 'auth_sessions', 'refresh_tokens', 'token_buckets', 'audit_log']
    for (const table of tables) {
      const rows = await db.unprepared(sql`select * from ${raw(table)}`)
      const text = JSON.stringify(rows)
      expect(text).not.toContain(refreshToken)
      expect(text).not.toContain(password)
      if (table === 'token_buckets') expect(text).not.toContain(email)
    }
    const { hash } = await db.one<{ hash: string }>(
      sql`select password_hash as hash from users where email = ${email}`,
    )
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('a forged access token', () => {
  test('401 for another key, no signature, other claims and a longer life', async () => {
    const { accessToken } = await loggedIn()
    const [header, payload, signature] = accessToken.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      `${header}.${part({ ...claims, exp: claims.exp + 9999 })}.${signature}`,
      `${header}.${part({ ...claims, sub: 'usr_other' })}.${signature}`,
      `${part({ alg: 'none' })}.${payload}.`,
      `${part({ alg: 'none' })}.${payload}.${signature}`,
      `${part({ alg: 'HS256' })}.${payload}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      '..',
      'a.b.c',
    ]
    for (const token of forged) expect((await me(token)).status, token).toBe(401)
    expect((await me(accessToken)).status).toBe(200)
  })
})
