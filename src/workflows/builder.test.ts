/** Tests operations for editors besides saving: validation without publishing, who changed and published what, search by name. */
import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../test/harness/api.ts'
import { sql } from '../platform/db/sql.ts'
import { buildDefinition, expectStatus } from './testing/fixtures.ts'

const api = await testApi()
const trigger = { type: 'message_received' }
const complete = buildDefinition({ start: ['start', { triggerConfig: trigger }], end: ['end'] }, [
  'start > end',
])
const unknownTag = buildDefinition(
  { start: ['start', { triggerConfig: trigger }], tag: ['addTag', { tagId: 'tag_no' }], lost: ['end'] },
  ['start > tag'],
)
const listCodes = (answer: { violations: { field: string; code: string }[] }) =>
  answer.violations.map(({ field, code }) => `${field} ${code}`).sort()

describe.each(['journey', 'chatbot'] as const)('%s', kind => {
  const property = kind === 'journey' ? 'definition' : 'draft'
  const create = async (client: Client, definition: object, name = 'Draft') =>
    (await expectStatus(client.post(`/${kind}s`, { name, [property]: definition }), 201)).id as string

  test('validate lists the violations of publishing with their paths, of the stored draft and of the body', async () => {
    const { owner, tenantId } = await api.workspace()
    const id = await create(owner, unknownTag)
    const path = `/${kind}s/${id}`
    const refused = await expectStatus(owner.post(`${path}/publish`), 400)
    expect(listCodes(refused)).toEqual([
      `${property}.nodes[1].data.tagId unknown_tag`,
      `${property}.nodes[2] unreachable`,
    ])
    const before = (await owner.get(path)).body
    const stored = await expectStatus(owner.post(`${path}/validate`), 200)
    expect(stored).toEqual({ violations: refused.violations, warnings: [] })
    const given = await expectStatus(owner.post(`${path}/validate`, { [property]: complete }), 200)
    expect(given.violations).toEqual([])
    const invalidStart = buildDefinition({ start: ['start', { entryMode: 'often' }] }, [])
    const wrong = await expectStatus(owner.post(`${path}/validate`, { [property]: invalidStart }), 200)
    expect(listCodes(wrong)).toEqual([`${property}.nodes[0].data.entryMode invalid_value`])
    expect((await owner.get(path)).body).toEqual(before)
    expect((await owner.get(`${path}/versions`)).body.totalSize).toBe(0)
    const [{ actions }] = (await api.deps.db.rows(sql`
      select array_agg(action) as actions from audit_log where tenant_id = ${tenantId} and target_id = ${id}`)) as [
      { actions: string[] },
    ]
    expect(actions).toEqual([`${kind}.created`])
    for (const type of ['__proto__', 'toString']) {
      const odd = buildDefinition({ start: ['start', { triggerConfig: trigger }], odd: [type, {}] }, [
        'start > odd',
      ])
      const found = await expectStatus(owner.post(`${path}/validate`, { [property]: odd }), 200)
      expect(listCodes(found)).toContain(`${property}.nodes[1].type unknown_type`)
    }
    const malformed = await owner.post(`${path}/validate`, {
      [property]: { nodes: [{ id: 'x' }], edges: [] },
    })
    expect([malformed.status, malformed.body.violations[0].field]).toEqual([400, `${property}.nodes[0].type`])
  })

  test('validate reports nodes that need rights which the caller lacks; 403 and 404 for others', async () => {
    const workspace = await api.workspace()
    const definition = buildDefinition(
      {
        start: ['start', { triggerConfig: trigger }],
        call: ['http', { method: 'GET', url: 'https://example.com' }],
      },
      ['start > call'],
    )
    const path = `/${kind}s/${await create(workspace.owner, definition)}/validate`
    expect((await expectStatus(workspace.owner.post(path), 200)).violations).toEqual([])
    const agent = await workspace.user('agent')
    expect(listCodes(await expectStatus(agent.post(path), 200))).toEqual([
      `${property}.nodes[1] missing_role`,
    ])
    const reader = await workspace.key({ scopes: ['journey:list'] })
    await expectStatus(reader.post(path), 403)
    const stranger = (await api.workspace()).owner
    expect((await expectStatus(stranger.post(path), 404)).code).toBe(`${kind}_not_found`)
  })

  test('updatedBy is who last changed the draft, publishedBy who published it, with the note', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const [admin, key] = [await workspace.user('admin'), await workspace.key()]
    const path = `/${kind}s/${await create(owner, complete)}`
    const updatedBy = async () => (await owner.get(path)).body.updatedBy
    expect(await updatedBy()).toBe(owner.id)
    const changed = await expectStatus(admin.patch(path, { name: 'Other' }), 200)
    expect(changed.updatedBy).toBe(admin.id)
    const published = await expectStatus(key.post(`${path}/publish`, { note: ' First version\n' }), 200)
    expect(published).toMatchObject({ publishedBy: key.id, note: 'First version', revision: 3 })
    expect(await updatedBy()).toBe(admin.id)
    await expectStatus(owner.post(`${path}/activate`), 200)
    expect(await updatedBy()).toBe(admin.id)
    const restored = await expectStatus(owner.post(`${path}/versions/${published.id}/restore`), 200)
    expect(restored.updatedBy).toBe(owner.id)
    const { [`${kind}Versions`]: versions } = (await owner.get(`${path}/versions`)).body
    expect(versions).toMatchObject([{ id: published.id, publishedBy: key.id, note: 'First version' }])
    const single =
      kind === 'journey' ? `/journeys/versions/${published.id}` : `${path}/versions/${published.id}`
    expect((await owner.get(single)).body).toMatchObject({ publishedBy: key.id, note: 'First version' })
    const tooLong = await owner.post(`${path}/publish`, { note: 'x'.repeat(501) })
    expect([tooLong.status, tooLong.body.violations[0].field]).toEqual([400, 'note'])
    const copy = await expectStatus(admin.post(`${path}/duplicate`), 201)
    expect(copy.updatedBy).toBe(admin.id)
  })

  test('publishing sends the new ETag; of two publishers with one ETag one gets 412', async () => {
    const { owner } = await api.workspace()
    const path = `/${kind}s/${await create(owner, complete)}`
    const publish = () => owner.post(`${path}/publish`, undefined, { 'if-match': '"1"' })
    const published = await Promise.all([publish(), publish(), publish()])
    expect(published.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    const etag = published.find(({ status }) => status === 200)!.headers.get('etag')!
    expect(etag).toBe('"2"')
    expect((await owner.get(`${path}/versions`)).body.totalSize).toBe(1)
    expect((await owner.patch(path, { name: 'Next' }, { 'if-match': etag })).status).toBe(200)
  })

  test('search finds names that contain the text, with their number and pages', async () => {
    const { owner } = await api.workspace()
    for (const name of ['Welcome', 'ÄRGER', 'welcome back', '100% sale', 'Unwelcome'])
      await create(owner, complete, name)
    const stranger = (await api.workspace()).owner
    await create(stranger, complete, 'Welcome')
    const search = async (text: string, more = '') => {
      const query = `search=${encodeURIComponent(text)}${more}`
      const { [`${kind}s`]: rows, ...rest } = await expectStatus(owner.get(`/${kind}s?${query}`), 200)
      return { names: rows.map((row: { name: string }) => row.name), ...rest }
    }
    const all = ['Unwelcome', 'welcome back', 'Welcome']
    expect(await search('WELCOME')).toEqual({ names: all, nextPageToken: null, totalSize: 3 })
    expect((await search('a\u0308rger')).names).toEqual(['ÄRGER'])
    expect((await search('%')).names).toEqual(['100% sale'])
    const first = await search('welcome', '&pageSize=2')
    expect(first).toMatchObject({ names: all.slice(0, 2), totalSize: 3 })
    const second = await search('welcome', `&pageSize=2&pageToken=${first.nextPageToken}`)
    expect(second).toEqual({ names: ['Welcome'], nextPageToken: null, totalSize: 3 })
    for (const text of ['', '%20', 'x'.repeat(201)])
      expect((await owner.get(`/${kind}s?search=${text}`)).status, text).toBe(400)
  })

  test('lists filter by status, and number the published versions', async () => {
    const { owner } = await api.workspace()
    await create(owner, complete, 'Second')
    const id = await create(owner, complete, 'First')
    const list = async (query: string) => {
      const { [`${kind}s`]: rows, totalSize } = await expectStatus(owner.get(`/${kind}s?${query}`), 200)
      expect(totalSize).toBe(rows.length)
      return rows.map(({ name, version }: { name: string; version: number | null }) => [name, version])
    }
    const drafts = [
      ['First', null],
      ['Second', null],
    ]
    expect(await list('status=draft')).toEqual(drafts)
    await expectStatus(owner.post(`/${kind}s/${id}/publish`), 200)
    await expectStatus(owner.post(`/${kind}s/${id}/publish`), 200)
    await expectStatus(owner.post(`/${kind}s/${id}/activate`), 200)
    expect(await list('status=active')).toEqual([['First', 2]])
    expect(await list('status=active&search=second')).toEqual([])
    expect(await list('status=draft')).toEqual([['Second', null]])
    await expectStatus(owner.post(`/${kind}s/${id}/pause`), 200)
    expect(await list('status=paused')).toEqual([['First', 2]])
    expect((await owner.get(`/${kind}s?status=other`)).status).toBe(400)
  })
})

test('validate reports an active bot that would no longer be reached', async () => {
  const { owner } = await api.workspace()
  const keyword = { type: 'message_received', match: 'keyword', values: ['hi'] }
  const draft = buildDefinition({ start: ['start', { triggerConfig: keyword }], end: ['end'] }, [
    'start > end',
  ])
  const ids: string[] = []
  for (const name of ['First', 'Second']) {
    const { id } = await expectStatus(owner.post('/chatbots', { name, draft }), 201)
    await expectStatus(owner.post(`/chatbots/${id}/publish`), 200)
    await expectStatus(owner.post(`/chatbots/${id}/activate`), 200)
    ids.push(id)
  }
  const validate = (id: string) =>
    expectStatus(owner.post(`/chatbots/${id}/validate`, { draft: complete }), 200)
  const [found] = (await validate(ids[0]!)).violations
  expect(found).toMatchObject({ field: 'draft.nodes[0].data.triggerConfig', code: 'chatbot_scope_taken' })
  expect(found.message).toContain(`"Second" (${ids[1]})`)
  expect((await validate(ids[1]!)).violations).toEqual([])
  await expectStatus(owner.patch(`/chatbots/${ids[0]}`, { draft: complete }), 200)
  expect((await expectStatus(owner.post(`/chatbots/${ids[0]}/publish`), 409)).code).toBe(
    'chatbot_scope_taken',
  )
})
