/** What is deleted while workflows speak of it. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { createChatbot, createJourney, getPath, must, waitForRun } from '../testing/fixtures.ts'

const service = await testService()
let owner: Client

beforeEach(async () => {
  owner = (await service.workspace()).owner
})

const newTag = async (name: string) => (await must(owner.post('/tags', { name }), 201)).id as string
const newField = async (name: string, type = 'text') =>
  (await must(owner.post('/contacts/custom-fields', { name, type }), 201)).id as string
const newContact = async () => (await must(owner.post('/contacts', { name: 'Ada' }), 201)).id as string
const manual = { type: 'manual' }
const notSet = (fieldId: string) => ({
  match: 'all',
  conditions: [{ type: 'customFieldText', fieldId, operator: 'isNotSet' }],
})
const enter = (id: string, contactId: string) => owner.post(`/journeys/${id}/runs`, { contactId })

test('a deleted tag is shown as missing, on record, and refused when the journey is activated or published', async () => {
  const tagId = await newTag('VIP')
  const id = await createJourney(owner, {
    trigger: manual,
    nodes: { tag: ['addTag', { tagId }], note: ['note', { text: 'done' }] },
    edges: ['start > tag', 'tag > note'],
  })
  expect((await must(owner.get(`/journeys/${id}`), 200)).missing).toEqual([])
  await must(owner.delete(`/tags/${tagId}`), 204)

  const fault = { field: 'definition.nodes[1].data.tagId', code: 'unknown_tag' }
  expect(await must(owner.get(`/journeys/${id}`), 200)).toMatchObject({ status: 'active', missing: [fault] })
  const { items } = await must(owner.get('/audit-log'), 200)
  expect(items).toContainEqual(
    expect.objectContaining({
      action: 'journey.reference_deleted',
      targetId: id,
      details: expect.objectContaining({
        status: 'active',
        tag: { id: tagId, name: 'VIP' },
        published: [fault.field],
        draft: [fault.field],
      }),
    }),
  )

  // It stays active, and its runs pass over the tag.
  await must(enter(id, await newContact()), 201)
  const run = await waitForRun(owner, id, 'completed')
  expect(getPath(run)).toEqual(['start:next', 'tag:next', 'note:next'])
  expect(run.path[1].detail).toEqual({ skipped: 'the tag was deleted' })

  await must(owner.post(`/journeys/${id}/pause`), 200)
  for (const step of ['activate', 'publish'])
    expect(await must(owner.post(`/journeys/${id}/${step}`), 400)).toMatchObject({ violations: [fault] })
})

test('a run that comes to a deleted field fails and says which', async () => {
  const [fieldId, dayId] = [await newField('Size'), await newField('Birthday', 'date')]
  const set = await createJourney(owner, {
    trigger: manual,
    nodes: { set: ['setField', { fieldId, value: 'L' }] },
    edges: ['start > set'],
  })
  const wait = await createJourney(owner, {
    trigger: manual,
    nodes: { wait: ['delay', { field: dayId }] },
    edges: ['start > wait'],
  })
  for (const gone of [fieldId, dayId]) await must(owner.delete(`/contacts/custom-fields/${gone}`), 204)
  const contactId = await newContact()
  for (const [id, nodeId, gone] of [
    [set, 'set', fieldId],
    [wait, 'wait', dayId],
  ] as const) {
    await must(enter(id, contactId), 201)
    expect(await waitForRun(owner, id, 'failed')).toMatchObject({
      endReason: 'unknown_field',
      error: { code: 'unknown_field', nodeId, message: `the custom field ${gone} was deleted` },
    })
  }
})

test('a condition on a deleted field holds for nobody, also "is not set"', async () => {
  const fieldId = await newField('Unsubscribed')
  const branching = await createJourney(owner, {
    trigger: manual,
    nodes: {
      branch: ['branch', { cases: [{ id: 'mail', filter: notSet(fieldId) }] }],
      mail: ['note', { text: 'would be written to' }],
    },
    edges: ['start > branch', 'branch:mail > mail'],
  })
  const guarded = await createJourney(owner, {
    trigger: { ...manual, conditions: notSet(fieldId) },
    nodes: { mail: ['note', { text: 'would be written to' }] },
    edges: ['start > mail'],
  })
  const contactId = await newContact()
  await must(enter(guarded, contactId), 201)
  await must(owner.delete(`/contacts/custom-fields/${fieldId}`), 204)

  await must(enter(branching, contactId), 201)
  expect(getPath(await waitForRun(owner, branching, 'completed'))).toEqual(['start:next', 'branch:else'])
  await must(enter(guarded, contactId), 409)
  const explained = await must(owner.get(`/journeys/${guarded}/contacts/${contactId}/explain`), 200)
  expect(explained).toMatchObject({ wouldEnter: false, reasons: [{ code: 'conditions_not_met' }] })
})

test('a deleted segment and team are missing too, and a bot tells of them like a journey', async () => {
  const segment = await must(
    owner.post('/segments', { name: 'All', filter: { match: 'all', conditions: [] } }),
    201,
  )
  const { id: teamId } = await must(owner.post('/teams', { name: 'Sales' }), 201)
  const entered = await createJourney(owner, {
    trigger: { type: 'segment_entered', segmentId: segment.id },
    nodes: { note: ['note', { text: 'hello' }] },
    edges: ['start > note'],
  })
  const bot = await createChatbot(owner, {
    nodes: { give: ['handoff', { teamId }] },
    edges: ['start > give'],
  })
  const etag = (await owner.get(`/segments/${segment.id}`)).headers.get('etag')!
  await must(owner.delete(`/segments/${segment.id}`, { 'if-match': etag }), 204)
  await must(owner.delete(`/teams/${teamId}`), 204)

  expect((await must(owner.get(`/journeys/${entered}`), 200)).missing).toMatchObject([
    { field: 'definition.nodes[0].data.triggerConfig.segmentId', code: 'unknown_segment' },
  ])
  const fault = { field: 'definition.nodes[1].data.teamId', code: 'unknown_team' }
  expect((await must(owner.get(`/chatbots/${bot}`), 200)).missing).toMatchObject([fault])
  await must(owner.post(`/chatbots/${bot}/pause`), 200)
  expect(await must(owner.post(`/chatbots/${bot}/activate`), 400)).toMatchObject({ violations: [fault] })
  const { items } = await must(owner.get('/audit-log'), 200)
  expect(items.map((one: { action: string }) => one.action)).toContain('journey.reference_deleted')
})
