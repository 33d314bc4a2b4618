/** Tests authentication, roles and scopes of every operation over HTTP. */
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { createBrowserSession } from '../../src/identity/auth/browser-sessions.ts'
import { buildRoleScopes, roles } from '../../src/identity/rights/roles.ts'
import { transact } from '../../src/platform/db/transact.ts'
import { type Access, getAccess, toOperation } from '../../src/platform/http/route.ts'
import { testApi } from '../harness/api.ts'

const roleScopes = buildRoleScopes(routes)
const api = await testApi({}, { spread: true })
const workspace = await api.workspace()
const people = {
  owner: workspace.owner,
  admin: await workspace.user('admin'),
  agent: await workspace.user('agent'),
}
const deps = await api.depsOf(workspace.tenantId)
const { token } = await transact(deps.db, tx =>
  createBrowserSession(deps, tx, { tenantId: workspace.tenantId, userId: workspace.owner.id }),
)
const restricted = routes
  .filter(route => getAccess(route) !== undefined)
  .map(route => ({ route, operation: toOperation(route), access: route.access as Access }))
const fillParams = (path: string) => path.replace(/\{\w+\}/g, 'nothing_here')

describe.each(restricted)('$operation', ({ route, access }) => {
  const path = fillParams(route.path)
  test('401 without a token and with a wrong token', async () => {
    expect((await api.anonymous.request(route.method, path)).status).toBe(401)
    expect(
      (await api.anonymous.request(route.method, path, undefined, { authorization: 'Bearer pk_wrong' }))
        .status,
    ).toBe(401)
  })
  test('403 for the session cookie with a request of another port', async () => {
    const headers = { cookie: `__Host-parley=${token}`, 'sec-fetch-site': 'same-site' }
    expect(await api.anonymous.request(route.method, path, undefined, headers)).toMatchObject({
      status: 403,
      body: { code: 'auth_cross_site' },
    })
  })
  test('403 for every role that is not listed', async () => {
    for (const role of roles.filter(name => !access.roles.includes(name))) {
      expect(await people[role].request(route.method, path), role).toMatchObject({
        status: 403,
        body: { code: 'auth_role_missing' },
      })
    }
  })
  test.runIf(access.scopes.length > 0)('403 for a key without one of the scopes', async () => {
    const role = access.roles.includes('admin') ? 'admin' : 'agent'
    for (const missing of access.scopes) {
      const key = await workspace.key({
        role,
        scopes: [...roleScopes[role]].filter(scope => scope !== missing),
      })
      expect(await key.request(route.method, path), missing).toMatchObject({
        status: 403,
        body: { code: 'auth_scope_missing' },
      })
    }
  })
})

test('public operations need no token', async () => {
  for (const route of routes.filter(({ access }) => access === 'public')) {
    const response = await api.anonymous.request(route.method, fillParams(route.path))
    expect(response.status, toOperation(route)).not.toBe(500)
    expect(response.body.code, toOperation(route)).not.toBe('auth_token_invalid')
  }
})

test('the API document lists every status that was observed', () => {
  expect([...api.unlistedStatuses]).toEqual([])
})
