import { expect, test } from 'vitest'
import type { Simulation } from './cases.ts'
import {
  buildRequest,
  buildSkip,
  emptySetup,
  findInvalid,
  listInputTimes,
  type Session,
  toSession,
} from './session.ts'

const startedAt = '2026-03-02T09:00:00.000Z'
const session: Session = {
  setup: {
    ...emptySetup,
    name: 'Ada',
    start: 'event',
    eventName: 'order',
    eventKey: 'o1',
    eventData: '{"total":20}',
    window: 'open',
    startNodeId: 'ask',
    variables: '{"name":"Bo"}',
  },
  inputs: [{ message: 'Hello' }, { afterSeconds: 60 }],
  http: { call: { status: 500, body: {} } },
  undelivered: ['hello'],
}

test('the request of a session becomes the same session again', () => {
  const request = buildRequest(session)
  expect(request).toEqual({
    contact: { name: 'Ada' },
    event: { name: 'order', key: 'o1', data: { total: 20 } },
    startNodeId: 'ask',
    variables: { name: 'Bo' },
    window: 'open',
    inputs: session.inputs,
    http: session.http,
    deliveries: { hello: { failed: 'recipient_unreachable' } },
    until: 'inputs',
  })
  expect(toSession(request)).toEqual(session)
  const empty = { setup: emptySetup, inputs: [], http: {}, undelivered: [] }
  expect(buildRequest(empty)).toEqual({ contact: { name: 'Test contact' }, until: 'inputs' })
  expect(buildRequest(empty, startedAt).startsAt).toBe(startedAt)
  expect(toSession(buildRequest(empty))).toEqual({ ...empty, setup: { ...emptySetup, name: 'Test contact' } })
})

test('data that is not a JSON object is invalid', () => {
  expect(findInvalid(session.setup)).toEqual([])
  expect(findInvalid({ ...session.setup, eventData: '[1]', variables: '{' })).toEqual([
    'eventData',
    'variables',
  ])
  expect(findInvalid({ ...session.setup, eventName: ' ' })).toEqual(['eventName'])
})

test('a skip ends after the timer, counted from the last input', () => {
  expect(listInputTimes(session.inputs, startedAt).map(time => time - Date.parse(startedAt))).toEqual([
    5_000, 65_000,
  ])
  const until = '2026-03-04T09:01:05.000Z'
  const waiting = { startedAt, endedAt: startedAt, waitingFor: { nodeId: 'pause', since: startedAt, until } }
  expect(buildSkip(session, waiting as Simulation)).toEqual({ afterSeconds: 2 * 86_400 + 1 })
  expect(buildSkip(session, waiting as Simulation, 3_600_000)).toEqual({ afterSeconds: 3_601 })
  expect(buildSkip(session, { ...waiting, waitingFor: null } as Simulation)).toBeUndefined()
})
