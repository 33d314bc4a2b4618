import { describe, expect, test } from 'vitest'
import { type Client, testApi } from '../../../test/harness/api.ts'

const api = await testApi()
const trigger = { type: 'contact_created', conditions: {} }
const start = (data: object = { triggerConfig: trigger, entryMode: 'once' }) => ({
  id: 'start',
  type: 'start',
  data,
})
const drawing = { nodes: [start()], edges: [] }

async function make(owner: Client, body: object = {}) {
  const made = await owner.post('/journeys', { name: 'Welcome', definition: drawing, ...body })
  expect(made.status).toBe(201)
  return made.body
}

async function publish(owner: Client, id: string) {
  const published = await owner.post(`/journeys/${id}/publish`)
  expect(published.status).toBe(200)
  return published.body
}

describe('journeys', () => {
  test('201, read, list newest first with totalSize, 204 and then 404', async () => {
    const { owner, tenantId } = await api.workspace()
    const made = await make(owner)
    expect(made).toEqual({
      id: expect.stringMatching(/^jrn_/),
      tenantId,
      name: 'Welcome',
      status: 'draft',
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
      entryMode: 'once',
      triggerConfig: trigger,
      definition: drawing,
      publishedVersionId: null,
      revision: 1,
      updatedBy: owner.id,
    })
    expect((await owner.get(`/journeys/${made.id}`)).body).toEqual({ ...made, missing: [] })
    const second = await make(owner)
    const page = await owner.get('/journeys?pageSize=1')
    expect(page.body).toMatchObject({ journeys: [{ id: second.id }], totalSize: 2 })
    const rest = await owner.get(`/journeys?pageSize=1&pageToken=${page.body.nextPageToken}`)
    const listed = { ...made, version: null, counts: { entered: 0, waiting: 0 } }
    expect(rest.body).toEqual({ journeys: [listed], nextPageToken: null, totalSize: 2 })
    expect((await owner.delete(`/journeys/${made.id}`)).status).toBe(204)
    expect((await owner.get(`/journeys/${made.id}`)).body.code).toBe('journey_not_found')
    expect((await owner.get('/journeys')).body.totalSize).toBe(1)
  })

  test('trigger and entry mode are stored in the start node', async () => {
    const { owner } = await api.workspace()
    const made = await make(owner, { definition: undefined, triggerConfig: trigger, entryMode: 'every_time' })
    expect(made).toMatchObject({ entryMode: 'every_time', triggerConfig: trigger })
    expect(made.definition.nodes).toEqual([start({ triggerConfig: trigger, entryMode: 'every_time' })])
    const other = { type: 'manual', conditions: {} }
    const edited = await owner.patch(`/journeys/${made.id}`, { triggerConfig: other })
    expect(edited.body).toMatchObject({ triggerConfig: other, entryMode: 'every_time' })
    expect(edited.body.definition.nodes[0].data).toEqual({ triggerConfig: other, entryMode: 'every_time' })
    const inside = await owner.patch(`/journeys/${made.id}`, {
      definition: { nodes: [start({ triggerConfig: trigger, entryMode: 'once_active' })], edges: [] },
    })
    expect(inside.body).toMatchObject({ triggerConfig: trigger, entryMode: 'once_active' })
    const plain = await make(owner, { definition: undefined })
    expect(plain).toMatchObject({
      entryMode: 'once',
      triggerConfig: null,
      definition: { nodes: [], edges: [] },
    })
  })

  test('400 if start node and request differ', async () => {
    const { owner } = await api.workspace()
    const both = (body: object) => owner.post('/journeys', { name: 'J', definition: drawing, ...body })
    expect(
      (await both({ triggerConfig: { conditions: {}, type: 'contact_created' }, entryMode: 'once' })).status,
    ).toBe(201)
    const different = await both({ triggerConfig: { type: 'manual' }, entryMode: 'every_time' })
    expect(different.status).toBe(400)
    expect(different.body.violations.map((one: { field: string }) => one.field)).toEqual([
      'triggerConfig',
      'entryMode',
    ])
  })

  test('400 for an invalid start node, unknown properties and too large definitions', async () => {
    const { owner } = await api.workspace()
    const refused = async (definition: object, field: string) => {
      const answer = await owner.post('/journeys', { name: 'J', definition })
      expect(answer.status, field).toBe(400)
      expect(answer.body.violations.map((one: { field: string }) => one.field)).toContain(field)
    }
    await refused({ nodes: [start({ entryMode: 'often' })], edges: [] }, 'definition.nodes[0].data.entryMode')
    await refused(
      { nodes: [start({ triggerConfig: { type: 7 } })], edges: [] },
      'definition.nodes[0].data.triggerConfig.type',
    )
    await refused({ nodes: [{ ...start(), kind: 'x' }], edges: [] }, 'definition.nodes[0].kind')
    await refused({ nodes: [], edges: [{ id: 'e', source: 'a' }] }, 'definition.edges[0].target')
    const big = { id: 'n', type: 'note', data: { text: 'x'.repeat(300_000) } }
    await refused({ nodes: [start(), big], edges: [] }, 'definition')
    const many = Array.from({ length: 501 }, (_, i) => ({ id: `n${i}`, type: 'end', data: {} }))
    await refused({ nodes: many, edges: [] }, 'definition.nodes')
  })

  test('publish creates immutable versions; activate, pause and delete check the status', async () => {
    const { owner } = await api.workspace()
    const { id } = await make(owner)
    const path = `/journeys/${id}`
    expect((await owner.post(`${path}/activate`)).body.code).toBe('journey_not_published')
    expect((await owner.post(`${path}/pause`)).body.code).toBe('journey_not_active')
    const { warnings: _, revision: afterFirst, ...first } = await publish(owner, id)
    expect(afterFirst).toBe(2)
    expect(first).toEqual({
      id: expect.stringMatching(/^jrv_/),
      journeyId: id,
      definition: drawing,
      triggerConfig: trigger,
      entryMode: 'once',
      createdAt: expect.any(String),
      publishedBy: owner.id,
      note: null,
    })
    expect((await owner.get(path)).body).toMatchObject({ status: 'draft', publishedVersionId: first.id })
    expect((await owner.post(`${path}/activate`)).body).toMatchObject({ id, status: 'active' })
    expect((await owner.post(`${path}/activate`)).body.code).toBe('journey_active')
    expect((await owner.delete(path)).body).toMatchObject({ status: 409, code: 'journey_active' })
    const edited = await owner.patch(path, { entryMode: 'every_time' })
    expect(edited.body).toMatchObject({
      status: 'active',
      entryMode: 'every_time',
      publishedVersionId: first.id,
    })
    expect((await owner.get(`/journeys/versions/${first.id}`)).body).toEqual(first)
    const { warnings: __, revision: ___, ...second } = await publish(owner, id)
    expect((await owner.get(path)).body).toMatchObject({ status: 'active', publishedVersionId: second.id })
    const versions = await owner.get(`${path}/versions`)
    expect(versions.body).toEqual({ journeyVersions: [second, first], nextPageToken: null, totalSize: 2 })
    const page = await owner.get(`${path}/versions?pageSize=1`)
    const rest = await owner.get(`${path}/versions?pageSize=1&pageToken=${page.body.nextPageToken}`)
    expect(rest.body).toEqual({ journeyVersions: [first], nextPageToken: null, totalSize: 2 })
    expect((await owner.post(`${path}/pause`)).body.status).toBe('paused')
    expect((await owner.post(`${path}/activate`)).body.status).toBe('active')
    await owner.post(`${path}/pause`)
    expect((await owner.delete(path)).status).toBe(204)
    expect((await owner.get(`/journeys/versions/${first.id}`)).body.code).toBe('journey_version_not_found')
    const { body } = await owner.get(`/audit-log?targetId=${id}`)
    const entries = body[Object.keys(body)[0]!]
    expect(new Set(entries.map((one: { action: string }) => one.action))).toEqual(
      new Set([
        'journey.created',
        'journey.published',
        'journey.activated',
        'journey.paused',
        'journey.deleted',
      ]),
    )
  })

  test('restore replaces the draft, diff compares two versions', async () => {
    const { owner } = await api.workspace()
    const { id } = await make(owner)
    const first = await publish(owner, id)
    const nodes = [
      start({ triggerConfig: { type: 'manual' }, entryMode: 'once' }),
      { id: 'end', type: 'end', data: {} },
    ]
    const edges = [{ id: 'e', source: 'start', target: 'end' }]
    await owner.patch(`/journeys/${id}`, { definition: { nodes, edges } })
    const second = await publish(owner, id)
    const diff = await owner.get(`/journeys/${id}/versions/${first.id}/diff/${second.id}`)
    expect(diff.body).toMatchObject({
      from: first.id,
      to: second.id,
      nodes: {
        added: [{ id: 'end' }],
        removed: [],
        changed: [{ id: 'start', paths: ['data.triggerConfig.type', 'data.triggerConfig.conditions'] }],
      },
      edges: { added: edges, removed: [], changed: [] },
      triggerChanged: true,
      entryModeChanged: false,
      same: false,
    })
    const none = await owner.get(`/journeys/${id}/versions/${second.id}/diff/${second.id}`)
    expect(none.body).toMatchObject({ same: true, nodes: { changed: [] } })
    const restored = await owner.post(`/journeys/${id}/versions/${first.id}/restore`)
    expect(restored.body).toMatchObject({ definition: drawing, publishedVersionId: second.id })
    const other = await make(owner)
    const foreign = await owner.post(`/journeys/${other.id}/versions/${first.id}/restore`)
    expect(foreign.body.code).toBe('journey_version_not_found')
  })
})
