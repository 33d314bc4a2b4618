import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../test/harness/api.ts'
import { sweepDeletedField, sweepDeletedTag } from '../contacts/jobs.ts'
import { sql } from '../platform/db/sql.ts'
import type { Work } from '../platform/jobs/job.ts'

const api = await testApi()
const everyone = { match: 'all', conditions: [] }

async function makeSegment(owner: Client, filter: object = everyone, name = 'S') {
  const answer = await owner.post('/segments', { name, filter })
  expect(answer.status).toBe(201)
  return { ...answer.body, etag: answer.headers.get('etag')! }
}

describe('segments', () => {
  test('201, 200 and a list, newest first, each with an ETag', async () => {
    const { owner } = await api.workspace()
    const made = await owner.post('/segments', { name: 'All', filter: everyone, description: 'everybody' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'All',
        description: 'everybody',
        createdBy: owner.id,
        updatedBy: owner.id,
        filter: everyone,
        revision: 1,
      },
    })
    expect(made.headers.get('etag')).toBe('"1"')
    const read = await owner.get(`/segments/${made.body.id}`)
    expect(read.body).toEqual(made.body)
    expect(read.headers.get('etag')).toBe('"1"')
    const second = await makeSegment(owner, everyone, 'Second')
    const page = await owner.get('/segments?limit=1')
    expect(page.body).toMatchObject({ items: [{ id: second.id }], hasMore: true })
    const rest = await owner.get(`/segments?limit=1&cursor=${page.body.nextCursor}`)
    expect(rest.body).toEqual({ items: [made.body], nextCursor: null, hasMore: false })
  })

  test('428 without If-Match, 412 with an old one, 200 and a new revision with the current', async () => {
    const workspace = await api.workspace()
    const { owner } = workspace
    const admin = await workspace.user('admin')
    const { id, etag } = await makeSegment(owner)
    const path = `/segments/${id}`
    expect((await owner.patch(path, { name: 'B' })).status).toBe(428)
    expect((await owner.delete(path)).status).toBe(428)
    expect((await owner.patch(path, { name: 'B' }, { 'if-match': '"7"' })).status).toBe(412)
    const changed = await admin.patch(path, { name: 'B' }, { 'if-match': etag })
    const body = { name: 'B', revision: 2, filter: everyone, createdBy: owner.id, updatedBy: admin.id }
    expect(changed).toMatchObject({ status: 200, body })
    expect(changed.headers.get('etag')).toBe('"2"')
    const same = await owner.patch(path, { name: 'B', filter: everyone }, { 'if-match': '"2"' })
    expect(same.body.revision).toBe(2)
    expect((await owner.delete(path, { 'if-match': etag })).status).toBe(412)
    expect((await owner.delete(path, { 'if-match': '"1", "2"' })).status).toBe(204)
    expect((await owner.get(path)).status).toBe(404)
    expect((await owner.patch(path, { name: 'C' })).status).toBe(404)
  })

  test('of two writers with one ETag, one succeeds', async () => {
    const { owner } = await api.workspace()
    const { id, etag } = await makeSegment(owner)
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map(name => owner.patch(`/segments/${id}`, { name }, { 'if-match': etag })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 412, 412, 412])
    const winner = answers.find(answer => answer.status === 200)!
    expect((await owner.get(`/segments/${id}`)).body).toEqual(winner.body)
  })

  test('403 for an agent who creates one, 400 for an invalid filter', async () => {
    const { owner, user } = await api.workspace()
    expect((await (await user('agent')).post('/segments', { name: 'S', filter: everyone })).status).toBe(403)
    const conditions = [{ type: 'hasAnyTag', tagIds: ['tag_no'] }]
    const answer = await owner.post('/segments', { name: 'S', filter: { match: 'all', conditions } })
    expect(answer.body).toMatchObject({
      status: 400,
      violations: [{ field: 'filter.conditions[0].tagIds[0]' }],
    })
  })

  test('each change is in the audit log', async () => {
    const { owner } = await api.workspace()
    const { id, etag } = await makeSegment(owner)
    await owner.patch(`/segments/${id}`, { name: 'B' }, { 'if-match': etag })
    await owner.delete(`/segments/${id}`, { 'if-match': '*' })
    const { body } = await owner.get(`/audit-log?targetId=${id}`)
    const actions = body[Object.keys(body)[0]!].map((entry: { action: string }) => entry.action)
    expect(actions).toEqual(['segment.deleted', 'segment.updated', 'segment.created'])
  })
})

describe('inside a segment', () => {
  test('search narrows it, count counts it, explain lists the conditions', async () => {
    const { owner } = await api.workspace()
    const tag = (await owner.post('/tags', { name: 'VIP' })).body
    const ids = []
    for (const name of ['Ada', 'Bob', 'Cyd']) ids.push((await owner.post('/contacts', { name })).body.id)
    for (const id of ids.slice(0, 2)) await owner.post(`/contacts/${id}/tags/${tag.id}`)
    const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
    const { id } = await makeSegment(owner, filter)
    const inside = (conditions: object[]) =>
      owner.post(`/segments/${id}/contacts/search`, { filter: { match: 'all', conditions } })
    expect((await inside([])).body.items.map((item: { name: string }) => item.name)).toEqual(['Bob', 'Ada'])
    expect((await inside([{ type: 'searchText', text: 'ada' }])).body.items).toMatchObject([{ name: 'Ada' }])
    expect((await owner.get(`/segments/${id}/count`)).body).toEqual({ totalSize: 2 })
    const explain = async (contactId: string) =>
      (await owner.get(`/segments/${id}/contacts/${contactId}/explain`)).body
    expect(await explain(ids[2])).toMatchObject({
      matches: false,
      conditions: [
        { condition: { type: 'hasAnyTag' }, holds: false, implied: false },
        { condition: { type: 'archiveStatus' }, holds: true, implied: true },
      ],
    })
    expect((await explain(ids[0])).matches).toBe(true)
    await owner.post(`/contacts/${ids[0]}/archive`)
    expect((await explain(ids[0])).matches).toBe(false)
    expect((await inside([{ type: 'archiveStatus', status: 'any' }])).body.items).toHaveLength(1)
    expect((await owner.get(`/segments/${id}/contacts/con_no/explain`)).body.code).toBe('contact_not_found')
  })

  test('a search within a segment of archived contacts needs no archiveStatus', async () => {
    const { owner } = await api.workspace()
    const { id } = (await owner.post('/contacts', { name: 'A' })).body
    await owner.post(`/contacts/${id}/archive`)
    const conditions = [{ type: 'archiveStatus', status: 'archived' }]
    const segment = await makeSegment(owner, { match: 'all', conditions })
    const found = await owner.post(`/segments/${segment.id}/contacts/search`, { filter: everyone })
    expect(found.body.items).toHaveLength(1)
  })
})

describe('DELETE of a tag or custom field', () => {
  const work = (tenantId: string) => ({ tenantId }) as Work

  test('removed immediately from contacts, lists and segments, which never match more', async () => {
    const { owner, tenantId } = await api.workspace()
    const tag = (await owner.post('/tags', { name: 'VIP' })).body
    const keep = (await owner.post('/tags', { name: 'Keep' })).body
    const contact = (await owner.post('/contacts', { name: 'A' })).body
    await owner.post(`/contacts/${contact.id}/tags/${tag.id}`)
    const both = await makeSegment(owner, {
      match: 'all',
      conditions: [{ type: 'hasAnyTag', tagIds: [tag.id, keep.id] }],
    })
    const only = await makeSegment(owner, {
      match: 'all',
      conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }],
    })
    const none = await makeSegment(owner)
    expect((await owner.delete(`/tags/${tag.id}`)).status).toBe(204)
    expect((await owner.get(`/contacts/${contact.id}`)).body.tagIds).toEqual([])
    expect((await owner.get('/contacts?search=vip')).body.contacts).toEqual([])
    expect((await owner.get(`/contacts?tagIds=${tag.id}`)).status).toBe(400)
    expect((await owner.get('/tags')).body.tags.map((one: { id: string }) => one.id)).toEqual([keep.id])
    const filterOf = async (id: string) => (await owner.get(`/segments/${id}`)).body
    expect(await filterOf(both.id)).toMatchObject({
      revision: 2,
      filter: { conditions: [{ tagIds: [keep.id] }] },
    })
    expect(await filterOf(only.id)).toMatchObject({ revision: 2, filter: { conditions: [{ tagIds: [] }] } })
    expect(await filterOf(none.id)).toMatchObject({ revision: 1 })
    expect((await owner.get(`/segments/${only.id}/count`)).body).toEqual({ totalSize: 0 })
    expect((await owner.delete(`/tags/${tag.id}`)).status).toBe(404)
    expect((await owner.post('/tags', { name: 'VIP' })).status).toBe(201)
    await sweepDeletedTag.handle(api.deps, { tagId: tag.id }, work(tenantId))
    expect(await api.deps.db.rows(sql`select 1 from contact_tags where tag_id = ${tag.id}`)).toEqual([])
  })

  test('a condition on a deleted field matches no contact, and its values are removed', async () => {
    const { owner, tenantId } = await api.workspace()
    const field = (await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })).body
    const contact = (await owner.post('/contacts', { customFields: { plan: 'gold', cf_email: 'x@y.z' } }))
      .body
    const condition = { type: 'customFieldText', fieldId: field.id, operator: 'notEquals', value: 'silver' }
    const segment = await makeSegment(owner, { match: 'all', conditions: [condition] })
    expect((await owner.get(`/segments/${segment.id}/count`)).body).toEqual({ totalSize: 1 })
    expect((await owner.delete(`/contacts/custom-fields/${field.id}`)).status).toBe(204)
    expect((await owner.get(`/contacts/${contact.id}`)).body.customFields).toEqual({ cf_email: 'x@y.z' })
    const { filter, revision } = (await owner.get(`/segments/${segment.id}`)).body
    expect({ filter, revision }).toMatchObject({ revision: 2, filter: { conditions: [{ type: 'never' }] } })
    expect((await owner.get(`/segments/${segment.id}/count`)).body).toEqual({ totalSize: 0 })
    const saved = await owner.patch(`/segments/${segment.id}`, { filter }, { 'if-match': '"2"' })
    expect(saved.status).toBe(200) // what we wrote can be sent back
    await sweepDeletedField.handle(api.deps, { fieldId: field.id }, work(tenantId))
    const [row] = await api.deps.db.rows(
      sql`select fields, field_text from contacts where id = ${contact.id}`,
    )
    expect(row).toEqual({ fields: { cf_email: 'x@y.z' }, field_text: '' })
    expect((await owner.get('/contacts?customFields[cf_email]=x@y.z')).body.contacts).toHaveLength(1)
  })

  test('the audit entry names the campaigns scheduled on a rewritten segment', async () => {
    const { owner, tenantId } = await api.workspace()
    const tag = (await owner.post('/tags', { name: 'VIP' })).body
    const segment = await makeSegment(owner, {
      match: 'all',
      conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }],
    })
    await api.deps.db.rows(sql`
      insert into campaigns (tenant_id, id, name, status, segment_id, created_by, created_at, updated_at)
      values (${tenantId}, 'cmp_1', 'Spring', 'scheduled', ${segment.id}, 'usr_1', now(), now())`)
    await owner.delete(`/tags/${tag.id}`)
    const entries = await api.deps.db.rows<{ details: object }>(
      sql`select details from audit_log where target_id = ${segment.id} and action = 'segment.rewritten'`,
    )
    expect(entries).toMatchObject([
      { details: { campaigns: [{ id: 'cmp_1', name: 'Spring' }], tag: { name: 'VIP' } } },
    ])
  })

  test('a segment saved while its tag is deleted never references it', async () => {
    const { owner } = await api.workspace()
    for (let round = 0; round < 5; round++) {
      const tag = (await owner.post('/tags', { name: `t${round}` })).body
      const filter = { match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tag.id] }] }
      const [saved] = await Promise.all([
        owner.post('/segments', { name: 'S', filter }),
        owner.delete(`/tags/${tag.id}`),
      ])
      if (saved.status === 400) continue
      const { body } = await owner.get(`/segments/${saved.body.id}`)
      expect(body.filter.conditions[0].tagIds).toEqual([])
    }
  })
})
