/** The people of a workspace: what they may see and change of themselves and of each other. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, testApi } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'

const api = await testApi()
const other = await api.another()
const { db } = api.deps
const said = (answer: ApiResponse) => `${answer.status} ${answer.body.code ?? ''}`.trim()
const fields = [
  'avatarUrl',
  'disabled',
  'email',
  'emailVerified',
  'id',
  'joinedAt',
  'name',
  'provider',
  'role',
  'teamIds',
]

describe('GET /users', () => {
  test('200 with everybody of the workspace, newest first, for every role and for keys', async () => {
    const ws = await api.workspace()
    const [admin, agent] = [await ws.user('admin'), await ws.user('agent', [ws.teamId])]
    const ids = [agent.id, admin.id, ws.owner.id]
    const callers = [
      [ws.owner, true],
      [admin, true],
      [agent, false],
      [await ws.key(), true],
      [await ws.key({ role: 'agent' }), false],
    ] as const
    for (const [caller, managesUsers] of callers) {
      const { status, body } = await caller.get('/users')
      expect(status).toBe(200)
      expect(body.users.map((user: { id: string }) => user.id)).toEqual(ids)
      const known = managesUsers ? [...fields, 'lastSeenAt'].sort() : fields
      for (const user of body.users) expect(Object.keys(user).sort()).toEqual(known)
    }
  })

  test('lastSeenAt is the last use of a session, also of one that has ended', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    const read = async () =>
      (await ws.owner.get('/users')).body.users.find(({ id }: { id: string }) => id === agent.id).lastSeenAt
    await db.run(sql`delete from auth_sessions where tenant_id = ${ws.tenantId} and user_id = ${agent.id}`)
    expect(await read()).toBe(null)
    const insert = (id: string, used: string | null, revoked: string | null) =>
      db.run(sql`
        insert into auth_sessions (tenant_id, id, user_id, created_at, expires_at, last_used_at, revoked_at)
        values (${ws.tenantId}, ${id}, ${agent.id}, '2026-01-01Z', '2099-01-01Z', ${used}, ${revoked})`)
    await insert('lgn_1', null, null)
    expect(await read()).toBe('2026-01-01T00:00:00.000Z')
    await insert('lgn_2', '2026-02-03T04:05:06Z', '2026-02-04T00:00:00Z')
    expect(await read()).toBe('2026-02-03T04:05:06.000Z')
  })

  test('200 for one of them, 404 for anyone else', async () => {
    const [ws, theirs] = [await api.workspace(), await api.workspace()]
    const agent = await ws.user('agent')
    expect((await agent.get(`/users/${ws.owner.id}`)).body).toMatchObject({ id: ws.owner.id, role: 'owner' })
    for (const id of [theirs.owner.id, 'usr_none', '%F0%9F%99%82', "'", '..%2fme', 'x'.repeat(200)])
      expect(said(await ws.owner.get(`/users/${id}`))).toBe('404 auth_user_not_found')
    expect((await ws.owner.get('/users/%00')).status).toBe(400)
    expect((await ws.owner.get('/users/%zz')).status).toBe(400)
    expect((await ws.owner.get(`/users/${ws.owner.id}?x=1`)).status).toBe(400)
  })
})

describe('GET /users/me', () => {
  test('200 with the caller', async () => {
    const { owner, teamId } = await api.workspace()
    const answer = await owner.get('/users/me')
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      id: owner.id,
      role: 'owner',
      teamIds: [teamId],
      disabled: false,
      avatarUrl: null,
      provider: 'password',
      emailVerified: false,
    })
  })
  test('403 auth_user_required for a service account, whatever it holds', async () => {
    const { key } = await api.workspace()
    for (const robot of [await key(), await key({ role: 'agent' })])
      for (const path of ['/users/me', '/users/me/unread-count', '/users/me/unread-summary'])
        expect(said(await robot.get(path))).toBe('403 auth_user_required')
    expect(said(await (await key()).patch('/users/me', { name: 'R2' }))).toBe('403 auth_user_required')
  })
})

describe('PATCH /users/me', () => {
  test('200 changes what is given and leaves the rest', async () => {
    const { owner } = await api.workspace()
    const url = 'https://example.com/a.png?x=1#y'
    expect((await owner.patch('/users/me', { avatarUrl: url })).body).toMatchObject({
      avatarUrl: url,
      name: 'Owner',
    })
    expect((await owner.patch('/users/me', { name: 'Ada' })).body).toMatchObject({
      avatarUrl: url,
      name: 'Ada',
    })
    expect((await owner.patch('/users/me', {})).body).toMatchObject({ avatarUrl: url, name: 'Ada' })
    expect((await owner.patch('/users/me', { avatarUrl: null })).body).toMatchObject({
      avatarUrl: null,
      name: 'Ada',
    })
    expect((await owner.get('/users/me')).body.name).toBe('Ada')
  })
  test.each([
    '🙂👩‍👩‍👧‍👦',
    '‮evil',
    'محمد',
    'a\u0301',
    "Robert'); drop table users;--",
    '<b>x</b>',
    '  x  ',
    '{{name}}',
    '🙂'.repeat(200),
  ])('200 keeps the name %j as it is', async name => {
    const { owner } = await api.workspace()
    expect((await owner.patch('/users/me', { name })).body.name).toBe(name)
    expect((await owner.get(`/users/${owner.id}`)).body.name).toBe(name)
  })
  test.each([
    { name: null },
    { name: '' },
    { name: '\n\t ' },
    { name: 'x'.repeat(201) },
    { name: `a${'\u0301'.repeat(300)}` },
    { name: ['x'] },
    { avatarUrl: 'javascript:alert(1)' },
    { avatarUrl: 'JaVaScRiPt:alert(1)' },
    { avatarUrl: ' https://example.com' },
    { avatarUrl: 'https://' },
    { avatarUrl: 'https://example.com/\njavascript:alert(1)' },
    { avatarUrl: 'https://example.com/" onerror="alert(1)' },
    { avatarUrl: 'https://example.com/<script>' },
    { avatarUrl: 'data:image/png;base64,AA==' },
    { avatarUrl: '//example.com/a.png' },
    { avatarUrl: '' },
    { avatarUrl: `https://example.com/${'x'.repeat(2000)}` },
    { role: 'agent' },
    { email: 'x@example.com' },
    { disabled: true },
    { emailVerified: true },
    { teamIds: [] },
  ])('400 for %j', async body => {
    const { owner } = await api.workspace()
    expect(said(await owner.patch('/users/me', body))).toBe('400 validation_failed')
  })
  test('400 for a NUL, an unpaired surrogate and __proto__; 413 for more than a megabyte', async () => {
    const { owner } = await api.workspace()
    for (const text of [
      '{"name":"a\\u0000"}',
      '{"name":"\\udc00"}',
      '{"__proto__":{"name":"x"}}',
      '[]',
      'null',
      '"x"',
      '{',
    ])
      expect((await owner.patch('/users/me', text)).status, text).toBe(400)
    expect((await owner.patch('/users/me', { name: 'x'.repeat(1_048_576) })).status).toBe(413)
  })
})

describe('PATCH /users/{userId}', () => {
  test('200 sets teams and switches off and on', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    const team = (await ws.owner.post('/teams', { name: 'Second' })).body
    const patch = async (body: object) => (await ws.owner.patch(`/users/${agent.id}`, body)).body
    expect((await patch({ teamIds: [team.id, ws.teamId] })).teamIds.sort()).toEqual(
      [ws.teamId, team.id].sort(),
    )
    expect(await patch({ disabled: true })).toMatchObject({ disabled: true })
    expect(await patch({ teamIds: [team.id], disabled: false })).toMatchObject({
      teamIds: [team.id],
      disabled: false,
    })
    expect(await patch({})).toMatchObject({ teamIds: [team.id], disabled: false })
    expect(await patch({ teamIds: [] })).toMatchObject({ teamIds: [] })
    expect((await ws.owner.get('/teams')).body.teams[0].memberIds).toEqual([])
  })
  test('a disabled user loses access immediately and regains it only with a new login', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    await ws.owner.patch(`/users/${agent.id}`, { disabled: true })
    expect((await agent.get('/users/me')).status).toBe(401)
    await ws.owner.patch(`/users/${agent.id}`, { disabled: false })
    expect((await agent.get('/users/me')).status).toBe(401)
  })
  test('400 for disabling oneself, owner or admin; other changes of oneself are fine', async () => {
    const ws = await api.workspace()
    for (const self of [ws.owner, await ws.user('admin')]) {
      expect(said(await self.patch(`/users/${self.id}`, { disabled: true }))).toBe(
        '400 auth_user_self_disable_forbidden',
      )
      expect((await self.patch(`/users/${self.id}`, { disabled: false, teamIds: [] })).status).toBe(200)
    }
  })
  test('403 for changing an owner without being an owner', async () => {
    const ws = await api.workspace()
    const second = await ws.user('owner')
    for (const caller of [await ws.user('admin'), await ws.key()])
      for (const body of [{ disabled: true }, { disabled: false }, { teamIds: [] }, {}])
        expect(said(await caller.patch(`/users/${second.id}`, body))).toBe(
          '403 auth_user_role_assignment_forbidden',
        )
    expect((await ws.owner.patch(`/users/${second.id}`, { disabled: true })).body.disabled).toBe(true)
  })
  test('400 for what is no such change, naming each fault', async () => {
    const [ws, theirs] = [await api.workspace(), await api.workspace()]
    const agent = await ws.user('agent')
    const ask = (body: unknown) => ws.owner.patch(`/users/${agent.id}`, body)
    for (const body of [
      { disabled: null },
      { disabled: 'true' },
      { teamIds: null },
      { teamIds: 'x' },
      { teamIds: [1] },
      { teamIds: [ws.teamId, ws.teamId] },
      { role: 'owner' },
      { name: 'x' },
    ])
      expect(said(await ask(body)), JSON.stringify(body)).toBe('400 validation_failed')
    const unknown = await ask({ teamIds: [ws.teamId, theirs.teamId, 'team_none'], disabled: true })
    expect(unknown.body.violations.map((one: { field: string }) => one.field)).toEqual([
      'teamIds[1]',
      'teamIds[2]',
    ])
    expect((await ws.owner.get(`/users/${agent.id}`)).body).toMatchObject({ teamIds: [], disabled: false })
  })
  test('never a 5xx while the team is being deleted', async () => {
    const ws = await api.workspace()
    const agents = await Promise.all(Array.from({ length: 12 }, () => ws.user('agent')))
    const rounds = agents.map(async (agent, i) => {
      const team = (await ws.owner.post('/teams', { name: `Doomed ${i}` })).body
      const [patched, deleted] = await Promise.all([
        other.as(ws.owner).patch(`/users/${agent.id}`, { teamIds: [team.id] }),
        ws.owner.delete(`/teams/${team.id}`),
      ])
      expect([200, 400]).toContain(patched.status)
      expect(deleted.status).toBe(204)
    })
    await Promise.all(rounds)
  })
  test('holds up nobody who writes other things of the workspace', async () => {
    const { owner, tenantId } = await api.workspace()
    await db.withClient(async client => {
      await client.query('begin')
      await client.query('select from tenants where id = $1 for key share', [tenantId])
      const answer = await owner.post('/users/invitations', { email: 'new@example.com', role: 'agent' })
      expect(answer.status).toBe(201)
      await client.query('rollback')
    })
    expect(await db.rows(sql`select 1 from invitations where tenant_id = ${tenantId}`)).toHaveLength(1)
  })
})
