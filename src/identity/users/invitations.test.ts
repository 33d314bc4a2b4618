/** Invitations: shown once, used once, limited to the rights of their creator. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { hashSecret } from '../auth/tokens.ts'
import { clientWithToken, logIn, postFrom } from '../testing/users.ts'

const api = await testApi()
const other = await api.another()
const { db, clock } = api.deps
const day = 86_400_000
const said = (answer: ApiResponse) => `${answer.status} ${answer.body.code ?? ''}`.trim()
let n = 0
const email = () => `guest${n++}@example.com`
const password = 'a password of ones own'

async function invite(by: Client, more: object = {}): Promise<{ token: string; invitation: { id: string } }> {
  const answer = await by.post('/users/invitations', { email: email(), role: 'agent', ...more })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
let addresses = 0
/** Accepts from a new address each time: one address may accept sixty a minute. */
function accept(token: string, more: object = {}, at = api): Promise<ApiResponse> {
  const address = `127.60.${++addresses >> 8}.${addresses & 255}`
  return postFrom(address, at, '/auth/invitations/accept', { token, name: 'Guest', password, ...more })
}

describe('POST /users/invitations', () => {
  test('201 with a token shown here and nowhere else', async () => {
    const { owner, teamId } = await api.workspace()
    const address = email()
    const body = { email: address, role: 'admin', teamIds: [teamId] }
    const once = { 'idempotency-key': 'one' }
    const answer = await owner.post('/users/invitations', body, once)
    expect(answer).toMatchObject({ status: 201, body: { invitation: { email: address, role: 'admin' } } })
    const { token, invitation } = answer.body
    expect(token).toMatch(/^inv_[0-9a-z]{26}_[0-9A-Za-z]{43}$/)
    expect(Date.parse(invitation.expiresAt) - clock.now().getTime()).toBeGreaterThan(7 * day - 60_000)
    const again = await owner.post('/users/invitations', body, once)
    expect(again).toMatchObject({ status: 409, body: { code: 'idempotency_secret_consumed' } })
    expect(again.body.created).toEqual({ invitation })
    const rows = await db.rows<{ token_hash: Buffer }>(
      sql`select * from invitations where id = ${invitation.id}`,
    )
    expect(rows[0]!.token_hash).toEqual(hashSecret(token))
    const kept = JSON.stringify([
      rows,
      await db.rows(sql`select * from idempotency_keys`),
      (await owner.get('/audit-log')).body,
    ])
    expect(kept).not.toContain(token.slice(4))
  })

  test.each([
    {},
    { email: 'x@example.com' },
    { email: 'x', role: 'agent' },
    { email: 'x@example.com', role: 'king' },
    { email: 'x@example.com', role: 'agent', teamIds: ['team_none'] },
    { email: 'x@example.com', role: 'agent', teamIds: Array.from({ length: 101 }, (_, i) => `team_${i}`) },
    { email: `${'x'.repeat(300)}@example.com`, role: 'agent' },
    { email: 'two@at@example.com', role: 'agent' },
    { email: 'a@example.com\nbcc: b@example.com', role: 'agent' },
  ])('400 for %j', async body => {
    const { owner } = await api.workspace()
    expect(said(await owner.post('/users/invitations', body))).toBe('400 validation_failed')
  })
  test('400 names the team of another workspace as unknown', async () => {
    const [mine, theirs] = [await api.workspace(), await api.workspace()]
    const body = { email: email(), role: 'agent', teamIds: [mine.teamId, theirs.teamId] }
    expect((await mine.owner.post('/users/invitations', body)).body.violations).toMatchObject([
      { field: 'teamIds[1]', code: 'unknown_team' },
    ])
  })
  test('409 for the address of an existing user, in any spelling', async () => {
    const { owner } = await api.workspace()
    const { body } = await owner.get('/users/me')
    const asked = { email: body.email.toUpperCase(), role: 'agent' }
    expect(said(await owner.post('/users/invitations', asked))).toBe('409 auth_email_taken')
  })
})

describe('POST /auth/invitations/accept', () => {
  test('200 makes the promised user, logged in, with an address that is not thereby verified', async () => {
    const { owner, teamId } = await api.workspace()
    const address = email()
    const { token } = await invite(owner, { email: address, role: 'admin', teamIds: [teamId] })
    const { status, body } = await accept(token, { name: '🙂 ‮Guest' })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      email: address,
      name: '🙂 ‮Guest',
      role: 'admin',
      teamIds: [teamId],
      provider: 'password',
      emailVerified: false,
      disabled: false,
    })
    expect((await clientWithToken(api, body.accessToken).get('/audit-log')).status).toBe(200)
    expect((await logIn(api, address, password)).status).toBe(200)
  })

  test('400 for a used, an unknown and an expired one, all alike', async () => {
    const { owner } = await api.workspace()
    const [used, old] = [await invite(owner), await invite(owner)]
    expect((await accept(used.token)).status).toBe(200)
    const answers = [
      await accept(used.token),
      await accept('inv_nothing'),
      await accept(`${used.token}x`),
      await accept('🙂'),
      await accept(hashSecret(old.token).toString('hex')),
    ]
    clock.advance(7 * day + 1000)
    answers.push(await accept(old.token))
    for (const answer of answers) expect(said(answer)).toBe('400 auth_invitation_invalid')
  })

  test('200 once of twenty at the same time: one user', async () => {
    const { owner } = await api.workspace()
    const { token } = await invite(owner)
    const twenty = await Promise.all(
      Array.from({ length: 20 }, (_, i) => accept(token, { name: `Guest ${i}` }, i % 2 ? api : other)),
    )
    expect(twenty.map(said).sort()).toEqual(['200', ...Array(19).fill('400 auth_invitation_invalid')])
    expect((await owner.get('/users')).body.users).toHaveLength(2)
  })

  test('400 if the user has joined with another invitation', async () => {
    const { owner } = await api.workspace()
    const address = email()
    const [first, second] = [
      await invite(owner, { email: address }),
      await invite(owner, { email: address.toUpperCase() }),
    ]
    expect((await accept(first.token)).status).toBe(200)
    expect(said(await accept(second.token))).toBe('400 auth_invitation_invalid')
    expect((await owner.get('/users')).body.users).toHaveLength(2)
  })

  test('200 without the teams that were deleted meanwhile', async () => {
    const { owner, teamId } = await api.workspace()
    const team = (await owner.post('/teams', { name: 'Short-lived' })).body
    const { token } = await invite(owner, { teamIds: [team.id, teamId] })
    await owner.delete(`/teams/${team.id}`)
    expect((await accept(token)).body.user.teamIds).toEqual([teamId])
  })
  test('200 while its team is being deleted', async () => {
    const { owner } = await api.workspace()
    const rounds = Array.from({ length: 8 }, async (_, i) => {
      const team = (await owner.post('/teams', { name: `Doomed ${i}` })).body
      const { token } = await invite(owner, { teamIds: [team.id] })
      const [accepted, deleted] = await Promise.all([
        accept(token),
        new Promise(resolve => setTimeout(resolve, 20 + i * 10)).then(() =>
          owner.delete(`/teams/${team.id}`),
        ),
      ])
      expect([accepted.status, deleted.status]).toEqual([200, 204])
    })
    await Promise.all(rounds)
  })

  test.each([
    { password: 'short' },
    { password: 'x'.repeat(201) },
    { name: '' },
    { name: ' ' },
    { token: '' },
    { token: 'x'.repeat(201) },
    { role: 'owner' },
    { email: 'other@example.com' },
  ])('400 for %j', async more => {
    const { owner } = await api.workspace()
    const { token } = await invite(owner)
    expect(said(await accept(token, more))).toBe('400 validation_failed')
    expect((await accept(token)).status).toBe(200)
  })
})

describe('an invitation is worth what its giver is', () => {
  const invalid = '400 auth_invitation_invalid'
  test('400 after the admin who gave it was disabled, demoted, or their key deleted', async () => {
    const ws = await api.workspace()
    const [disabled, demoted, robot] = [await ws.user('admin'), await ws.user('admin'), await ws.key()]
    const [a, b, c] = [await invite(disabled), await invite(demoted), await invite(robot)]
    const kept = await invite(ws.owner)
    await ws.owner.patch(`/users/${disabled.id}`, { disabled: true })
    await ws.owner.put(`/users/${demoted.id}/role`, { role: 'agent' })
    await ws.owner.delete(`/service-accounts/${robot.id}`)
    for (const { token } of [a, b, c]) expect(said(await accept(token))).toBe(invalid)
    expect((await accept(kept.token)).status).toBe(200)
  })
  test('400 for an owner invited by one who is an owner no more', async () => {
    const ws = await api.workspace()
    const second = await ws.user('owner')
    const { token } = await invite(second, { role: 'owner' })
    await ws.owner.put(`/users/${second.id}/role`, { role: 'admin' })
    expect(said(await accept(token))).toBe(invalid)
  })
  test('200 after the giver rose', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const { token } = await invite(admin)
    await ws.owner.put(`/users/${admin.id}/role`, { role: 'owner' })
    expect((await accept(token)).status).toBe(200)
  })
  test('none is left of one given at the moment of being disabled', async () => {
    for (let round = 0; round < 10; round++) {
      const ws = await api.workspace()
      const admin = await ws.user('admin')
      const [given] = await Promise.all([
        other.as(admin).post('/users/invitations', { email: email(), role: 'admin' }),
        ws.owner.patch(`/users/${admin.id}`, { disabled: true }),
      ])
      if (given.status === 201) expect(said(await accept(given.body.token))).toBe(invalid)
      else expect([401, 403]).toContain(given.status)
    }
  })
})

describe('pending invitations', () => {
  test('GET lists those that nobody has accepted, newest first, in pages', async () => {
    const { owner, teamId } = await api.workspace()
    const accepted = await invite(owner)
    const first = await invite(owner, { teamIds: [teamId], role: 'admin' })
    const second = await invite(owner)
    await accept(accepted.token)
    const page = await owner.get('/users/invitations?limit=1')
    expect(page).toMatchObject({
      status: 200,
      body: { items: [{ id: second.invitation.id, createdBy: owner.id }], hasMore: true },
    })
    expect(JSON.stringify(page.body)).not.toContain(second.token.slice(4))
    const next = await owner.get(
      `/users/invitations?limit=1&cursor=${encodeURIComponent(page.body.nextCursor)}`,
    )
    expect(next.body).toMatchObject({
      items: [{ id: first.invitation.id, role: 'admin', teamIds: [teamId] }],
      hasMore: false,
      nextCursor: null,
    })
  })

  test('DELETE makes the token invalid; 404 when repeated or accepted', async () => {
    const { owner } = await api.workspace()
    const { token, invitation } = await invite(owner)
    expect((await owner.delete(`/users/invitations/${invitation.id}`)).status).toBe(204)
    expect(said(await accept(token))).toBe('400 auth_invitation_invalid')
    expect(said(await owner.delete(`/users/invitations/${invitation.id}`))).toBe(
      '404 auth_invitation_not_found',
    )
    const used = await invite(owner)
    await accept(used.token)
    expect(said(await owner.delete(`/users/invitations/${used.invitation.id}`))).toBe(
      '404 auth_invitation_not_found',
    )
    expect((await owner.get(`/audit-log?targetId=${invitation.id}`)).body.items).toMatchObject([
      { action: 'user.invitation_revoked', details: { email: expect.any(String) } },
      { action: 'user.invited' },
    ])
  })

  test('POST renew replaces the token, also of an expired invitation', async () => {
    const ws = await api.workspace()
    const key = await ws.key()
    const { token, invitation } = await invite(key)
    clock.advance(8 * day)
    const renewed = await key.post(`/users/invitations/${invitation.id}/renew`)
    expect(renewed).toMatchObject({ status: 200, body: { invitation: { id: invitation.id } } })
    expect(said(await accept(token))).toBe('400 auth_invitation_invalid')
    expect((await accept(renewed.body.token)).status).toBe(200)
    expect(said(await key.post(`/users/invitations/${invitation.id}/renew`))).toBe(
      '404 auth_invitation_not_found',
    )
  })

  test('403 for an admin who renews the invitation of an owner', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const { invitation } = await invite(ws.owner, { role: 'owner' })
    expect(said(await admin.post(`/users/invitations/${invitation.id}/renew`))).toBe(
      '403 auth_grant_exceeds_caller',
    )
  })
})

describe('the address of a disabled user', () => {
  test('can be invited again; accepting enables the user with the new role, teams and password', async () => {
    const { owner, teamId } = await api.workspace()
    const address = email()
    const { user } = (await accept((await invite(owner, { email: address, teamIds: [teamId] })).token)).body
    await owner.patch(`/users/${user.id}`, { disabled: true })
    const again = await invite(owner, { email: address.toUpperCase(), role: 'admin' })
    const joined = await accept(again.token, { name: 'Back again', password: 'entirely other words' })
    expect(joined).toMatchObject({
      status: 200,
      body: { user: { id: user.id, name: 'Back again', role: 'admin', teamIds: [], disabled: false } },
    })
    expect((await logIn(api, address, password)).status).toBe(401)
    expect((await logIn(api, address, 'entirely other words')).status).toBe(200)
  })

  test('403 for an admin when the user is an owner; 409 once the user is enabled', async () => {
    const ws = await api.workspace()
    const address = email()
    const { user } = (await accept((await invite(ws.owner, { email: address, role: 'owner' })).token)).body
    await ws.owner.patch(`/users/${user.id}`, { disabled: true })
    const asked = { email: address, role: 'agent' }
    const admin = await ws.user('admin')
    expect(said(await admin.post('/users/invitations', asked))).toBe(
      '403 auth_user_role_assignment_forbidden',
    )
    const { token } = await invite(ws.owner, asked)
    await ws.owner.patch(`/users/${user.id}`, { disabled: false })
    expect(said(await ws.owner.post('/users/invitations', asked))).toBe('409 auth_email_taken')
    expect(said(await accept(token))).toBe('400 auth_invitation_invalid')
  })
})

test('400 weak_password for an easy password, without using up the invitation', async () => {
  const { owner } = await api.workspace()
  const { token } = await invite(owner)
  const refused = await accept(token, { password: 'Welcome2024!' })
  expect(refused).toMatchObject({
    status: 400,
    body: { violations: [{ field: 'password', code: 'weak_password' }] },
  })
  expect((await accept(token)).status).toBe(200)
})
