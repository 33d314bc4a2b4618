/** The conventions that every operation follows, shown on operations of the service. */
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/app.ts'
import { toOperation } from '../../src/platform/http/route.ts'
import { type Client, testApi, type Workspace } from '../harness/api.ts'
import { playProviders } from '../harness/sandbox.ts'

const api = await testApi({}, { spread: true })
await playProviders(api)
const filter = { match: 'all', conditions: [] }

async function createSegment(client: Client) {
  const { body, headers } = await client.post('/segments', { name: 'All', filter })
  return { path: `/segments/${body.id}`, body, etag: headers.get('etag')! }
}

describe('pages', () => {
  test('null and an empty token mean the first page, and the last page has a null token', async () => {
    const { owner } = await api.workspace()
    for (const name of ['A', 'B', 'C']) await owner.post('/contacts', { name })
    const first = await owner.get('/contacts?pageSize=2&pageToken=')
    expect(first.body.contacts).toHaveLength(2)
    const last = await owner.get(`/contacts?pageSize=2&pageToken=${first.body.nextPageToken}`)
    expect(last.body).toMatchObject({ contacts: [{ name: 'A' }], nextPageToken: null })
    const search = { filter, limit: 2, cursor: null, sort: null }
    const page = await owner.post('/contacts/search', search)
    expect(page).toMatchObject({ status: 200, body: { hasMore: true } })
    const rest = await owner.post('/contacts/search', { ...search, cursor: page.body.nextCursor })
    expect(rest.body).toMatchObject({ items: [{ name: 'A' }], hasMore: false, nextCursor: null })
    for (const path of ['/conversations', '/journeys', '/chatbots', '/webhooks/attempts'])
      expect((await owner.get(path)).body.nextPageToken, path).toBeNull()
    for (const path of ['/segments', '/campaigns', '/audit-log'])
      expect((await owner.get(`${path}?cursor=`)).status, path).toBe(200)
  })
})

describe('defaults', () => {
  test('null means the default of an optional member, but not of a required one or in a PATCH', async () => {
    const { owner } = await api.workspace()
    const made = await owner.post('/contacts', { name: null, phone: null, customFields: null })
    expect(made).toMatchObject({ status: 201, body: { name: null, customFields: {} } })
    const journey = { name: 'J', definition: null, triggerConfig: null, entryMode: null }
    expect((await owner.post('/journeys', journey)).status).toBe(201)
    expect((await owner.post('/tags', { name: null })).status).toBe(400)
    const { path, etag } = await createSegment(owner)
    expect((await owner.patch(path, { name: null }, { 'if-match': etag })).status).toBe(400)
  })
})

/** A resource that a client read and sends back with changes. */
interface Patchable {
  path: string
  /** For resources without a GET of their own: as they were created or listed. */
  current?: object
  changes: object
  headers?: Record<string, string>
}

const changed = { name: 'Changed' }
/** The claims of a visitor of a web chat have no GET. */
const patchOperations = routes
  .filter(({ method, access }) => method === 'PATCH' && access !== 'visitor')
  .map(toOperation)
let numbers = 0

/** Creates the resource and returns it as its client received it. */
async function createAt(client: Client, path: string, body: object, changes: object = changed) {
  const created = await client.post(path, body)
  expect(created.status, JSON.stringify(created.body)).toBeLessThan(300)
  return { path: `${path}/${created.body.id}`, current: created.body, changes }
}

/** The same, but a client must read the resource again. */
async function createAndGetAt(client: Client, path: string, body: object, changes: object = changed) {
  const { current: _, ...patchable } = await createAt(client, path, body, changes)
  return patchable
}

async function createInbox({ owner }: Workspace): Promise<string> {
  const chatapp = { resourceIds: ['6671'], phoneNumberIds: [`6671${++numbers}`] }
  return (await owner.post('/inboxes', { chatapp })).body.inboxes[0].id
}

async function send(workspace: Workspace) {
  const recipient = { type: 'phone', phoneNumber: '+14155550100' }
  const content = { type: 'text', text: { body: 'Hello' } }
  const inboxId = await createInbox(workspace)
  return (await workspace.owner.post('/messages', { recipient, inboxId, content })).body
}

/** Creates more items than a page of their list has. */
async function fillPage(create: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 50; n++) await create(n)
}

const patchable: Record<string, (workspace: Workspace) => Promise<Patchable>> = {
  'PATCH /users/me': async () => ({ path: '/users/me', changes: changed }),
  'PATCH /users/{userId}': async ({ user }) => ({
    path: `/users/${(await user('agent')).id}`,
    changes: { disabled: true },
  }),
  'PATCH /workspace': async () => ({ path: '/workspace', changes: changed }),
  'PATCH /teams/{id}': ({ owner }) => createAt(owner, '/teams', { name: 'Billing' }),
  'PATCH /service-accounts/{id}': ({ owner }) => createAt(owner, '/service-accounts', { name: 'Robot' }),
  'PATCH /contacts/{id}': ({ owner }) => createAndGetAt(owner, '/contacts', { phone: '+14155550100' }),
  'PATCH /contacts/{id}/notes/{noteId}': async ({ owner }) => {
    const path = `/contacts/${(await owner.post('/contacts', {})).body.id}/notes`
    const note = await createAt(owner, path, { text: 'Oldest' }, { text: 'Changed' })
    await fillPage(() => owner.post(path, { text: 'Newer' }))
    return note
  },
  'PATCH /tags/{id}': ({ owner }) => createAt(owner, '/tags', { name: 'VIP' }),
  'PATCH /contacts/custom-fields/{id}': ({ owner }) =>
    createAt(owner, '/contacts/custom-fields', { name: 'Plan', type: 'text' }),
  'PATCH /properties/custom-fields/{id}': ({ owner }) =>
    createAt(owner, '/properties/custom-fields', { name: 'Rooms', type: 'text' }),
  'PATCH /segments/{segmentId}': async ({ owner }) => {
    const { path, etag } = await createSegment(owner)
    return { path, changes: changed, headers: { 'if-match': etag } }
  },
  'PATCH /campaigns/{campaignId}': ({ owner }) => createAndGetAt(owner, '/campaigns', { name: 'C' }),
  'PATCH /journeys/{id}': ({ owner }) => createAndGetAt(owner, '/journeys', { name: 'J' }),
  'PATCH /chatbots/{id}': ({ owner }) => createAndGetAt(owner, '/chatbots', { name: 'B' }),
  'PATCH /inboxes/{id}': async workspace => ({
    path: `/inboxes/${await createInbox(workspace)}`,
    changes: changed,
  }),
  'PATCH /labels/{id}': ({ owner }) => createAt(owner, '/labels', { name: 'Billing', color: '#2b59c3' }),
  'PATCH /notes/{id}': async workspace => {
    const path = `/conversations/${(await send(workspace)).conversation.id}/notes`
    const note = await createAt(workspace.owner, path, { text: 'First' }, { text: 'Changed' })
    return { ...note, path: `/notes/${note.current.id}` }
  },
  'PATCH /conversations/{id}/visitor': async ({ owner }) => {
    const webchat = { name: 'Site', allowedOrigins: ['https://shop.example'] }
    const [inbox] = (await owner.post('/inboxes', { webchat })).body.inboxes
    const { visitor } = (await api.anonymous.post(`/widget/${inbox.externalId}/sessions`, {})).body
    const recipient = { type: 'channel', channel: 'webchat', externalId: visitor.id }
    const content = { type: 'text', text: { body: 'Hello' } }
    const { body } = await owner.post('/messages', { recipient, inboxId: inbox.id, content })
    return { path: `/conversations/${body.conversation.id}/visitor`, changes: { isBlocked: true } }
  },
  'PATCH /messages/{id}': async workspace => {
    const path = `/conversations/${(await send(workspace)).conversation.id}/messages`
    const inMinutes = (n: number) => new Date(api.deps.clock.now().getTime() + n * 60_000).toISOString()
    const content = { type: 'text', text: { body: 'Later' } }
    const { body } = await workspace.owner.post(path, { content, sendAt: inMinutes(5) })
    return { path: `/messages/${body.message.id}`, changes: { sendAt: inMinutes(9) } }
  },
  'PATCH /saved-replies/{id}': async ({ owner }) => {
    const path = '/saved-replies'
    await fillPage(n => owner.post(path, { shortcut: `a${n}`, text: 'Hello' }))
    return createAt(owner, path, { shortcut: 'last', text: 'Hello' }, { text: 'Changed' })
  },
  'PATCH /macros/{id}': ({ owner }) =>
    createAt(owner, '/macros', { name: 'Close', actions: [{ type: 'close' }] }),
  'PATCH /views/{id}': ({ owner }) => createAt(owner, '/views', { name: 'Mine', filter: { ownerId: 'me' } }),
  'PATCH /webhooks': async () => ({ path: '/webhooks', changes: { eventTypes: ['contact.created'] } }),
  'PATCH /webhooks/endpoints/{id}': ({ owner }) =>
    createAndGetAt(
      owner,
      '/webhooks/endpoints',
      { url: 'https://example.com/hooks/a' },
      { description: 'Changed' },
    ),
}

describe('a PATCH with what GET returned', () => {
  const echo = async (owner: Client, path: string, changes: object, headers: Record<string, string> = {}) => {
    const current = await owner.get(path)
    return owner.patch(path, { ...current.body, ...changes }, headers)
  }

  test.each(patchOperations)('200 for %s', async operation => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const create = patchable[operation]
    if (!create) throw new Error(`add ${operation} to the resources that can be patched`)
    const { path, current = (await owner.get(path)).body, changes, headers } = await create(workspace)
    expect(current).toEqual(expect.any(Object))
    const answer = await owner.patch(path, { ...current, ...changes }, headers)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
    if (operation === 'PATCH /messages/{id}') expect(answer.body.message).toMatchObject(changes)
    else expect(answer.body).toMatchObject(changes)
  })

  test('400 for a read-only member with another value, a member that GET does not have, and no access', async () => {
    const { owner, key } = await api.workspace()
    const { id, createdAt } = (await owner.post('/contacts', { name: 'Ada' })).body
    const path = `/contacts/${id}`
    expect(await echo(owner, path, { createdAt: '2020-01-01T00:00:00.000Z' })).toMatchObject({
      status: 400,
      body: { violations: [{ field: 'createdAt', code: 'unknown_property' }] },
    })
    expect((await echo(owner, path, { colour: 'red' })).status).toBe(400)
    expect((await owner.patch('/contacts/con_none', { id: 'con_none' })).status).toBe(400)
    const writer = await key({ scopes: ['contact:update'] })
    expect((await writer.patch(path, { createdAt })).status).toBe(400)
    expect((await owner.get(path)).body.name).toBe('Ada')
    const { current: reply } = await createAt(owner, '/saved-replies', { shortcut: 'hi', text: 'Hello' })
    const replyPath = `/saved-replies/${reply.id}`
    expect((await owner.patch(replyPath, { ...reply, revision: 9 })).status).toBe(400)
    const editor = await key({ scopes: ['saved_reply:update'] })
    expect((await editor.patch(replyPath, { revision: reply.revision })).status).toBe(400)
  })
})

describe('Idempotency-Key', () => {
  test('a 404 is replayed, a request with an invalid body does not use up its key', async () => {
    const { owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', { name: 'Ada' })).body
    const merge = (body: object, key: string) =>
      owner.post(`/contacts/${id}/merge`, body, { 'idempotency-key': key })
    const missing = await merge({ intoContactId: 'con_none' }, 'missing')
    expect(missing.status).toBe(404)
    const again = await merge({ intoContactId: 'con_none' }, 'missing')
    expect(again.body).toEqual(missing.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const tag = (body: object) => owner.post('/tags', body, { 'idempotency-key': 'tag' })
    expect((await tag({ name: '' })).status).toBe(400)
    expect((await tag({ name: 'VIP' })).status).toBe(201)
    expect((await tag({ name: 'Other' })).body.code).toBe('idempotency_key_reused')
  })
})

describe('conditional requests', () => {
  test('428 for an empty If-Match, 412 for one that is not an entity tag', async () => {
    const { owner } = await api.workspace()
    const { path, etag } = await createSegment(owner)
    const rename = (header: string) => owner.patch(path, { name: 'B' }, { 'if-match': header })
    expect((await rename('')).body).toMatchObject({ status: 428, code: 'precondition_required' })
    expect((await rename('1')).body).toMatchObject({ status: 412, code: 'precondition_failed' })
    expect((await owner.delete(path, { 'if-match': '"1' })).status).toBe(412)
    expect((await rename(etag)).status).toBe(200)
    const { id } = (await owner.post('/campaigns', { name: 'C' })).body
    expect((await owner.patch(`/campaigns/${id}`, { name: 'D' }, { 'if-match': '' })).status).toBe(200)
    expect((await owner.patch(`/campaigns/${id}`, { name: 'E' }, { 'if-match': 'x' })).status).toBe(412)
  })

  test('304 without a body while the ETag is current', async () => {
    const { owner } = await api.workspace()
    const { path, etag } = await createSegment(owner)
    for (const header of [etag, `W/${etag}`, `"9", ${etag}`, '*']) {
      const answer = await owner.get(path, { 'if-none-match': header })
      expect(answer, header).toMatchObject({ status: 304, body: '' })
      expect(answer.headers.get('etag')).toBe(etag)
    }
    await owner.patch(path, { name: 'B' }, { 'if-match': etag })
    expect(await owner.get(path, { 'if-none-match': etag })).toMatchObject({
      status: 200,
      body: { name: 'B' },
    })
  })
})

describe('URLs and values', () => {
  test('414 with its own code and without the path', async () => {
    const { owner } = await api.workspace()
    const id = `x${'y'.repeat(600)}`
    const answer = await owner.get(`/contacts/${id}`)
    expect(answer).toMatchObject({ status: 414, body: { status: 414, code: 'url_too_long' } })
    expect(JSON.stringify(answer.body)).not.toContain('yyy')
  })

  test('a slash at the end of a path changes nothing', async () => {
    const { owner } = await api.workspace()
    expect((await owner.post('/contacts/', { name: 'Ada' })).status).toBe(201)
    expect((await owner.get('/contacts/?search=ada')).body.contacts).toHaveLength(1)
    expect((await owner.get('/tags/')).body).toEqual({ tags: [] })
    expect(await owner.delete('/contacts/')).toMatchObject({ status: 405 })
    expect((await owner.get('/nothing/')).status).toBe(404)
  })

  test('leap seconds are accepted where they can occur', async () => {
    const { owner } = await api.workspace()
    await owner.post('/contacts/custom-fields', { name: 'due', type: 'date' })
    const { id } = (await owner.post('/contacts', { name: 'Ada' })).body
    const path = `/contacts/${id}`
    const due = '2016-12-31T23:59:60Z'
    expect(await owner.patch(path, { customFields: { due } })).toMatchObject({ status: 200 })
    expect((await owner.patch(path, { customFields: { due: '2016-12-31T22:59:60Z' } })).status).toBe(400)
    const { customFields } = (await owner.get('/contacts/custom-fields')).body
    const fieldId = customFields.find((field: { name: string }) => field.name === 'due').id
    const condition = { type: 'customFieldDate', fieldId, operator: 'on', value: '2017-01-01' }
    const found = await owner.post('/contacts/search', { filter: { match: 'all', conditions: [condition] } })
    expect(found.body.items).toHaveLength(1)
    const since = encodeURIComponent('2017-01-01T08:59:60.5+09:00')
    expect((await owner.get(`/contacts?createdAfter=${since}`)).body.contacts).toHaveLength(1)
  })

  test('400 for a name or note that nobody can see', async () => {
    const { owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', { name: 'Ada' })).body
    for (const [path, member, other] of [
      ['/contacts', 'name', {}],
      ['/tags', 'name', {}],
      ['/contacts/custom-fields', 'name', { type: 'text' }],
      ['/labels', 'name', { color: '#2b59c3' }],
      ['/teams', 'name', {}],
      ['/segments', 'name', { filter }],
      ['/campaigns', 'name', {}],
      ['/journeys', 'name', {}],
      ['/service-accounts', 'name', {}],
      [`/contacts/${id}/notes`, 'text', {}],
    ] as const)
      for (const text of [' ', '\u200b\u2060', '\u3164', '\u202e\u2800'])
        expect(await owner.post(path, { ...other, [member]: text }), path).toMatchObject({
          status: 400,
          body: { violations: [{ field: member, message: 'must have a visible character' }] },
        })
    expect((await owner.patch(`/contacts/${id}`, { name: '\u200bAda' })).status).toBe(200)
  })

  test('400 for numbers beyond 2^53 says so, in bodies and in queries', async () => {
    const { owner } = await api.workspace()
    const expectTooLarge = (body: unknown, field: string) =>
      expect(body).toMatchObject({
        status: 400,
        violations: [{ field, code: 'too_large', message: expect.stringContaining('2^53') }],
      })
    const text = JSON.stringify({ filter, limit: 1 })
    for (const number of ['9007199254740993', '-9007199254740993', '1e300'])
      expectTooLarge((await owner.post('/contacts/search', text.replace('1', number))).body, 'limit')
    expectTooLarge((await owner.get('/contacts?pageSize=9007199254740993')).body, 'pageSize')
    expect((await owner.get('/contacts?pageSize=9007199254740991')).status).toBe(200)
  })
})
