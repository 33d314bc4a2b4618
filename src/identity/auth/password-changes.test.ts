/** Tests changes of passwords by users and by administrators. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { clientWithToken, createTestUser, logIn, password } from '../testing/users.ts'

const api = await testApi()
const other = await api.another()
const { clock, db } = api.deps
const newPassword = 'entirely other words'
const code = ({ status, body }: ApiResponse) => `${status} ${body.code ?? ''}`.trim()

async function createLoggedInUser(role: 'owner' | 'admin' | 'agent' = 'agent') {
  const ws = await api.workspace()
  const user = await createTestUser(api, ws.tenantId, { role })
  const { accessToken, refreshToken } = (await logIn(api, user.email)).body
  return { ws, user, client: clientWithToken(api, accessToken), refreshToken }
}

describe('PUT /users/me/password', () => {
  test('204 replaces the password and ends the other sessions, not this one', async () => {
    const { ws, user, client } = await createLoggedInUser()
    const second = clientWithToken(other, (await logIn(other, user.email)).body.accessToken)
    expect((await client.put('/users/me/password', { current: password, new: newPassword })).status).toBe(204)
    expect((await client.get('/users/me')).status).toBe(200)
    await expect.poll(async () => (await second.get('/users/me')).status).toBe(401)
    expect((await logIn(api, user.email)).status).toBe(401)
    expect((await logIn(api, user.email, newPassword)).status).toBe(200)
    const entries = (await ws.owner.get(`/audit-log?targetId=${user.id}`)).body.items
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'login.succeeded',
      'user.password_changed',
      'login.succeeded',
      'login.succeeded',
    ])
    expect(JSON.stringify(entries)).not.toContain(newPassword)
  })

  test('403 for a wrong current password, then 429 like failed logins', async () => {
    const { client, user } = await createLoggedInUser()
    const attempt = () => client.put('/users/me/password', { current: 'not the password', new: newPassword })
    for (let n = 0; n < 10; n++) expect(code(await attempt())).toBe('403 auth_password_wrong')
    expect((await attempt()).status).toBe(429)
    expect((await logIn(api, user.email)).status).toBe(429)
  })

  test.each([
    ['Password123!', 'weak_password'],
    ['short', 'too_short'],
  ])('400 for %s', async (weak, violation) => {
    const { client, user } = await createLoggedInUser()
    const refused = await client.put('/users/me/password', { current: password, new: weak })
    expect(refused.body.violations).toMatchObject([{ field: 'new', code: violation }])
    expect((await logIn(api, user.email)).status).toBe(200)
  })

  test('of concurrent changes exactly one succeeds', async () => {
    const { client } = await createLoggedInUser()
    const answers = await Promise.all(
      [1, 2, 3].map(n => client.put('/users/me/password', { current: password, new: `${newPassword} ${n}` })),
    )
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(2)
  })
})

describe('POST /users/{userId}/password-reset', () => {
  test('201 with a token that sets a new password once and ends all sessions', async () => {
    const { ws, user, client, refreshToken } = await createLoggedInUser()
    const admin = await ws.user('admin')
    const once = { 'idempotency-key': 'once' }
    const created = await admin.post(`/users/${user.id}/password-reset`, undefined, once)
    expect(created).toMatchObject({
      status: 201,
      body: { token: expect.stringMatching(/^pwr_[0-9a-z]{26}_\w{43}$/) },
    })
    const { token, expiresAt } = created.body
    expect(await admin.post(`/users/${user.id}/password-reset`, undefined, once)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_secret_consumed', created: { expiresAt } },
    })
    expect((await logIn(api, user.email)).status).toBe(200)
    const set = () => api.anonymous.post('/auth/password-reset', { token, password: newPassword })
    const answers = await Promise.all([set(), set(), set()])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400])
    expect(code(await set())).toBe('400 auth_password_reset_invalid')
    expect((await client.get('/users/me')).status).toBe(401)
    expect((await api.anonymous.post('/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await logIn(api, user.email)).status).toBe(401)
    expect((await logIn(api, user.email, newPassword)).status).toBe(200)
    const stored = await db.rows(
      sql`select t::text from idempotency_keys t union all select t::text from audit_log t`,
    )
    expect(JSON.stringify(stored)).not.toContain(token.slice(4))
  })

  test('a new token replaces the old one; a token expires after a day', async () => {
    const { ws, user } = await createLoggedInUser()
    const issue = async () => (await ws.owner.post(`/users/${user.id}/password-reset`)).body.token as string
    const use = async (token: string) =>
      code(await api.anonymous.post('/auth/password-reset', { token, password: newPassword }))
    const [first, second] = [await issue(), await issue()]
    expect(await use(first)).toBe('400 auth_password_reset_invalid')
    clock.advance(25 * 3_600_000)
    expect(await use(second)).toBe('400 auth_password_reset_invalid')
    expect(await use('pwr_unknown')).toBe('400 auth_password_reset_invalid')
  })

  test('400 weak_password keeps the token valid', async () => {
    const { ws, user } = await createLoggedInUser()
    const { token } = (await ws.owner.post(`/users/${user.id}/password-reset`)).body
    const weak = await api.anonymous.post('/auth/password-reset', { token, password: 'qwertyuiop12' })
    expect(weak.body.violations).toMatchObject([{ field: 'password', code: 'weak_password' }])
    expect((await api.anonymous.post('/auth/password-reset', { token, password: newPassword })).status).toBe(
      204,
    )
  })

  test('403 for admins on owners and for keys with fewer rights than the user; 400 for yourself', async () => {
    const { ws, user } = await createLoggedInUser('admin')
    const admin = await ws.user('admin')
    const path = `/users/${user.id}/password-reset`
    expect(code(await admin.post(`/users/${ws.owner.id}/password-reset`))).toBe(
      '403 auth_user_role_assignment_forbidden',
    )
    const key = await ws.key({ scopes: ['user:update', 'user:list'] })
    expect(code(await key.post(path))).toBe('403 auth_grant_exceeds_caller')
    expect((await admin.post(path)).status).toBe(201)
    expect(code(await admin.post(`/users/${admin.id}/password-reset`))).toBe(
      '400 auth_user_self_password_reset_forbidden',
    )
  })

  test('a token is revoked when its creator is demoted, or the user is promoted or disabled', async () => {
    const { ws, user } = await createLoggedInUser()
    const admin = await ws.user('admin')
    const issue = async () => (await admin.post(`/users/${user.id}/password-reset`)).body.token as string
    const use = async (token: string) =>
      (await api.anonymous.post('/auth/password-reset', { token, password: newPassword })).status
    const beforePromotion = await issue()
    await ws.owner.put(`/users/${user.id}/role`, { role: 'admin' })
    expect(await use(beforePromotion)).toBe(400)
    const beforeDisabling = await issue()
    await ws.owner.patch(`/users/${user.id}`, { disabled: true })
    expect(code(await admin.post(`/users/${user.id}/password-reset`))).toBe('409 auth_user_disabled')
    await ws.owner.patch(`/users/${user.id}`, { disabled: false })
    expect(await use(beforeDisabling)).toBe(400)
    const beforeDemotion = await issue()
    await ws.owner.put(`/users/${admin.id}/role`, { role: 'agent' })
    expect(await use(beforeDemotion)).toBe(400)
  })
})
