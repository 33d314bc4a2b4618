/** Concurrent custom events: each is emitted once, and contacts enter as often as the entry mode allows. */
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../test/harness/api.ts'
import { testService, until } from '../../../../test/harness/service.ts'
import {
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listRuns,
  type Run,
  type WorkflowInput,
} from '../../testing/fixtures.ts'

const service = await testService()
let owner: Client

beforeAll(async () => {
  owner = await (await service.workspace()).key()
})

const modes = ['once', 'once_active', 'every_time'] as const
const started = (name: string, entryMode: string, nodes: WorkflowInput['nodes']) =>
  createJourney(owner, { trigger: { type: 'event', name }, entryMode, nodes, edges: ['start > first'] })
const sendEvent = (name: string, contactId: string, more: object = {}) =>
  owner.post('/events', { name, contactId, ...more })
const allOf = async (id: string) => (await listRuns(owner, id, '?pageSize=100')) as Run[]
/** Returns the number of runs per contact, sorted. */
const perContact = (runs: Run[]): number[] => {
  const counts = new Map<string, number>()
  for (const { contactId } of runs) counts.set(contactId, (counts.get(contactId) ?? 0) + 1)
  return [...counts.values()].sort()
}

test('concurrent events: entry modes apply per contact and key', async () => {
  const quick = await Promise.all(
    modes.map(mode => started('rush', mode, { first: ['note', { text: 'here' }] })),
  )
  const slow = await Promise.all(
    modes.map(mode => started('rush', mode, { first: ['delay', { for: { hours: 1 } }] })),
  )
  const people = await Promise.all(Array.from({ length: 4 }, () => createContact(owner)))
  const events = people.flatMap(({ id }) => Array.from({ length: 6 }, (_, i) => ({ id, key: `k${i % 2}` })))
  const answers = await Promise.all(events.map(({ id, key }) => sendEvent('rush', id, { key })))
  expect(answers.map(answer => answer.status)).toEqual(events.map(() => 202))
  await until(
    async () => (await Promise.all([quick[2]!, slow[2]!].map(allOf))).map(runs => runs.length),
    ([ended, waiting]) => ended === 24 && waiting === 24,
  )
  const [once, onceActive, everyTime] = await Promise.all(quick.map(allOf))
  expect(perContact(once!)).toEqual([2, 2, 2, 2])
  expect(perContact(everyTime!)).toEqual([6, 6, 6, 6])
  // once_active admits the next run after the previous one has ended; the number depends on the batches.
  expect(Math.min(...perContact(onceActive!))).toBeGreaterThanOrEqual(2)
  for (const run of [...once!, ...onceActive!, ...everyTime!]) {
    expect(run.status).toBe('completed')
    expect(getPath((await expectStatus(owner.get(`/runs/${run.id}`), 200)) as Run)).toEqual([
      'start:next',
      'first:next',
    ])
  }
  const [slowOnce, slowActive] = await Promise.all(slow.map(allOf))
  expect([slowOnce!, slowActive!].map(perContact)).toEqual([
    [2, 2, 2, 2],
    [2, 2, 2, 2],
  ])
})

test('concurrent event and manual start: once admits one run', async () => {
  const id = await started('race', 'once', { first: ['note', { text: 'here' }] })
  const every = await started('race', 'every_time', { first: ['note', { text: 'here' }] })
  const people = await Promise.all(Array.from({ length: 8 }, () => createContact(owner)))
  await Promise.all(
    people.flatMap(({ id: contactId }) => [
      sendEvent('race', contactId),
      owner.post(`/journeys/${id}/runs`, { contactId }),
      sendEvent('race', contactId),
      owner.post(`/journeys/${id}/runs`, { contactId }),
    ]),
  )
  await until(
    () => allOf(every),
    runs => runs.length === 16 && runs.every(run => run.status === 'completed'),
  )
  const runs = await until(
    () => allOf(id),
    all => all.every(run => run.status === 'completed'),
  )
  expect(perContact(runs)).toEqual(people.map(() => 1))
})

test('an event for a merged contact is about the surviving one; 404 only for the event of an unknown contact', async () => {
  const id = await started('about', 'every_time', { first: ['note', { text: 'here' }] })
  const [gone, left, deleted, other] = await Promise.all([1, 2, 3, 4].map(() => createContact(owner)))
  await expectStatus(owner.post(`/contacts/${gone!.id}/merge`, { intoContactId: left!.id }), 200)
  await expectStatus(owner.delete(`/contacts/${deleted!.id}`), 204)
  const asked = [gone!.id, deleted!.id, other!.id, 'con_00000000000000000000000000', left!.id]
  const answers = await Promise.all(asked.map(contactId => sendEvent('about', contactId)))
  expect(answers.map(answer => [answer.status, answer.body.contactId ?? answer.body.code])).toEqual([
    [202, left!.id],
    [404, 'contact_not_found'],
    [202, other!.id],
    [404, 'contact_not_found'],
    [202, left!.id],
  ])
  const runs = await until(
    () => allOf(id),
    all => all.length === 3,
  )
  expect(runs.map(run => run.contactId).sort()).toEqual([left!.id, left!.id, other!.id].sort())
})
