/** The audit log: one entry for each change, none for requests that change nothing, and never a secret. */
import { describe, expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { clientWithToken, createTestUser, logIn, password } from './testing/users.ts'

const api = await testApi()
const other = await api.another()

interface Entry {
  id: string
  action: string
  actorId: string
  actorType: string
  targetType: string
  targetId: string
  details: Record<string, unknown>
}
const all = async (owner: Awaited<ReturnType<typeof api.workspace>>['owner'], query = ''): Promise<Entry[]> =>
  (await owner.get(`/audit-log?limit=200${query}`)).body.items

describe('GET /audit-log', () => {
  test('200 has a line for each change, with who, whom and what', async () => {
    const ws = await api.workspace()
    const { owner, tenantId } = ws
    const agent = await ws.user('agent')
    const before = (await all(owner)).length
    expect(before).toBe(1)
    const { invitation, token } = (
      await owner.post('/users/invitations', { email: 'g@example.com', role: 'agent' })
    ).body
    const guest = (
      await api.anonymous.post('/auth/invitations/accept', {
        token,
        name: 'G',
        password: 'long enough for it',
      })
    ).body.user
    const team = (await owner.post('/teams', { name: 'A' })).body
    await owner.patch(`/teams/${team.id}`, { name: 'B' })
    await owner.put(`/teams/${team.id}/members/${agent.id}`)
    await owner.delete(`/teams/${team.id}/members/${agent.id}`)
    await owner.patch(`/users/${agent.id}`, { teamIds: [team.id] })
    await owner.put(`/users/${agent.id}/role`, { role: 'admin' })
    const account = (await clientWithToken(api, agent.token).post('/service-accounts', { name: 'R' })).body
    const { apiKey, key } = (await owner.post(`/service-accounts/${account.id}/api-keys`, { name: 'K' })).body
    await clientWithToken(api, key).delete(`/teams/${team.id}`)
    await owner.delete(`/api-keys/${apiKey.id}`)
    await owner.delete(`/service-accounts/${account.id}`)
    await owner.patch(`/users/${agent.id}`, { disabled: true })
    await owner.patch(`/users/${agent.id}`, { disabled: false })
    const by = { actorType: 'user', actorId: owner.id }
    expect((await all(owner)).reverse()).toMatchObject([
      { ...by, action: 'workspace.created', targetType: 'workspace', targetId: tenantId },
      {
        ...by,
        action: 'user.invited',
        targetId: invitation.id,
        details: { email: 'g@example.com', role: 'agent' },
      },
      {
        actorId: guest.id,
        action: 'user.joined',
        targetId: guest.id,
        details: { invitationId: invitation.id },
      },
      { ...by, action: 'team.created', targetType: 'team', targetId: team.id, details: { name: 'A' } },
      { ...by, action: 'team.renamed', targetId: team.id, details: { from: 'A', to: 'B' } },
      { ...by, action: 'team.member_added', targetId: team.id, details: { userId: agent.id } },
      { ...by, action: 'team.member_removed', targetId: team.id, details: { userId: agent.id } },
      { ...by, action: 'user.teams_changed', targetId: agent.id, details: { from: [], to: [team.id] } },
      { ...by, action: 'user.role_changed', targetId: agent.id, details: { from: 'agent', to: 'admin' } },
      {
        actorId: agent.id,
        action: 'service_account.created',
        targetId: account.id,
        details: { role: 'admin' },
      },
      { ...by, action: 'api_key.created', targetId: apiKey.id, details: { keyPrefix: apiKey.keyPrefix } },
      { actorType: 'service', actorId: account.id, action: 'team.deleted', targetId: team.id },
      { ...by, action: 'api_key.revoked', targetId: apiKey.id, details: { keyPrefix: apiKey.keyPrefix } },
      { ...by, action: 'service_account.deleted', targetId: account.id },
      { ...by, action: 'user.disabled', targetId: agent.id },
      { ...by, action: 'user.enabled', targetId: agent.id },
    ])
    const text = JSON.stringify(await all(owner))
    for (const secret of [token.slice(4), key.slice(12), 'long enough for it', 'argon2'])
      expect(text).not.toContain(secret)
  })

  test('nothing for what changed nothing, was refused, or failed', async () => {
    const ws = await api.workspace()
    const { owner, teamId } = ws
    const admin = await ws.user('admin')
    const before = (await all(owner)).length
    await owner.put(`/teams/${teamId}/members/${owner.id}`)
    await owner.delete(`/teams/${teamId}/members/${admin.id}`)
    await owner.patch(`/teams/${teamId}`, { name: 'Support' })
    await owner.patch(`/users/${owner.id}`, { teamIds: [teamId], disabled: false })
    await owner.patch(`/users/${admin.id}`, { disabled: false })
    await owner.put(`/users/${admin.id}/role`, { role: 'admin' })
    await owner.put(`/users/${owner.id}/role`, { role: 'admin' })
    await admin.put(`/users/${owner.id}/role`, { role: 'agent' })
    await admin.post('/users/invitations', { email: 'x@example.com', role: 'owner' })
    await owner.post('/teams', { name: 'support' })
    await owner.post('/users/invitations', { email: 'x@example.com', role: 'agent', teamIds: ['team_no'] })
    await owner.delete('/api-keys/key_none')
    await owner.patch('/users/me', { name: 'New name' })
    expect(await all(owner)).toHaveLength(before)
  })

  test('one line for a request sent again with its Idempotency-Key', async () => {
    const { owner } = await api.workspace()
    for (let i = 0; i < 3; i++) await owner.post('/teams', { name: 'Once' }, { 'idempotency-key': 'once' })
    expect(await all(owner, '&action=team.created')).toHaveLength(1)
  })

  test('filters narrow it down, together', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const [a, b] = [await ws.user('agent'), await ws.user('agent')]
    for (const caller of [ws.owner, admin])
      for (const target of [a, b])
        for (const disabled of [true, false]) await caller.patch(`/users/${target.id}`, { disabled })
    expect(await all(ws.owner, '&action=user.disabled')).toHaveLength(4)
    expect(await all(ws.owner, `&actorId=${admin.id}`)).toHaveLength(4)
    expect(await all(ws.owner, `&targetId=${a.id}&actorId=${admin.id}&action=user.enabled`)).toMatchObject([
      { action: 'user.enabled', actorId: admin.id, targetId: a.id },
    ])
    expect(await all(ws.owner, '&action=nothing.happened')).toEqual([])
  })

  test('after and before limit the time, and a page of the range ends it', async () => {
    const { owner } = await api.workspace()
    for (const name of ['a', 'b', 'c', 'd']) await owner.post('/teams', { name })
    const lines: { at: string }[] = (await owner.get('/audit-log?action=team.created')).body.items
    const names = async (query: string) =>
      (await owner.get(`/audit-log?action=team.created&${query}`)).body.items.map(
        (entry: Entry) => entry.details.name,
      )
    const [d, , b] = lines
    expect(await names(`after=${b!.at}&before=${d!.at}`)).toEqual(['c', 'b'])
    expect(await names(`after=${d!.at}`)).toEqual(['d'])
    expect(await names(`before=${b!.at}`)).toEqual(['a'])
    expect(await names(`after=${d!.at}&before=${b!.at}`)).toEqual([])
    expect(await names('after=0001-01-01T00:00:00Z&before=9999-12-31T23:59:59Z')).toHaveLength(4)
    expect(await names('after=2016-12-31T23:59:60Z')).toHaveLength(4)
    const first = (await owner.get(`/audit-log?limit=1&after=${b!.at}&before=${d!.at}`)).body
    const rest = await owner.get(
      `/audit-log?limit=2&after=${b!.at}&before=${d!.at}&cursor=${encodeURIComponent(first.nextCursor)}`,
    )
    expect([...first.items, ...rest.body.items].map((entry: Entry) => entry.details.name)).toEqual(['c', 'b'])
    expect(rest.body.hasMore).toBe(false)
    for (const query of ['after=yesterday', 'before=2026-02-30T00:00:00Z', 'after=2026-01-01'])
      expect((await owner.get(`/audit-log?${query}`)).status, query).toBe(400)
  })

  test('pages show each line once, newest first, while others are added', async () => {
    const { owner } = await api.workspace()
    for (let i = 0; i < 12; i++) await owner.post('/teams', { name: `Team ${i}` })
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const { body } = await owner.get(`/audit-log?limit=5${query}`)
      seen.push(...body.items.map((entry: Entry) => entry.id))
      expect(body.hasMore).toBe(body.nextCursor !== null)
      cursor = body.nextCursor
      await owner.post('/teams', { name: `Meanwhile ${seen.length}` })
    } while (cursor)
    expect(seen).toHaveLength(13)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
  })

  test('400 for a cursor of another query or workspace, and for a limit below one', async () => {
    const [ws, theirs] = [await api.workspace(), await api.workspace()]
    for (const { owner } of [ws, theirs])
      for (const name of ['a', 'b', 'c']) await owner.post('/teams', { name })
    const { nextCursor } = (await ws.owner.get('/audit-log?limit=1')).body
    const at = encodeURIComponent(nextCursor)
    expect((await other.as(ws.owner).get(`/audit-log?limit=3&cursor=${at}`)).status).toBe(200)
    for (const [caller, query] of [
      [ws.owner, `cursor=${at}&action=team.created`],
      [theirs.owner, `cursor=${at}`],
      [ws.owner, `cursor=${at}x`],
      [ws.owner, 'cursor=x'],
    ] as const)
      expect((await caller.get(`/audit-log?${query}`)).body.code).toBe('invalid_page_token')
    for (const query of ['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'action=a&action=b', 'unknown=1'])
      expect((await ws.owner.get(`/audit-log?${query}`)).status, query).toBe(400)
    for (const query of ['limit=5000', 'cursor='])
      expect((await ws.owner.get(`/audit-log?${query}`)).status).toBe(200)
  })

  test('403 for agents; nothing of other workspaces for anyone', async () => {
    const [ws, theirs] = [await api.workspace(), await api.workspace()]
    expect((await (await ws.user('agent')).get('/audit-log')).status).toBe(403)
    for (const caller of [ws.owner, await ws.key()])
      expect(JSON.stringify(await all(caller, `&actorId=${theirs.owner.id}`))).toBe('[]')
  })

  test('a log in has a line, without the password', async () => {
    const { tenantId, owner } = await api.workspace()
    const { id, email } = await createTestUser(api, tenantId)
    expect((await logIn(api, email)).status).toBe(200)
    expect(await all(owner, `&actorId=${id}`)).toMatchObject([{ action: 'login.succeeded', targetId: id }])
    expect(JSON.stringify(await all(owner))).not.toContain(password)
  })
})
