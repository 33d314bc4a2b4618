/** Who may call what, asked of every operation over HTTP. */
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { buildRoleScopes, roles } from '../../src/identity/roles.ts'
import { type Access, toOperation } from '../../src/platform/http/route.ts'
import { testApi } from '../harness/api.ts'

const roleScopes = buildRoleScopes(routes)
const api = await testApi()
const workspace = await api.workspace()
const people = {
  owner: workspace.owner,
  admin: await workspace.user('admin'),
  agent: await workspace.user('agent'),
}
const closed = routes
  .filter(route => route.access !== 'public')
  .map(route => ({ route, operation: toOperation(route), access: route.access as Access }))
const somewhere = (path: string) => path.replace(/\{\w+\}/g, 'nothing_here')

describe.each(closed)('$operation', ({ route, access }) => {
  const path = somewhere(route.path)
  test('401 without a token, and with a wrong one', async () => {
    expect((await api.anonymous.request(route.method, path)).status).toBe(401)
    expect(
      (await api.anonymous.request(route.method, path, undefined, { authorization: 'Bearer pk_wrong' }))
        .status,
    ).toBe(401)
  })
  test('403 for every role that is not listed', async () => {
    for (const role of roles.filter(one => !access.roles.includes(one))) {
      expect(await people[role].request(route.method, path), role).toMatchObject({
        status: 403,
        body: { code: 'auth_role_missing' },
      })
    }
  })
  test.runIf(access.scopes.length > 0)('403 for a key that lacks any one of its scopes', async () => {
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

test('public operations answer without a token', async () => {
  for (const route of routes.filter(one => one.access === 'public')) {
    const answer = await api.anonymous.request(route.method, somewhere(route.path))
    expect(answer.status, toOperation(route)).not.toBe(500)
    expect(answer.body.code, toOperation(route)).not.toBe('auth_token_invalid')
  }
})
