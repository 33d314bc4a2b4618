/** Drafts as an editor saves them: ETags, trigger and entry mode that a patch does not mention, React Flow's properties. */
import { describe, expect, test } from 'vitest'
import { testApi } from '../../test/harness/api.ts'
import { expectStatus } from './testing/fixtures.ts'

const api = await testApi()
const triggerConfig = { type: 'tag_added', tagIds: ['tag_1'], conditions: {} }
const start = { id: 's', type: 'start', data: {} }
const end = { id: 'x', type: 'end', data: {} }
const edge = { id: 'e', source: 's', target: 'x' }

async function createDraft(kind: 'journey' | 'chatbot') {
  const { owner } = await api.workspace()
  const definition = { nodes: [{ ...start, data: { triggerConfig, entryMode: 'every_time' } }], edges: [] }
  const body = kind === 'journey' ? { definition } : { draft: definition }
  const made = await owner.post(`/${kind}s`, { name: 'Draft', ...body })
  return { owner, path: `/${kind}s/${made.body.id}`, made }
}

describe.each(['journey', 'chatbot'] as const)('%s', kind => {
  const property = kind === 'journey' ? 'definition' : 'draft'

  test('412 for the second of two editors who read the same draft', async () => {
    const { owner, path, made } = await createDraft(kind)
    expect(made.headers.get('etag')).toBe('"1"')
    expect((await owner.get(path)).headers.get('etag')).toBe('"1"')
    const save = (name: string) => owner.patch(path, { name }, { 'if-match': '"1"' })
    const first = await save('First')
    expect([first.status, first.headers.get('etag'), first.body.revision]).toEqual([200, '"2"', 2])
    const second = await save('Second')
    expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
    expect((await owner.get(path)).body.name).toBe('First')
    expect((await owner.post(`${path}/publish`, undefined, { 'if-match': '"1"' })).status).toBe(412)
    expect((await owner.delete(path, { 'if-match': '"1"' })).status).toBe(412)
    expect((await owner.delete(path, { 'if-match': '"2"' })).status).toBe(204)
  })

  test('412 for an editor who sends back a revision that another editor has changed, without If-Match', async () => {
    const { owner, path, made } = await createDraft(kind)
    const { [property]: draft, revision } = made.body
    const save = (name: string) => owner.patch(path, { name, [property]: draft, revision })
    const saved = await Promise.all(['First', 'Second', 'Third'].map(save))
    expect(saved.map(({ status }) => status).sort()).toEqual([200, 412, 412])
    expect((await owner.get(path)).body.revision).toBe(2)
    // The whole resource as it was read; other members that changed are refused too.
    expect([400, 412]).toContain((await owner.patch(path, made.body)).status)
    expect((await owner.patch(path, { revision: 2 })).body.revision).toBe(2)
  })

  test('200 for PATCH {}, which changes nothing', async () => {
    const { owner, path, made } = await createDraft(kind)
    expect((await expectStatus(owner.patch(path, {}), 200)) as unknown).toEqual(made.body)
    expect((await owner.get(path)).body).toMatchObject(made.body)
  })

  test("keeps React Flow's properties, and gives edges without an id one", async () => {
    const { owner, path } = await createDraft(kind)
    const nodes = [
      {
        ...start,
        position: { x: 1, y: 2 },
        width: 150,
        selected: true,
        measured: { width: 150, height: 40 },
      },
      { ...end, dragging: false, sourcePosition: 'right', style: { color: 'red' } },
    ]
    const shown = { type: 'smoothstep', animated: true, markerEnd: { type: 'arrow' }, data: { label: 'a' } }
    const edges = [
      { source: 's', target: 'x', ...shown },
      { source: 's', target: 'x' },
    ]
    const viewport = { x: 0, y: -10.5, zoom: 0.75 }
    const saved = (await expectStatus(owner.patch(path, { [property]: { nodes, edges, viewport } }), 200))[
      property
    ]
    expect(saved.viewport).toEqual(viewport)
    expect(saved.nodes[0]).toMatchObject({ width: 150, selected: true, measured: { width: 150, height: 40 } })
    expect(saved.nodes[1]).toEqual(nodes[1])
    expect(saved.edges).toEqual([
      { id: 's:-x', source: 's', target: 'x', ...shown },
      { id: 's:-x-2', source: 's', target: 'x' },
    ])
    const wrong = { nodes: [{ ...start, colour: 'red' }], edges: [] }
    const refused = await expectStatus(owner.patch(path, { [property]: wrong }), 400)
    expect(refused.violations[0]).toMatchObject({
      field: `${property}.nodes[0].colour`,
      code: 'unknown_property',
    })
  })

  test('the diff of versions that only look different is the same', async () => {
    const { owner } = await api.workspace()
    const data = { triggerConfig: { type: 'message_received' } }
    const nodes = [{ ...start, data }, end]
    const made = await expectStatus(
      owner.post(`/${kind}s`, { name: 'D', [property]: { nodes, edges: [edge] } }),
      201,
    )
    const path = `/${kind}s/${made.id}`
    const publish = async () => (await expectStatus(owner.post(`${path}/publish`), 200)).id as string
    const before = await publish()
    const moved = { nodes: [{ ...nodes[0], selected: true, position: { x: 1, y: 1 } }, end] }
    await expectStatus(
      owner.patch(path, { [property]: { ...moved, edges: [{ ...edge, animated: true }] } }),
      200,
    )
    const draft = await expectStatus(owner.get(`${path}/versions/${before}/diff/draft`), 200)
    const diff = await expectStatus(owner.get(`${path}/versions/${before}/diff/${await publish()}`), 200)
    expect({ ...draft, to: diff.to }).toEqual(diff)
    expect(diff.same).toBe(true)
    await expectStatus(owner.patch(path, { [property]: { nodes: [nodes[0]], edges: [] } }), 200)
    const other = await expectStatus(owner.get(`${path}/versions/${before}/diff/${await publish()}`), 200)
    expect(other.same).toBe(false)
  })
})

test.each([
  ['an empty start node', { nodes: [start, end], edges: [edge] }],
  ['no start node', { nodes: [end], edges: [] }],
])('a definition with %s keeps triggerConfig and entryMode', async (_, definition) => {
  const { owner, path } = await createDraft('journey')
  const saved = await expectStatus(owner.patch(path, { definition }), 200)
  expect(saved).toMatchObject({ triggerConfig, entryMode: 'every_time' })
  const replaced = { ...triggerConfig, tagIds: ['tag_2'] }
  const nodes = [{ ...start, data: { triggerConfig: replaced } }]
  const changed = await expectStatus(owner.patch(path, { definition: { nodes, edges: [] } }), 200)
  expect(changed).toMatchObject({ triggerConfig: replaced, entryMode: 'every_time' })
})
