/** Invitations: shown once, used once, limited to the rights of their creator. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, testApi } from '../../test/harness/api.ts'
import { sql } from '../platform/db/sql.ts'
import { hashSecret } from './auth/tokens.ts'
import { clientWithToken, logIn } from './testing/users.ts'

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
const accept = (token: string, more: object = {}, at = api) =>
  at.anonymous.post('/auth/invitations/accept', { token, name: 'Guest', password, ...more })

describe('POST /users/invitations', () => {
  test('201 with a token shown here and nowhere else', async () => {
    const { owner, teamId } = await api.workspace()
    const address = email()
    const body = { email: address, role: 'admin', teamIds: [teamId] }
    const once = { 'idempotency-key': 'one' }
    const answer = await owner.post('/users/invitations', body, once)
    expect(answer).toMatchObject({ status: 201, body: { invitation: { email: address, role: 'admin' } } })
    const { token, invitation } = answer.body
    expect(token).toMatch(/^inv_[0-9A-Za-z]{43}$/)
    expect(Date.parse(invitation.expiresAt) - clock.now().getTime()).toBeGreaterThan(7 * day - 60_000)
    const again = await owner.post('/users/invitations', body, once)
    expect(again.body).toEqual({ invitation })
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
    { email: 'x@example.com', role: 'agent', teamIds: null },
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

  test('409 if a user with that address was created first', async () => {
    const { owner } = await api.workspace()
    const address = email()
    const [first, second] = [
      await invite(owner, { email: address }),
      await invite(owner, { email: address.toUpperCase() }),
    ]
    expect((await accept(first.token)).status).toBe(200)
    expect(said(await accept(second.token))).toBe('409 auth_email_taken')
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
    // On the other server: each lets one address accept sixty a minute.
    expect(said(await accept(token, more, other))).toBe('400 validation_failed')
    expect((await accept(token, {}, other)).status).toBe(200)
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
