/** Keys for other programs: how they look, what they open, and that nobody makes one stronger than themselves. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, client, testApi } from '../../test/harness/api.ts'
import { sql } from '../platform/db/sql.ts'
import { hashSecret, isApiKey } from './auth/tokens.ts'
import { assertCanGrant } from './rights/roles.ts'

const api = await testApi()
const other = await api.another()
const { db, clock } = api.deps
const said = (answer: ApiResponse) => `${answer.status} ${answer.body.code ?? ''}`.trim()

async function makeAccount(owner: Client, body: object = {}) {
  const answer = await owner.post('/service-accounts', { name: 'Robot', ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const makeKey = (owner: Client, accountId: string, body: object = {}, headers = {}) =>
  owner.post(`/service-accounts/${accountId}/api-keys`, { name: 'Key', ...body }, headers)
const bearer = (key: string) => client(api.url, '', '', key)

describe('POST /service-accounts', () => {
  test('200 with an admin that has every scope of admins by default', async () => {
    const { owner, tenantId } = await api.workspace()
    expect(await makeAccount(owner)).toMatchObject({
      tenantId,
      name: 'Robot',
      description: null,
      isActive: true,
      role: 'admin',
      scopes: null,
    })
    const narrow = { role: 'agent', scopes: ['user:list'], description: '🤖 ‮drawkcab' }
    const made = await makeAccount(owner, narrow)
    expect(made).toMatchObject(narrow)
    const listed = (await owner.get('/service-accounts')).body.serviceAccounts
    expect(listed).toHaveLength(2)
    expect(listed[0]).toEqual(made)
  })

  test.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: null },
    { name: 'x'.repeat(201) },
    { name: `e${'\u0301'.repeat(500)}` },
    { name: 'Robot', description: 'x'.repeat(2001) },
    { name: 'Robot', role: 'owner' },
    { name: 'Robot', scopes: ['nonsense:read'] },
    { name: 'Robot', scopes: ['user:assign_role_owner'] },
    { name: 'Robot', role: 'agent', scopes: ['api_key:create'] },
    { name: 'Robot', scopes: ['user:list', 'user:list'] },
    { name: 'Robot', scopes: [null] },
    { name: 'Robot', isActive: false },
  ])('400 for %j', async body => {
    const { owner } = await api.workspace()
    expect(said(await owner.post('/service-accounts', body))).toBe('400 validation_failed')
  })
  test('400 or 413 for a name of a megabyte, 400 for a NUL', async () => {
    const { owner } = await api.workspace()
    expect((await owner.post('/service-accounts', { name: 'x'.repeat(1_000_000) })).status).toBe(400)
    expect((await owner.post('/service-accounts', { name: 'x'.repeat(1_100_000) })).status).toBe(413)
    expect((await owner.post('/service-accounts', '{"name":"a\\u0000b"}')).status).toBe(400)
  })
})

describe('POST /service-accounts/{id}/api-keys', () => {
  test('200 with a key that shows its prefix and checks itself; only its hash is kept', async () => {
    const { owner, tenantId } = await api.workspace()
    const account = await makeAccount(owner)
    const { status, body } = await makeKey(owner, account.id)
    expect(status).toBe(200)
    const { apiKey, key } = body
    expect(key).toMatch(/^pk_[0-9A-Za-z]{8}_[0-9a-z]{26}_[0-9A-Za-z]{46}$/)
    expect(isApiKey(key)).toBe(true)
    expect(apiKey).toMatchObject({
      name: 'Key',
      keyPrefix: key.slice(0, 11),
      serviceAccountId: account.id,
      tenantId,
      expiresAt: null,
      createdBy: owner.id,
    })
    expect((await bearer(key).get('/users')).status).toBe(200)
    const rows = await db.rows<{ hash: Buffer }>(sql`select * from api_keys where id = ${apiKey.id}`)
    expect(rows[0]!.hash).toEqual(hashSecret(key))
    expect(JSON.stringify(rows)).not.toContain(key.slice(12))
    const list = await owner.get(`/service-accounts/${account.id}/api-keys`)
    const [shown] = list.body.apiKeys
    const { lastUsedAt, lastUsedFrom } = shown
    expect(list.body).toEqual({ apiKeys: [{ ...apiKey, lastUsedAt, lastUsedFrom }] })
    expect(JSON.stringify(list.body)).not.toContain(key.slice(12))
  })

  test('409 for a repeat with the same Idempotency-Key, with the record and no key', async () => {
    const { owner } = await api.workspace()
    const account = await makeAccount(owner)
    const once = { 'idempotency-key': 'k1' }
    const first = await makeKey(owner, account.id, {}, once)
    const again = await makeKey(owner, account.id, {}, once)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again).toMatchObject({ status: 409, body: { code: 'idempotency_secret_consumed' } })
    expect(again.body.created).toEqual({ apiKey: first.body.apiKey })
    expect((await owner.get(`/service-accounts/${account.id}/api-keys`)).body.apiKeys).toHaveLength(1)
    const stored = JSON.stringify(await db.rows(sql`select * from idempotency_keys`))
    expect(stored).not.toContain(first.body.key.slice(12))
    expect(said(await makeKey(owner, account.id, { name: 'Other' }, once))).toBe('422 idempotency_key_reused')
  })

  test('expiresAt ends it; the past is refused', async () => {
    const { owner } = await api.workspace()
    const account = await makeAccount(owner)
    const inMinutes = (n: number) => new Date(clock.now().getTime() + n * 60_000).toISOString()
    const { body } = await makeKey(owner, account.id, { expiresAt: inMinutes(5) })
    expect((await bearer(body.key).get('/users')).status).toBe(200)
    clock.advance(6 * 60_000)
    expect((await bearer(body.key).get('/users')).status).toBe(401)
    const tenthMillennium = ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.9999Z']
    for (const expiresAt of [
      ...tenthMillennium,
      inMinutes(-1),
      inMinutes(0),
      '2026-02-30T00:00:00Z',
      'tomorrow',
      5,
    ])
      expect(said(await makeKey(owner, account.id, { expiresAt })), String(expiresAt)).toBe(
        '400 validation_failed',
      )
    expect((await makeKey(owner, account.id, { expiresAt: '9999-12-31T23:59:59+14:00' })).status).toBe(200)
    const forever = await makeKey(owner, account.id, { expiresAt: null })
    expect(forever).toMatchObject({ status: 200, body: { apiKey: { expiresAt: null } } })
  })

  test('createdBy is the account when a key made it', async () => {
    const { key } = await api.workspace()
    const robot = await key()
    const account = await makeAccount(robot)
    expect((await makeKey(robot, account.id)).body.apiKey.createdBy).toBe(robot.id)
  })
})

describe('DELETE', () => {
  test('204 revokes one key and leaves the others; a second time it is 404', async () => {
    const { owner } = await api.workspace()
    const account = await makeAccount(owner)
    const [one, two] = [(await makeKey(owner, account.id)).body, (await makeKey(owner, account.id)).body]
    expect((await owner.delete(`/api-keys/${one.apiKey.id}`)).status).toBe(204)
    expect((await bearer(one.key).get('/users')).status).toBe(401)
    expect((await bearer(two.key).get('/users')).status).toBe(200)
    const { apiKeys } = (await owner.get(`/service-accounts/${account.id}/api-keys`)).body
    expect(apiKeys.map(({ id }: { id: string }) => id)).toEqual([two.apiKey.id])
    expect(said(await owner.delete(`/api-keys/${one.apiKey.id}`))).toBe('404 api_key_not_found')
  })
  test('204 deletes an account with all its keys; nothing of it can be used or made again', async () => {
    const { owner } = await api.workspace()
    const account = await makeAccount(owner)
    const { key, apiKey } = (await makeKey(owner, account.id)).body
    expect((await owner.delete(`/service-accounts/${account.id}`)).status).toBe(204)
    expect((await bearer(key).get('/users')).status).toBe(401)
    const gone = '404 service_account_not_found'
    expect(said(await owner.delete(`/service-accounts/${account.id}`))).toBe(gone)
    expect(said(await owner.get(`/service-accounts/${account.id}/api-keys`))).toBe(gone)
    expect(said(await makeKey(owner, account.id))).toBe(gone)
    expect(said(await owner.delete(`/api-keys/${apiKey.id}`))).toBe('404 api_key_not_found')
    expect((await owner.get('/service-accounts')).body.serviceAccounts).toEqual([])
  })
  test('204 once of ten at the same time', async () => {
    const { owner } = await api.workspace()
    const account = await makeAccount(owner)
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        (i % 2 ? owner : other.as(owner)).delete(`/service-accounts/${account.id}`),
      ),
    )
    expect(ten.map(one => one.status).sort()).toEqual([204, ...Array(9).fill(404)])
  })
})

describe('PATCH /service-accounts/{id}', () => {
  test('200 changes what is given; scopes and activity take effect immediately', async () => {
    const { owner, key } = await api.workspace()
    const robot = await key()
    const patch = (body: object) => owner.patch(`/service-accounts/${robot.id}`, body)
    expect((await patch({ name: 'Connector', description: 'Reads' })).body).toMatchObject({
      name: 'Connector',
      description: 'Reads',
      isActive: true,
      scopes: null,
    })
    expect((await robot.get('/users')).status).toBe(200)
    expect((await patch({ scopes: ['team:list'] })).body.name).toBe('Connector')
    expect(said(await robot.get('/users'))).toBe('403 auth_scope_missing')
    expect((await robot.get('/teams')).status).toBe(200)
    expect((await patch({ isActive: false })).body.isActive).toBe(false)
    expect((await robot.get('/teams')).status).toBe(401)
    const restored = await patch({ isActive: true, scopes: null, description: null })
    expect(restored.body).toMatchObject({ isActive: true, scopes: null, description: null })
    expect((await robot.get('/users')).status).toBe(200)
    const { items } = (await owner.get('/audit-log')).body
    const actions = items.map((entry: { action: string }) => entry.action)
    expect(actions.filter((action: string) => action === 'service_account.updated')).toHaveLength(4)
  })

  test('403 for rights that the caller does not hold; names may change', async () => {
    const { owner, key } = await api.workspace()
    const narrow = await key({ scopes: ['api_key:create', 'api_key:list', 'user:list'] })
    const strong = await makeAccount(owner)
    const patch = async (body: object) => said(await narrow.patch(`/service-accounts/${strong.id}`, body))
    expect(await patch({ name: 'Renamed' })).toBe('200')
    expect(await patch({ scopes: null })).toBe('403 auth_grant_exceeds_caller')
    expect(await patch({ scopes: ['contact:read'] })).toBe('403 auth_grant_exceeds_caller')
    expect(await patch({ isActive: false })).toBe('200')
    expect(await patch({ isActive: true })).toBe('403 auth_grant_exceeds_caller')
    expect(await patch({ scopes: ['user:list'], isActive: true })).toBe('200')
  })

  test('400 for unknown scopes and a blank name, 404 for a deleted account', async () => {
    const { owner } = await api.workspace()
    const { id } = await makeAccount(owner, { role: 'agent' })
    for (const body of [{ scopes: ['api_key:create'] }, { name: ' ' }, { role: 'admin' }])
      expect(said(await owner.patch(`/service-accounts/${id}`, body))).toBe('400 validation_failed')
    await owner.delete(`/service-accounts/${id}`)
    expect(said(await owner.patch(`/service-accounts/${id}`, { name: 'x' }))).toBe(
      '404 service_account_not_found',
    )
  })
})

describe('GET /scopes', () => {
  test('200 lists each scope with its description, roles and operations', async () => {
    const { owner, user } = await api.workspace()
    const { scopes } = (await owner.get('/scopes')).body
    const names = scopes.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...api.deps.roleScopes.owner].sort())
    const byName = (name: string) => scopes.find((scope: { name: string }) => scope.name === name)
    expect(byName('team:delete')).toEqual({
      name: 'team:delete',
      description: 'Delete a team',
      roles: ['owner', 'admin'],
      operations: [
        { operationId: 'deleteTeam', method: 'DELETE', path: '/v1/teams/{id}', summary: 'Delete a team' },
      ],
    })
    expect(byName('user:assign_role_owner').roles).toEqual(['owner'])
    for (const { description, operations } of scopes) {
      expect(operations.length).toBeGreaterThan(0)
      expect(description.length).toBeLessThan(120)
    }
    expect((await (await user('agent')).get('/scopes')).status).toBe(403)
  })
})

describe('nobody gives what they do not hold', () => {
  const denied = '403 auth_grant_exceeds_caller'
  const manage = ['api_key:create', 'api_key:list', 'api_key:revoke']

  test('403 for a narrowed account that makes a wider one, in role or in scope', async () => {
    const { key } = await api.workspace()
    const narrow = await key({ scopes: [...manage, 'user:list'] })
    const ask = async (body: object) => said(await narrow.post('/service-accounts', { name: 'R', ...body }))
    expect(await ask({})).toBe(denied)
    expect(await ask({ role: 'admin' })).toBe(denied)
    expect(await ask({ role: 'agent' })).toBe(denied)
    expect(await ask({ scopes: ['user:list', 'contact:read'] })).toBe(denied)
    expect(await ask({ scopes: ['team:create'] })).toBe(denied)
    expect(await ask({ scopes: ['user:list'] })).toBe('200')
    expect(await ask({ role: 'agent', scopes: ['user:list'] })).toBe('200')
    expect(await ask({ scopes: [] })).toBe('200')
  })

  test('403 for a key of a stronger account; 200 for one that is no stronger', async () => {
    const { owner, key } = await api.workspace()
    const narrow = await key({ scopes: [...manage, 'user:list'] })
    const strong = await makeAccount(owner)
    const weak = await makeAccount(owner, { scopes: ['user:list'] })
    expect(said(await makeKey(narrow, strong.id))).toBe(denied)
    expect(said(await makeKey(narrow, weak.id))).toBe('200')
    expect(said(await makeKey(narrow, narrow.id))).toBe('200')
  })

  test('403 for a narrowed account that invites: an invitation gives a whole role', async () => {
    const { key } = await api.workspace()
    const narrow = await key({ scopes: ['user:invite', 'user:list'] })
    for (const role of ['agent', 'admin', 'owner'])
      expect(said(await narrow.post('/users/invitations', { email: 'a@example.com', role }))).toBe(denied)
    const agentLike = await key({ scopes: [...api.deps.roleScopes.agent, 'user:invite'] })
    const invite = (role: string) => agentLike.post('/users/invitations', { email: 'a@example.com', role })
    expect(said(await invite('admin'))).toBe(denied)
    expect(said(await invite('agent'))).toBe('201')
  })

  test('403 for an admin who invites an owner; 201 for admins and agents', async () => {
    const { user, key } = await api.workspace()
    for (const caller of [await user('admin'), await key()]) {
      const invite = (role: string) =>
        caller.post('/users/invitations', { email: `${role}@example.com`, role })
      expect(said(await invite('owner'))).toBe(denied)
      expect(said(await invite('admin'))).toBe('201')
      expect(said(await invite('agent'))).toBe('201')
    }
  })

  test('403 for a role above the caller, though it held nothing', () => {
    const agent = {
      tenantId: '',
      id: '',
      kind: 'user',
      role: 'agent',
      scopes: api.deps.roleScopes.agent,
      teamIds: [],
    } as const
    expect(() => assertCanGrant(agent, 'admin', new Set())).toThrow('your role is agent')
    expect(() => assertCanGrant(agent, 'agent', new Set(['user:list']))).not.toThrow()
  })

  /** On the other server the caller is still remembered as what they were. */
  async function whileRemembered(path: (ws: { id: string }) => [string, object]) {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const account = await makeAccount(ws.owner)
    const elsewhere = other.as(admin)
    expect((await elsewhere.get('/service-accounts')).status).toBe(200)
    await ws.owner.put(`/users/${admin.id}/role`, { role: 'agent' })
    return elsewhere.post(...path(account))
  }
  test.each([
    ['an account', () => ['/service-accounts', { name: 'Robot' }]],
    ['a key', ({ id }) => [`/service-accounts/${id}/api-keys`, { name: 'Key' }]],
    ['an invitation', () => ['/users/invitations', { email: 'me@example.com', role: 'admin' }]],
  ] as [string, (account: { id: string }) => [string, object]][])(
    '403 for %s by an admin demoted a moment ago on another server',
    async (_, path) => {
      expect(said(await whileRemembered(path))).toBe('403 auth_role_missing')
    },
  )
  test('403 for an account that was deleted a moment ago on another server', async () => {
    const { owner, key } = await api.workspace()
    const robot = await key()
    const elsewhere = other.as(robot)
    expect((await elsewhere.get('/service-accounts')).status).toBe(200)
    await owner.delete(`/service-accounts/${robot.id}`)
    expect(said(await elsewhere.post('/service-accounts', { name: 'Heir' }))).toBe('403 auth_role_missing')
    expect((await owner.get('/service-accounts')).body.serviceAccounts).toEqual([])
  })
})

describe('GET /me', () => {
  test('200 with the account, role, scopes and key, for a key without any scope of users', async () => {
    const { owner, tenantId } = await api.workspace()
    const account = await makeAccount(owner, { name: 'Connector', role: 'agent', scopes: ['contact:read'] })
    const made = (await makeKey(owner, account.id, { name: 'Production' })).body
    const { status, body } = await bearer(made.key).get('/me')
    expect(status).toBe(200)
    expect(body).toEqual({
      type: 'serviceAccount',
      id: account.id,
      tenantId,
      name: 'Connector',
      role: 'agent',
      scopes: ['contact:read'],
      teamIds: [],
      apiKey: { ...made.apiKey, lastUsedAt: body.apiKey.lastUsedAt, lastUsedFrom: body.apiKey.lastUsedFrom },
    })
    expect(JSON.stringify(body)).not.toContain(made.key)
    await owner.delete(`/api-keys/${made.apiKey.id}`)
    expect((await bearer(made.key).get('/me')).status).toBe(401)
  })

  test('200 with the user of an access token, and no key', async () => {
    const { owner, tenantId, teamId, user } = await api.workspace()
    const agent = await user('agent', [teamId])
    const { body } = await agent.get('/me')
    expect(body).toMatchObject({
      type: 'user',
      id: agent.id,
      tenantId,
      role: 'agent',
      teamIds: [teamId],
      apiKey: null,
    })
    expect(body.scopes).not.toContain('api_key:create')
    expect((await owner.get('/me')).body.scopes).toContain('api_key:create')
  })
})
