/** Tests the second factor: setup, log-ins with codes and recovery codes, limits, removal and enforcement. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, testApi, type Workspace } from '../../../test/harness/api.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import type { Role } from '../../platform/http/caller.ts'
import { clientWithToken, createTestUser, logIn, password, type TestUser } from '../testing/users.ts'
import { createChallenge } from './second-factor.ts'
import { computeCode, getStep } from './totp.ts'

const api = await testApi()
const { clock, db } = api.deps
const code = ({ status, body }: ApiResponse) => `${status} ${body.code ?? ''}`.trim()

function fromBase32(text: string): Buffer {
  const bits = [...text].map(sign =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}
const codeAt = (secret: string, steps = 0) => computeCode(fromBase32(secret), getStep(clock.now()) + steps)

async function createUser(ws: Workspace, role: Role = 'agent') {
  const user = await createTestUser(api, ws.tenantId, { role })
  const { accessToken } = (await logIn(api, user.email)).body
  return { user, client: clientWithToken(api, accessToken) }
}

async function enable(client: { post: (path: string, body?: unknown) => Promise<ApiResponse> }) {
  const { secret, uri } = (await client.post('/users/me/second-factor', { password })).body
  const confirmed = await client.post('/users/me/second-factor/confirm', { code: codeAt(secret) })
  expect(confirmed.status).toBe(200)
  // The confirming code is used up.
  clock.advance(30_000)
  return {
    secret: secret as string,
    uri: uri as string,
    recoveryCodes: confirmed.body.recoveryCodes as string[],
  }
}

async function challengeOf(user: TestUser): Promise<string> {
  const answer = await logIn(api, user.email)
  expect(code(answer)).toBe('409 auth_second_factor_code_required')
  return answer.body.challenge
}
const complete = (challenge: string, given: string) =>
  api.anonymous.post('/auth/second-factor', { challenge, code: given })

describe('setup', () => {
  test('a secret has no effect until it is confirmed; confirming ends the other sessions', async () => {
    const ws = await api.workspace('Blue Harbour')
    const { user, client } = await createUser(ws)
    expect(code(await client.post('/users/me/second-factor', { password: 'not the password' }))).toBe(
      '403 auth_password_wrong',
    )
    const { secret, uri } = (await client.post('/users/me/second-factor', { password })).body
    expect(uri).toBe(
      `otpauth://totp/${encodeURIComponent(`Blue Harbour:${user.email}`)}?secret=${secret}&issuer=Blue%20Harbour`,
    )
    const second = await logIn(api, user.email)
    expect(second.status).toBe(200)
    expect(code(await client.post('/users/me/second-factor/confirm', { code: codeAt(secret, 5) }))).toBe(
      '401 auth_second_factor_failed',
    )
    const confirmed = await client.post('/users/me/second-factor/confirm', { code: codeAt(secret) })
    expect(confirmed.body.recoveryCodes).toHaveLength(10)
    expect((await clientWithToken(api, second.body.accessToken).get('/users/me')).status).toBe(401)
    expect((await client.get('/users/me/second-factor')).body).toEqual({
      enabled: true,
      enabledAt: expect.any(String),
      recoveryCodesLeft: 10,
      required: false,
    })
    expect(code(await client.post('/users/me/second-factor', { password }))).toBe(
      '409 auth_second_factor_enabled',
    )
    const stored = await Promise.all(
      ['second_factors', 'recovery_codes', 'audit_log'].map(table =>
        db.rows(sql`select t::text from ${raw(table)} t`),
      ),
    )
    const text = JSON.stringify(stored)
    for (const plain of [secret, fromBase32(secret).toString('hex'), ...confirmed.body.recoveryCodes])
      expect(text).not.toContain(plain)
  })
})

describe('login', () => {
  test('200 with a code, each accepted once; no session before', async () => {
    const { user, client } = await createUser(await api.workspace())
    const { secret } = await enable(client)
    const challenge = await challengeOf(user)
    const given = codeAt(secret)
    const answers = await Promise.all([1, 2, 3].map(() => complete(challenge, given)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const { accessToken, user: shown } = answers.find(({ status }) => status === 200)!.body
    expect(shown.id).toBe(user.id)
    expect((await clientWithToken(api, accessToken).get('/users/me')).status).toBe(200)
    expect(code(await complete(await challengeOf(user), given))).toBe('401 auth_second_factor_failed')
    clock.advance(30_000)
    expect((await complete(challenge, codeAt(secret))).status).toBe(200)
  })

  test('200 with a recovery code, each once, also without hyphens and in upper case', async () => {
    const { user, client } = await createUser(await api.workspace())
    const { recoveryCodes } = await enable(client)
    const [first, second] = recoveryCodes as [string, string]
    const challenge = await challengeOf(user)
    expect((await complete(challenge, first)).status).toBe(200)
    expect((await complete(challenge, first)).status).toBe(401)
    expect((await complete(challenge, second.replaceAll('-', '').toUpperCase())).status).toBe(200)
    expect((await client.get('/users/me/second-factor')).body.recoveryCodesLeft).toBe(8)
    const renewed = await client.post('/users/me/second-factor/recovery-codes', { password })
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await complete(challenge, recoveryCodes[2]!)).status).toBe(401)
  })

  test('401 for a forged or expired challenge and after the password has changed', async () => {
    const { user, client } = await createUser(await api.workspace())
    const { secret } = await enable(client)
    const challenge = await challengeOf(user)
    const middle = Math.floor(challenge.length / 2)
    const forged = `${challenge.slice(0, middle)}${challenge[middle] === 'A' ? 'B' : 'A'}${challenge.slice(middle + 1)}`
    expect(code(await complete(forged, codeAt(secret)))).toBe('401 auth_challenge_expired')
    const change = { current: password, new: 'entirely other words' }
    expect((await client.put('/users/me/password', change)).status).toBe(204)
    expect(code(await complete(challenge, codeAt(secret)))).toBe('401 auth_challenge_expired')
    const late = (await logIn(api, user.email, 'entirely other words')).body.challenge
    clock.advance(301_000)
    expect(code(await complete(late, codeAt(secret)))).toBe('401 auth_challenge_expired')
  })

  test('401 for a challenge while it has more than five minutes left', async () => {
    const { user, client } = await createUser(await api.workspace())
    const { secret } = await enable(client)
    const [account] = await db.rows<{ passwordHash: string }>(
      sql`select password_hash as "passwordHash" from users where id = ${user.id}`,
    )
    const later = { ...clock, now: () => new Date(clock.now().getTime() + 60_000) }
    const challenge = createChallenge({ ...api.deps, clock: later }, { ...user, ...account! })
    expect(code(await complete(challenge, codeAt(secret)))).toBe('401 auth_challenge_expired')
    clock.advance(60_000)
    expect((await complete(challenge, codeAt(secret))).status).toBe(200)
  })

  test('429 after five wrong codes; wrong codes are in the audit log', async () => {
    const ws = await api.workspace()
    const { user, client } = await createUser(ws)
    const { secret } = await enable(client)
    const challenge = await challengeOf(user)
    const wrong = codeAt(secret, 9)
    for (let n = 0; n < 5; n++) expect((await complete(challenge, wrong)).status).toBe(401)
    const limited = await complete(challenge, codeAt(secret))
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
    clock.advance(60_000)
    expect((await complete(challenge, codeAt(secret))).status).toBe(200)
    const failures = await ws.owner.get(`/audit-log?targetId=${user.id}&action=login.second_factor_failed`)
    expect(failures.body.items).toHaveLength(5)
  })
})

describe('removal', () => {
  test('the user disables it with the password; an administrator removes it and ends the sessions', async () => {
    const ws = await api.workspace()
    const { user, client } = await createUser(ws)
    await enable(client)
    expect((await client.post('/users/me/second-factor/disable', { password: 'wrong' })).status).toBe(403)
    expect((await client.post('/users/me/second-factor/disable', { password })).status).toBe(204)
    expect(code(await client.post('/users/me/second-factor/disable', { password }))).toBe(
      '409 auth_second_factor_not_enabled',
    )
    await enable(client)
    expect((await ws.owner.delete(`/users/${user.id}/second-factor`)).status).toBe(204)
    expect((await client.get('/users/me')).status).toBe(401)
    expect((await logIn(api, user.email)).status).toBe(200)
  })

  test('403 for an admin on an owner; 400 for yourself', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    expect(code(await admin.delete(`/users/${ws.owner.id}/second-factor`))).toBe(
      '403 auth_user_role_assignment_forbidden',
    )
    expect(code(await admin.delete(`/users/${admin.id}/second-factor`))).toBe(
      '400 auth_user_self_second_factor_removal_forbidden',
    )
  })
})

describe('enforcement', () => {
  test('users without a second factor, also the owner, can only set one up; keys are not affected', async () => {
    const ws = await api.workspace()
    const { user, client } = await createUser(ws, 'owner')
    const key = await ws.key()
    expect((await client.get('/workspace')).body).toMatchObject({
      id: ws.tenantId,
      secondFactorRequired: false,
    })
    expect((await client.patch('/workspace', { secondFactorRequired: true })).body).toMatchObject({
      secondFactorRequired: true,
    })
    for (const refused of [
      await client.get('/users'),
      await client.patch('/workspace', { secondFactorRequired: false }),
      await client.put(`/users/${ws.owner.id}/role`, { role: 'agent' }),
      await client.post('/realtime/tickets'),
    ])
      expect(code(refused)).toBe('403 auth_second_factor_missing')
    expect((await key.get('/users')).status).toBe(200)
    const again = await logIn(api, user.email)
    expect(again.status).toBe(200)
    const fresh = clientWithToken(api, again.body.accessToken)
    expect((await fresh.get('/users/me')).status).toBe(200)
    expect((await fresh.get('/users/me/second-factor')).body).toMatchObject({
      enabled: false,
      required: true,
    })
    await enable(fresh)
    expect((await fresh.get('/users')).status).toBe(200)
    expect(code(await fresh.post('/users/me/second-factor/disable', { password }))).toBe(
      '409 auth_second_factor_mandatory',
    )
    expect((await fresh.patch('/workspace', { secondFactorRequired: false })).status).toBe(200)
    const entries = (await key.get('/audit-log?action=workspace.updated')).body.items
    expect(entries).toMatchObject([
      { details: { secondFactorRequired: { from: true, to: false } } },
      { details: { secondFactorRequired: { from: false, to: true } } },
    ])
  })
})
