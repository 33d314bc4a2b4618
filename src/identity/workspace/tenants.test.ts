/** Creating workspaces, with open and closed sign-up. */
import { describe, expect, test } from 'vitest'
import { type ApiResponse, testApi } from '../../../test/harness/api.ts'
import { clientWithToken, logIn } from '../testing/users.ts'

const api = await testApi({ SIGNUP: 'open' })
const closed = await api.another({ signup: 'closed' })
const said = (answer: ApiResponse) => `${answer.status} ${answer.body.code ?? ''}`.trim()
const password = 'long enough for everybody'
let n = 0
const email = () => `founder${n++}@example.com`
const create = (body: unknown, at = api) => at.anonymous.post('/workspaces', body)

describe('POST /workspaces', () => {
  test('201 with a workspace of one owner and one team, logged in', async () => {
    const owner = { name: 'Ada 🙂', email: email(), password }
    const { status, body } = await create({ name: 'Ada & Co', owner })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      tenantId: expect.stringMatching(/^tn_/),
      tokenType: 'Bearer',
      user: { name: 'Ada 🙂', email: owner.email, role: 'owner', emailVerified: false },
    })
    const me = clientWithToken(api, body.accessToken)
    const { teams } = (await me.get('/teams')).body
    expect(teams).toMatchObject([{ name: 'Support', memberIds: [body.user.id] }])
    expect(body.user.teamIds).toEqual([teams[0].id])
    expect((await logIn(api, owner.email, password)).body.user.id).toBe(body.user.id)
  })
  test('201 for an address that has a workspace already: accounts are per workspace', async () => {
    const owner = { name: 'A', email: email(), password }
    const [first, second] = [await create({ name: 'A', owner }), await create({ name: 'B', owner })]
    expect(first.body.tenantId).not.toBe(second.body.tenantId)
    expect(said(await logIn(api, owner.email, password))).toBe('409 auth_tenant_required')
  })
  test('403 while sign-up is closed', async () => {
    const owner = { name: 'A', email: email(), password }
    expect(said(await create({ name: 'A', owner }, closed))).toBe('403 auth_signup_closed')
    expect((await logIn(api, owner.email, password)).status).toBe(401)
  })
  test.each([
    {},
    { name: 'A' },
    { name: 'A', owner: null },
    { name: 'A', owner: { name: 'A', email: 'x', password } },
    { name: 'A', owner: { name: 'A', email: 'x@example.com', password: 'too short' } },
    { name: 'A', owner: { name: 'A', email: 'x@example.com', password: 'x'.repeat(201) } },
    { name: '', owner: { name: 'A', email: 'x@example.com', password } },
    { name: 'A', owner: { name: 'A', email: 'x@example.com', password, role: 'owner' } },
    { name: 'A', tenantId: 'tn_mine', owner: { name: 'A', email: 'x@example.com', password } },
  ])('400 for %j', async body => {
    expect(said(await create(body))).toBe('400 validation_failed')
  })
})
