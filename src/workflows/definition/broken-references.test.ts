/** Resources that are deleted while workflows reference them. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { createChatbot, createJourney, expectStatus, getPath, waitForRun } from '../testing/fixtures.ts'

const service = await testService()
let owner: Client

beforeEach(async () => {
  owner = (await service.workspace()).owner
})

const newTag = async (name: string) => (await expectStatus(owner.post('/tags', { name }), 201)).id as string
const newField = async (name: string, type = 'text') =>
  (await expectStatus(owner.post('/contacts/custom-fields', { name, type }), 201)).id as string
const newContact = async () =>
  (await expectStatus(owner.post('/contacts', { name: 'Ada' }), 201)).id as string
const manual = { type: 'manual' }
const notSet = (fieldId: string) => ({
  match: 'all',
  conditions: [{ type: 'customFieldText', fieldId, operator: 'isNotSet' }],
})
const enter = (id: string, contactId: string) => owner.post(`/journeys/${id}/runs`, { contactId })

test('a deleted tag is listed as missing, audited, and rejected by activate and publish', async () => {
  const tagId = await newTag('VIP')
  const id = await createJourney(owner, {
    trigger: manual,
    nodes: { tag: ['addTag', { tagId }], note: ['note', { text: 'done' }] },
    edges: ['start > tag', 'tag > note'],
  })
  expect((await expectStatus(owner.get(`/journeys/${id}`), 200)).missing).toEqual([])
  await expectStatus(owner.delete(`/tags/${tagId}`), 204)

  const fault = { field: 'definition.nodes[1].data.tagId', code: 'unknown_tag' }
  expect(await expectStatus(owner.get(`/journeys/${id}`), 200)).toMatchObject({
    status: 'active',
    missing: [fault],
  })
  const { items } = await expectStatus(owner.get('/audit-log'), 200)
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

  // The journey stays active, and its runs skip the tag.
  await expectStatus(enter(id, await newContact()), 201)
  const run = await waitForRun(owner, id, 'completed')
  expect(getPath(run)).toEqual(['start:next', 'tag:next', 'note:next'])
  expect(run.path[1].detail).toEqual({ skipped: 'the tag was deleted' })

  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
  for (const step of ['activate', 'publish'])
    expect(await expectStatus(owner.post(`/journeys/${id}/${step}`), 400)).toMatchObject({
      violations: [fault],
    })
})

test('unknown_custom_field for a run that reaches a deleted field', async () => {
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
  for (const gone of [fieldId, dayId])
    await expectStatus(owner.delete(`/contacts/custom-fields/${gone}`), 204)
  const contactId = await newContact()
  for (const [id, nodeId, gone] of [
    [set, 'set', fieldId],
    [wait, 'wait', dayId],
  ] as const) {
    await expectStatus(enter(id, contactId), 201)
    expect(await waitForRun(owner, id, 'failed')).toMatchObject({
      endReason: 'unknown_custom_field',
      error: { code: 'unknown_custom_field', nodeId, message: `the custom field ${gone} was deleted` },
    })
  }
})

test('a condition on a deleted field is never true, including "is not set"', async () => {
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
  await expectStatus(enter(guarded, contactId), 201)
  await expectStatus(owner.delete(`/contacts/custom-fields/${fieldId}`), 204)

  await expectStatus(enter(branching, contactId), 201)
  expect(getPath(await waitForRun(owner, branching, 'completed'))).toEqual(['start:next', 'branch:else'])
  await expectStatus(enter(guarded, contactId), 409)
  const explained = await expectStatus(owner.get(`/journeys/${guarded}/contacts/${contactId}/explain`), 200)
  expect(explained).toMatchObject({ wouldEnter: false, reasons: [{ code: 'conditions_not_met' }] })
})

test('a deleted segment and team are listed as missing, for journeys and chatbots', async () => {
  const segment = await expectStatus(
    owner.post('/segments', { name: 'All', filter: { match: 'all', conditions: [] } }),
    201,
  )
  const { id: teamId } = await expectStatus(owner.post('/teams', { name: 'Sales' }), 201)
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
  await expectStatus(owner.delete(`/segments/${segment.id}`, { 'if-match': etag }), 204)
  await expectStatus(owner.delete(`/teams/${teamId}`), 204)

  expect((await expectStatus(owner.get(`/journeys/${entered}`), 200)).missing).toMatchObject([
    { field: 'definition.nodes[0].data.triggerConfig.segmentId', code: 'unknown_segment' },
  ])
  const fault = { field: 'draft.nodes[1].data.teamId', code: 'unknown_team' }
  expect((await expectStatus(owner.get(`/chatbots/${bot}`), 200)).missing).toMatchObject([fault])
  await expectStatus(owner.post(`/chatbots/${bot}/pause`), 200)
  expect(await expectStatus(owner.post(`/chatbots/${bot}/activate`), 400)).toMatchObject({
    violations: [fault],
  })
  const { items } = await expectStatus(owner.get('/audit-log'), 200)
  expect(items.map((one: { action: string }) => one.action)).toContain('journey.reference_deleted')
})
