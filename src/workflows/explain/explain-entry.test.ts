/** `explain` answers why a contact did or did not enter: also for events while paused, keys, and dates. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { createContact, createJourney, expectStatus, type Run, waitForRun } from '../testing/fixtures.ts'
import { explainDueDate } from './due-date.ts'

const service = await testService()
let owner: Client
let contactId: string

beforeEach(async () => {
  owner = (await service.workspace()).owner
  contactId = (await createContact(owner)).id
})

const note = { nodes: { note: ['note', { text: 'x' }] as [string, object] }, edges: ['start > note'] }
const create = (trigger: Record<string, unknown>, entryMode: string) =>
  createJourney(owner, { trigger, entryMode, ...note } as Parameters<typeof createJourney>[1])
const explain = (id: string): Promise<Run> =>
  expectStatus(owner.get(`/journeys/${id}/contacts/${contactId}/explain`), 200)
const explainAfter = (id: string, events: number) =>
  until(
    () => explain(id),
    body => body.events.length === events,
  )
const send = (body: Record<string, unknown>) =>
  expectStatus(owner.post('/events', { name: 'ping', contactId, ...body }), 202)

test('events that came while the journey was paused did not match for that reason', async () => {
  const id = await create({ type: 'event', name: 'ping' }, 'every_time')
  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
  await send({ data: { n: 1 } })
  await explainAfter(id, 1)
  await expectStatus(owner.post(`/journeys/${id}/activate`), 200)
  await send({ data: { n: 2 } })
  const run = await waitForRun(owner, id, 'completed')
  const { events } = await explainAfter(id, 2)
  expect(events).toMatchObject([
    { outcome: 'matched', message: expect.stringContaining(run.id) },
    { outcome: 'journey_not_active', message: 'the journey was not active when the event arrived' },
  ])
})

test('once applies per key: another key may enter, the same key may not', async () => {
  const id = await create({ type: 'event', name: 'ping', key: 'cart' }, 'once')
  await send({ data: { cart: 'a' } })
  await waitForRun(owner, id, 'completed')
  await send({ data: { cart: 'a', again: true } })
  const explained = await explainAfter(id, 2)
  expect(explained).toMatchObject({
    wouldEnter: true,
    reasons: [],
    keys: [{ key: 'a', wouldEnter: false, reason: { code: 'entered_before' } }],
    events: [{ outcome: 'entered_before' }, { outcome: 'matched' }],
  })
})

test('an event during a cooldown was refused for that reason, also after the sandbox clock has ended the cooldown', async () => {
  const start = {
    triggerConfig: { type: 'event', name: 'ping' },
    entryMode: 'cooldown',
    cooldown: { for: { hours: 2 } },
  }
  const definition = { nodes: [{ id: 'start', type: 'start', data: start }], edges: [] }
  const { id } = await expectStatus(owner.post('/journeys', { name: 'Ping', definition }), 201)
  await expectStatus(owner.post(`/journeys/${id}/publish`), 200)
  await expectStatus(owner.post(`/journeys/${id}/activate`), 200)
  await send({ data: { n: 1 } })
  await waitForRun(owner, id, 'completed')
  await send({ data: { n: 2 } })
  const outcomes = [{ outcome: 'cooling_down' }, { outcome: 'matched' }]
  expect(await explainAfter(id, 2)).toMatchObject({ wouldEnter: false, events: outcomes })
  await expectStatus(owner.post('/sandbox/clock', { advanceSeconds: 7_300 }), 200)
  expect(await explain(id)).toMatchObject({ wouldEnter: true, events: outcomes })
})

test('once without keys reports that the contact has entered', async () => {
  const id = await create({ type: 'event', name: 'ping' }, 'once')
  await send({})
  await waitForRun(owner, id, 'completed')
  expect(await explain(id)).toMatchObject({ wouldEnter: false, reasons: [{ code: 'entered_before' }] })
})

test('an archived contact would not enter, except into a journey that archiving starts', async () => {
  const [onEvent, onArchiving] = [
    await create({ type: 'event', name: 'ping' }, 'every_time'),
    await create({ type: 'contact_archived' }, 'every_time'),
  ]
  await expectStatus(owner.post(`/contacts/${contactId}/archive`), 204)
  expect(await explain(onEvent)).toMatchObject({ wouldEnter: false, reasons: [{ code: 'archived' }] })
  expect(await explain(onArchiving)).toMatchObject({ wouldEnter: true, reasons: [] })
  await expectStatus(owner.post(`/contacts/${contactId}/unarchive`), 204)
  expect(await explain(onEvent)).toMatchObject({ wouldEnter: true, reasons: [] })
})

test('a date that is not due, has passed or is missing does not start the journey', async () => {
  const field = await expectStatus(
    owner.post('/contacts/custom-fields', { name: 'Renewal', type: 'date' }),
    201,
  )
  const id = await create({ type: 'date_reached', fieldId: field.id, at: '10:00' }, 'every_time')
  const set = (value: string) =>
    expectStatus(owner.patch(`/contacts/${contactId}`, { customFields: { Renewal: value } }), 200)
  expect(await explain(id)).toMatchObject({ wouldEnter: false, reasons: [{ code: 'date_missing' }] })
  await set('2999-12-24')
  expect(await explain(id)).toMatchObject({
    wouldEnter: false,
    reasons: [{ code: 'date_not_due', message: 'the date is reached at 2999-12-24T10:00:00.000Z' }],
  })
  await set('2001-12-24')
  expect((await explain(id)).reasons).toMatchObject([{ code: 'date_passed' }])
})

describe('the due time of a yearly date', () => {
  test.each([
    ['2000-12-24', {}, '2026-11-17T00:00:00Z', '2026-12-24T09:00:00.000Z'],
    ['2000-11-17', {}, '2026-11-17T09:00:00Z', '2027-11-17T09:00:00.000Z'],
    ['2000-02-29', {}, '2026-11-17T00:00:00Z', '2027-02-28T09:00:00.000Z'],
    ['2000-02-29', {}, '2027-11-17T00:00:00Z', '2028-02-29T09:00:00.000Z'],
    ['2000-01-03', { offsetDays: -7 }, '2026-11-17T00:00:00Z', '2026-12-27T09:00:00.000Z'],
    ['2000-12-24', { offsetDays: 800 }, '2026-11-17T00:00:00Z', '2027-03-04T09:00:00.000Z'],
    [
      '2000-12-24',
      { timezone: 'Asia/Tokyo', at: '00:30' },
      '2026-11-17T00:00:00Z',
      '2026-12-23T15:30:00.000Z',
    ],
  ])('%s with %j at %s is %s', (date, options, now, due) => {
    const trigger = { type: 'date_reached', yearly: true, ...options }
    expect(explainDueDate(trigger, date, new Date(now))).toEqual({
      code: 'date_not_due',
      message: `the date is reached at ${due}`,
    })
  })
})
