/** The conventions that every operation follows, shown on operations of the service. */
import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../harness/api.ts'

const api = await testApi()
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

describe('a PATCH with what GET returned', () => {
  const echo = async (owner: Client, path: string, changes: object, headers: Record<string, string> = {}) => {
    const current = await owner.get(path)
    return owner.patch(path, { ...current.body, ...changes }, headers)
  }

  test('200 for every resource that can be patched', async () => {
    const { owner, user, teamId } = await api.workspace()
    const { id: contactId } = (await owner.post('/contacts', { phone: '+14155550100' })).body
    const agent = await user('agent')
    const segment = await createSegment(owner)
    const { id: campaignId } = (await owner.post('/campaigns', { name: 'C' })).body
    const { id: journeyId } = (await owner.post('/journeys', { name: 'J' })).body
    const { id: botId } = (await owner.post('/chatbots', { name: 'B' })).body
    const changed = { name: 'Changed' }
    const expectations = [
      echo(owner, `/contacts/${contactId}`, changed),
      echo(owner, '/users/me', changed),
      echo(owner, segment.path, changed, { 'if-match': segment.etag }),
      echo(owner, `/campaigns/${campaignId}`, changed),
      echo(owner, `/journeys/${journeyId}`, changed),
      echo(owner, `/chatbots/${botId}`, changed),
    ]
    for (const answer of await Promise.all(expectations))
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: changed })
    expect(await echo(owner, `/users/${agent.id}`, { disabled: true })).toMatchObject({
      status: 200,
      body: { disabled: true },
    })
    expect((await echo(owner, '/webhooks', { eventTypes: ['contact.created'] })).status).toBe(200)
    const field = (await owner.post('/contacts/custom-fields', { name: 'Plan', type: 'text' })).body
    const renamed = await owner.patch(`/contacts/custom-fields/${field.id}`, { ...field, name: 'Tier' })
    expect(renamed).toMatchObject({ status: 200, body: { ...field, name: 'Tier' } })
    const team = (await owner.get('/teams')).body.teams.find(({ id }: { id: string }) => id === teamId)
    expect(await owner.patch(`/teams/${teamId}`, { ...team, ...changed })).toMatchObject({ status: 200 })
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
