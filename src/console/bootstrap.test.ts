/** Tests the first request of the console, and the settings of workspaces and users that it returns. */
import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../test/harness/api.ts'
import { eventually } from '../../test/harness/wait.ts'
import { routes } from '../app.ts'

const api = await testApi()

/** On a busy machine counting may take too long. */
const readWithCounts = (client: Client) =>
  eventually(async () => {
    const { status, body } = await client.get('/console/bootstrap')
    expect([status, Object.keys(body)]).toEqual([200, expect.arrayContaining(['viewCounts'])])
    return body
  })

describe('GET /console/bootstrap', () => {
  test('200 with every part as its own operation returns it, users without the time of their last session', async () => {
    const { owner, tenantId } = await api.workspace('Harbor Lights')
    await owner.post('/tags', { name: 'VIP' })
    const robot = (await owner.post('/service-accounts', { name: 'Robot' })).body
    await owner.delete(`/service-accounts/${robot.id}`)
    await owner.post('/labels', { name: 'Billing' })
    await owner.put('/users/me/preferences', { theme: 'dark' })
    const view = (await owner.post('/views', { name: 'Mine', filter: { ownerId: 'me' } })).body
    const none = { count: 0, approximate: false }
    const body = await readWithCounts(owner)
    const read = async (path: string) => (await owner.get(path)).body
    const listed: { lastSeenAt: string }[] = (await read('/users')).users
    expect(body).toEqual({
      seq: 0,
      me: await read('/users/me'),
      preferences: { theme: 'dark' },
      workspace: await read('/workspace'),
      users: listed.map(({ lastSeenAt: _lastSeenAt, ...user }) => user),
      serviceAccounts: [{ id: robot.id, name: 'Robot' }],
      teams: (await read('/teams')).teams,
      tags: (await read('/tags')).tags,
      customFields: (await read('/contacts/custom-fields')).customFields,
      inboxes: [],
      labels: (await read('/labels')).labels,
      unread: await read('/users/me/unread-summary'),
      views: (await read('/views')).views,
      viewCounts: [
        { view: 'mine', ...none },
        { view: 'unassigned', ...none },
        { view: 'mentions', ...none },
        { view: 'team', ...none },
        { view: 'all', ...none },
        { view: 'snoozed', ...none },
        { view: view.id, ...none },
      ],
      macros: (await read('/macros')).macros,
    })
    expect(body.workspace).toMatchObject({ id: tenantId, name: 'Harbor Lights' })
    expect(body.me.scopes).toEqual([...api.deps.roleScopes.owner].sort())
    expect(body.tags).toMatchObject([{ name: 'VIP' }])
    expect(body.labels).toMatchObject([{ name: 'Billing' }])
  })

  test('each part is left out without its scope; 403 for keys, which have no user', async () => {
    const { user, key } = await api.workspace()
    const agent = await user('agent')
    const body = await readWithCounts(agent)
    const parts = Object.keys(body).filter(name => name !== 'seq')
    expect(parts.length).toBeGreaterThan(8)
    const { handle } = routes.find(({ operationId }) => operationId === 'getBootstrap')!
    const { tenantId, id } = agent
    const caller = { tenantId, id, kind: 'user', role: 'agent', teamIds: [] }
    const held = [...api.deps.roleScopes.agent]
    for (const [names, scope] of [
      ['users serviceAccounts', 'user:list'],
      ['teams', 'team:list'],
      ['inboxes', 'inbox:list'],
      ['tags', 'tag:list'],
      ['labels', 'label:list'],
      ['workspace', 'workspace:read'],
      ['views', 'view:list'],
      ['macros', 'macro:list'],
      ['viewCounts', 'conversation:list'],
    ] as const) {
      const scopes = new Set(held.filter(each => each !== scope))
      const load = () => handle({ ...api.deps, caller: { ...caller, scopes } } as never)
      const rest = await eventually(async () => {
        const found = (await load()) as object
        expect('viewCounts' in found).toBe(scope !== 'conversation:list')
        return found
      })
      expect(
        parts.filter(part => !(part in rest)),
        scope,
      ).toEqual(names.split(' '))
    }
    expect((await (await key()).get('/console/bootstrap')).body.code).toBe('auth_user_required')
  })

  test('counts that are slow or fail are left out, without the rest', async () => {
    const { owner } = await api.workspace()
    const parts = Object.keys(await readWithCounts(owner))
    const { handle } = routes.find(({ operationId }) => operationId === 'getBootstrap')!
    const { tenantId, id } = owner
    const caller = {
      tenantId,
      id,
      kind: 'user',
      role: 'owner',
      teamIds: [],
      scopes: api.deps.roleScopes.owner,
    }
    for (const search of [() => new Promise(() => {}), () => Promise.reject(new Error('busy'))]) {
      const db = Object.assign(Object.create(api.deps.db), { search })
      const startedAt = performance.now()
      const rest = (await handle({ ...api.deps, db, caller } as never)) as object
      expect(performance.now() - startedAt).toBeLessThan(1_500)
      expect(Object.keys(rest)).toEqual(parts.filter(part => part !== 'viewCounts'))
    }
  })

  test('20 views at most are counted', async () => {
    const { owner } = await api.workspace()
    for (let n = 0; n < 17; n++) await owner.post('/views', { name: `View ${n}`, filter: {} })
    expect((await readWithCounts(owner)).viewCounts).toHaveLength(20)
  })
})

describe('PATCH /workspace', () => {
  test('200 changes the settings, with an entry in the audit log; agents read them', async () => {
    const { owner, user } = await api.workspace()
    const businessHours = [
      { days: ['mon', 'tue'], from: '09:00', to: '12:00' },
      { days: ['mon'], from: '12:00', to: '24:00' },
    ]
    const before = (await owner.get('/workspace')).body
    expect(before).toMatchObject({
      timezone: 'UTC',
      locale: 'en',
      businessHours: null,
      retention: { messageDays: null },
    })
    const change = {
      name: 'Harbor',
      timezone: 'Europe/Madrid',
      locale: 'es-mx',
      businessHours,
      retention: { messageDays: 90 },
    }
    const { status, body } = await owner.patch('/workspace', change)
    expect([status, body]).toEqual([200, { ...before, ...change, locale: 'es-MX' }])
    const agent = await user('agent')
    expect((await agent.get('/workspace')).body).toEqual(body)
    expect((await agent.patch('/workspace', change)).status).toBe(403)
    expect((await owner.patch('/workspace', { businessHours: null })).body.businessHours).toBeNull()
    const { items } = (await owner.get('/audit-log?action=workspace.updated')).body
    expect(items).toMatchObject([
      { details: { businessHours: { from: businessHours, to: null } } },
      {
        details: {
          timezone: { from: 'UTC', to: 'Europe/Madrid' },
          locale: { to: 'es-MX' },
          retention: { from: { messageDays: null }, to: { messageDays: 90 } },
        },
      },
    ])
  })

  const workspace = api.workspace()
  const day = (from: string, to: string) => ({ days: ['mon'], from, to })
  test.each([
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '+02:00' }],
    ['timezone', { timezone: '' }],
    ['locale', { locale: 'not a locale' }],
    ['locale', { locale: '' }],
    ['businessHours[0].to', { businessHours: [day('17:00', '09:00')] }],
    ['businessHours[0].to', { businessHours: [day('09:00', '24:01')] }],
    ['businessHours[1]', { businessHours: [day('09:00', '12:00'), day('11:59', '13:00')] }],
    ['businessHours[0].days', { businessHours: [{ days: [], from: '09:00', to: '10:00' }] }],
    ['businessHours', { businessHours: [] }],
    ['retention.messageDays', { retention: { messageDays: 13 } }],
    ['retention.messageDays', { retention: { messageDays: 3_651 } }],
    ['retention.messageDays', { retention: {} }],
  ])('400 with a violation of %s for %j', async (field, body) => {
    const { owner } = await workspace
    const answer = await owner.patch('/workspace', body)
    expect([answer.status, answer.body.violations?.[0]?.field]).toEqual([400, field])
  })
})

describe('PUT /users/me/preferences', () => {
  test('200 replaces the object of this user only', async () => {
    const { owner, user } = await api.workspace()
    const agent = await user('agent')
    expect((await agent.get('/users/me/preferences')).body).toEqual({})
    const first = { theme: 'dark', keys: { resolve: ['e'] }, columns: [1, null, 'x'] }
    expect((await agent.put('/users/me/preferences', first)).body).toEqual(first)
    expect((await agent.put('/users/me/preferences', { theme: 'light' })).status).toBe(200)
    expect((await agent.get('/users/me/preferences')).body).toEqual({ theme: 'light' })
    expect((await owner.get('/users/me/preferences')).body).toEqual({})
  })

  test('413 for more than 64 KiB; 400 for a value that is not an object', async () => {
    const { owner } = await api.workspace()
    const text = 'x'.repeat(64 * 1024)
    expect((await owner.put('/users/me/preferences', { text })).status).toBe(413)
    const fitting = { text: text.slice(12) }
    expect((await owner.put('/users/me/preferences', fitting)).status).toBe(200)
    for (const body of ['[]', '"x"', 'null', '3'])
      expect((await owner.put('/users/me/preferences', body)).status, body).toBe(400)
  })
})
