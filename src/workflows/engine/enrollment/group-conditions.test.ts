/** Tests that journeys evaluate groups and conditions on journeys and the absence of tags as searches do. */
import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import type { Work } from '../../../platform/jobs/job.ts'
import { sweepSegments } from './segment-entries.ts'

const service = await testService()
let owner: Client

beforeEach(async () => {
  owner = (await service.workspace()).owner
})

const create = async (name: string) => (await owner.post('/contacts', { name })).body.id as string

async function activate(triggerConfig: object, waits = false): Promise<string> {
  const start = { id: 's', type: 'start', data: { triggerConfig } }
  const wait = { id: 'w', type: 'delay', data: { for: { hours: 1 } } }
  const definition = waits
    ? { nodes: [start, wait], edges: [{ id: 'e', source: 's', target: 'w' }] }
    : { nodes: [start], edges: [] }
  const { id } = (await owner.post('/journeys', { name: 'J', definition })).body
  const published = await owner.post(`/journeys/${id}/publish`)
  expect(published.status, JSON.stringify(published.body)).toBe(200)
  expect((await owner.post(`/journeys/${id}/activate`)).status).toBe(200)
  return id
}

const enter = async (journeyId: string, contactId: string) =>
  (await owner.post(`/journeys/${journeyId}/runs`, { contactId })).status

test('conditions of a trigger: groups match, and the absence of a deleted tag does not', async () => {
  const tagId = (await owner.post('/tags', { name: 'VIP' })).body.id
  const conditions = {
    match: 'all',
    conditions: [
      {
        match: 'any',
        conditions: [
          { match: 'all', conditions: [{ type: 'notAnyTag', tagIds: [tagId] }] },
          { type: 'optedOut', channel: 'sms' },
        ],
      },
    ],
  }
  const journeyId = await activate({ type: 'manual', conditions })
  const [plain, tagged, optedOut] = [await create('Ada'), await create('Bob'), await create('Cyd')]
  for (const id of [tagged, optedOut]) await owner.post(`/contacts/${id}/tags/${tagId}`)
  await owner.put(`/contacts/${optedOut}/opt-outs/sms`)
  expect(await enter(journeyId, plain)).toBe(201)
  expect(await enter(journeyId, tagged)).toBe(409)
  expect(await enter(journeyId, optedOut)).toBe(201)
  await owner.delete(`/tags/${tagId}`)
  expect(await enter(journeyId, await create('Dan'))).toBe(409)
})

test('400 at publishing for an unknown journey or campaign in a group', async () => {
  const conditions = {
    match: 'all',
    conditions: [
      { match: 'any', conditions: [{ type: 'inJourney', journeyId: 'jrn_no' }] },
      { type: 'gotCampaign', campaignId: 'cmp_no' },
    ],
  }
  const nodes = [{ id: 's', type: 'start', data: { triggerConfig: { type: 'manual', conditions } } }]
  const { id } = (await owner.post('/journeys', { name: 'J', definition: { nodes, edges: [] } })).body
  const { status, body } = await owner.post(`/journeys/${id}/publish`)
  expect(status).toBe(400)
  expect(body.violations.map((one: { code: string }) => one.code).sort()).toEqual([
    'unknown_campaign',
    'unknown_journey',
  ])
})

test('a contact that starts a journey enters the segment of that journey with the next sweep', async () => {
  const first = await activate({ type: 'manual' }, true)
  const filter = {
    match: 'all',
    conditions: [{ match: 'any', conditions: [{ type: 'inJourney', journeyId: first }] }],
  }
  const segmentId = (await owner.post('/segments', { name: 'S', filter })).body.id
  const second = await activate({ type: 'segment_entered', segmentId })
  const contactId = await create('Ada')
  expect(await enter(first, contactId)).toBe(201)
  await sweepSegments.job.handle(service.deps, { at: service.deps.clock.now().toISOString() }, {} as Work)
  const runs = await until(
    async () => (await owner.get(`/journeys/${second}/runs`)).body.runs,
    found => found.length > 0,
    20_000,
  )
  expect(runs).toMatchObject([{ contactId }])
})

test('segment_entered: the event that completes the count starts the run', async () => {
  const performed = { type: 'performedEvent', name: 'order', operator: 'gte', value: 2, windowDays: 30 }
  const filter = { match: 'all', conditions: [performed] }
  const segmentId = (await owner.post('/segments', { name: 'Regulars', filter })).body.id
  const journeyId = await activate({ type: 'segment_entered', segmentId })
  const [once, twice] = [await create('Ada'), await create('Bob')]
  for (const contactId of [once, twice, twice])
    expect((await owner.post('/events', { name: 'order', contactId })).status).toBe(202)
  const runs = await until(
    async () => (await owner.get(`/journeys/${journeyId}/runs`)).body.runs,
    found => found.length > 0,
  )
  expect(runs.map((run: { contactId: string }) => run.contactId)).toEqual([twice])
})
