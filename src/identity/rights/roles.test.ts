/** Changes of roles: the order of the checks in the contract, and concurrent changes. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, testApi, type Workspace } from '../../../test/harness/api.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { changeRole } from '../users/users.ts'

const api = await testApi()
const other = await api.another()

const put = (caller: Client, userId: string, role: unknown) => caller.put(`/users/${userId}/role`, { role })
const disable = (caller: Client, userId: string) => caller.patch(`/users/${userId}`, { disabled: true })
const said = (answer: ApiResponse) => `${answer.status} ${answer.body.code ?? answer.body.role}`

async function enabledOwners({ tenantId }: Workspace): Promise<string[]> {
  const rows = await api.deps.db.rows<{ id: string }>(
    sql`select id from users where tenant_id = ${tenantId} and role = 'owner' and not disabled`,
  )
  return rows.map(row => row.id)
}

describe('PUT /users/{userId}/role', () => {
  test('200 for an owner: every role to every role', async () => {
    const ws = await api.workspace()
    const target = await ws.user('agent')
    for (const role of ['admin', 'owner', 'owner', 'agent', 'owner', 'admin', 'agent', 'agent'])
      expect(await put(ws.owner, target.id, role)).toMatchObject({
        status: 200,
        body: { id: target.id, role },
      })
  })

  test('200 for an admin: between admin and agent, in both directions', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    const target = await ws.user('agent')
    for (const role of ['admin', 'admin', 'agent', 'agent'])
      expect(said(await put(admin, target.id, role))).toBe(`200 ${role}`)
  })

  test('403 for an agent, before anything else is looked at', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    for (const [id, role] of [
      [agent.id, 'nonsense'],
      ['usr_nobody', 'admin'],
      [ws.owner.id, 'agent'],
    ])
      expect(said(await put(agent, id!, role))).toBe('403 auth_role_missing')
  })

  test.each([
    'superuser',
    '',
    'Owner',
    ' owner',
    'owner\n',
    'toString',
    'о́wner',
    'x'.repeat(100_000),
    null,
    5,
    true,
    ['owner'],
    {},
  ])('400 auth_user_invalid_role for %j and any target', async role => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    for (const id of [admin.id, 'usr_nobody', ws.owner.id])
      expect(said(await put(admin, id, role))).toBe('400 auth_user_invalid_role')
  })

  test('400 for a missing role and for more than a role', async () => {
    const { owner } = await api.workspace()
    expect(await owner.put(`/users/${owner.id}/role`, {})).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', violations: [{ field: 'role', code: 'required' }] },
    })
    expect((await owner.put(`/users/${owner.id}/role`, { role: 'agent', force: true })).status).toBe(400)
  })

  test('400 for oneself, owner or admin, whatever role', async () => {
    const ws = await api.workspace()
    for (const caller of [ws.owner, await ws.user('admin')])
      for (const role of ['owner', 'admin', 'agent'])
        expect(said(await put(caller, caller.id, role))).toBe('400 auth_user_self_role_change_forbidden')
  })

  test('404 for nobody and for the users of others, before the matrix', async () => {
    const ws = await api.workspace()
    const stranger = await api.workspace()
    const admin = await ws.user('admin')
    for (const caller of [ws.owner, admin, await ws.key({ role: 'admin', scopes: [] })])
      for (const id of ['usr_nobody', stranger.owner.id, (await ws.key()).id, '🙂', "' or 1=1"])
        expect(said(await put(caller, encodeURIComponent(id), 'owner'))).toBe('404 auth_user_not_found')
  })

  test('403 auth_user_role_assignment_forbidden for an owner target, before the matrix', async () => {
    const ws = await api.workspace()
    const second = await ws.user('owner')
    const callers = [await ws.user('admin'), await ws.key(), await ws.key({ role: 'admin', scopes: [] })]
    for (const caller of callers)
      for (const role of ['owner', 'admin', 'agent'])
        expect(said(await put(caller, second.id, role))).toBe('403 auth_user_role_assignment_forbidden')
    expect(await enabledOwners(ws)).toHaveLength(2)
  })

  test('403 auth_authz_user_assign_role_denied when an admin makes an owner', async () => {
    const ws = await api.workspace()
    const agent = await ws.user('agent')
    for (const caller of [await ws.user('admin'), await ws.key()])
      expect(said(await put(caller, agent.id, 'owner'))).toBe('403 auth_authz_user_assign_role_denied')
  })

  test('403 auth_authz_user_assign_role_denied for a key without the scope of that role', async () => {
    const ws = await api.workspace()
    const target = await ws.user('agent')
    const others = [...api.deps.roleScopes.admin].filter(scope => !scope.startsWith('user:assign_role_'))
    const onlyAgent = await ws.key({ scopes: [...others, 'user:assign_role_agent'] })
    const onlyAdmin = await ws.key({ scopes: ['user:assign_role_admin'] })
    const neither = await ws.key({ scopes: others })
    expect(said(await put(onlyAgent, target.id, 'admin'))).toBe('403 auth_authz_user_assign_role_denied')
    expect(said(await put(onlyAdmin, target.id, 'agent'))).toBe('403 auth_authz_user_assign_role_denied')
    expect(said(await put(neither, target.id, 'agent'))).toBe('403 auth_authz_user_assign_role_denied')
    expect(said(await put(onlyAdmin, target.id, 'admin'))).toBe('200 admin')
    expect(said(await put(onlyAgent, target.id, 'agent'))).toBe('200 agent')
  })

  test('403 auth_role_missing for a key that acts as an agent', async () => {
    const ws = await api.workspace()
    const target = await ws.user('agent')
    expect(said(await put(await ws.key({ role: 'agent' }), target.id, 'agent'))).toBe('403 auth_role_missing')
  })

  // No caller over HTTP gets this far alone: who demotes an owner is another enabled owner. The operator does.
  test('409 auth_user_last_owner_required for the last enabled owner, though disabled ones are left', async () => {
    const ws = await api.workspace()
    const second = await ws.user('owner')
    expect((await disable(ws.owner, second.id)).status).toBe(200)
    const { tenantId } = ws
    const operator = {
      tenantId,
      id: 'cli',
      kind: 'service',
      role: 'owner',
      scopes: api.deps.roleScopes.owner,
    } as const
    const demote = (id: string) =>
      transact(api.deps.db, tx => changeRole(api.deps, tx, { ...operator, teamIds: [] }, id, 'admin'))
    await expect(demote(ws.owner.id)).rejects.toMatchObject({
      kind: { status: 409, code: 'auth_user_last_owner_required' },
    })
    // A disabled owner is none to keep.
    expect(await demote(second.id)).toMatchObject({ role: 'admin' })
    expect(await enabledOwners(ws)).toEqual([ws.owner.id])
  })

  test('a new role takes effect immediately and removes only the rights of the old one', async () => {
    const ws = await api.workspace()
    const admin = await ws.user('admin')
    expect((await admin.get('/audit-log')).status).toBe(200)
    await put(ws.owner, admin.id, 'agent')
    expect(said(await admin.get('/audit-log'))).toBe('403 auth_role_missing')
    expect((await admin.get('/users/me')).body.role).toBe('agent')
    await put(ws.owner, admin.id, 'owner')
    expect(said(await put(admin, ws.owner.id, 'agent'))).toBe('200 agent')
  })
})

describe('at the same instant', () => {
  /** Both through both servers, so that each believes what it last heard of the other. */
  async function race(
    act: (a: Client, b: Client) => [Promise<ApiResponse>, Promise<ApiResponse>],
  ): Promise<ApiResponse[]> {
    const ws = await api.workspace()
    const a = ws.owner
    const b = other.as(await ws.user('owner'))
    await Promise.all([a.get('/users/me'), b.get('/users/me')])
    const answers = await Promise.all(act(a, b))
    expect(await enabledOwners(ws)).toHaveLength(1)
    const [won, lost] = answers.toSorted((x, y) => x.status - y.status)
    expect(won!.status).toBe(200)
    expect([401, 403, 409]).toContain(lost!.status)
    return answers
  }
  const rounds = Array.from({ length: 40 })

  test('two owners demote each other: one remains, the other is refused', async () => {
    for (const [i] of rounds.entries()) {
      const role = i % 2 ? 'agent' : 'admin'
      const lost = (await race((a, b) => [put(a, b.id, role), put(b, a.id, role)])).find(
        x => x.status !== 200,
      )
      expect([403, 409]).toContain(lost!.status)
    }
  })
  test('two owners disable each other', async () => {
    for (const _ of rounds) await race((a, b) => [disable(a, b.id), disable(b, a.id)])
  })
  test('one disables while the other demotes', async () => {
    for (const _ of rounds) await race((a, b) => [disable(a, b.id), put(b, a.id, 'agent')])
  })
  test('ten owners demote in a ring: one is always left', async () => {
    const ws = await api.workspace()
    const owners = [ws.owner, ...(await Promise.all(Array.from({ length: 9 }, () => ws.user('owner'))))]
    const ring = owners.map((caller, i) =>
      put(i % 2 ? other.as(caller) : caller, owners[(i + 1) % 10]!.id, 'admin'),
    )
    for (const answer of await Promise.all(ring)) expect([200, 403, 409]).toContain(answer.status)
    expect((await enabledOwners(ws)).length).toBeGreaterThanOrEqual(1)
  })
})
