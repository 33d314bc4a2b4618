/** Hostile templates, expressions and patterns of one workspace: their own run fails, and others are served meanwhile. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService } from '../../../test/harness/service.ts'
import { within } from '../../../test/harness/wait.ts'
import {
  buildDefinition,
  createContact,
  createJourney,
  expectStatus,
  text,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let hostile: Client
let other: Client

beforeAll(async () => {
  hostile = await (await service.workspace()).key()
  other = await (await service.workspace()).key()
})

/** 10,000 numbers in less than 32 KiB. */
const numbers = Array.from({ length: 10_000 }, (_, i) => i % 100)
const quadratic = 'event.data.l.all(x, x in event.data.l && x in event.data.l || event.data.l == [x])'

const setVariable = (data: object) => ({
  trigger: { type: 'event', name: 'attack' },
  nodes: { set: ['setVariable', { name: 'v', ...data }] as [string, Record<string, unknown>] },
  edges: ['start > set'],
})

/** Sends requests of another workspace until `work` ends and returns the slowest, in milliseconds. */
async function slowestMeanwhile(work: Promise<unknown>): Promise<number> {
  let ended = false
  void work.finally(() => {
    ended = true
  })
  let slowest = 0
  while (!ended) {
    const startedAt = performance.now()
    await expectStatus(other.get('/journeys'), 200)
    slowest = Math.max(slowest, performance.now() - startedAt)
  }
  await work
  return slowest
}

describe('a run', () => {
  test.each([
    ['an expression with quadratic work', { expression: quadratic }, 'expression_failed', 'takes more than'],
    [
      'placeholders that multiply data',
      { value: '{{event.data.l}}'.repeat(900) },
      'text_too_large',
      '256 KiB',
    ],
    [
      'a list that contains itself ten thousand times',
      { expression: 'event.data.l.map(x, event.data.l)' },
      'expression_failed',
      'the result is too large',
    ],
  ])('failed for %s, while others are served', async (_, data, code, message) => {
    const journeyId = await createJourney(hostile, setVariable(data))
    const { id: contactId } = await createContact(hostile)
    const attack = async () => {
      await expectStatus(
        hostile.post(`/journeys/${journeyId}/runs`, { contactId, data: { l: numbers } }),
        201,
      )
      return waitForRun(hostile, journeyId, 'failed')
    }
    const attacking = attack()
    expect(await slowestMeanwhile(attacking)).toBeLessThan(within(2_000))
    expect((await attacking).error).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('completed for an expensive expression within the limits, also for many runs in one batch', async () => {
    const journeyId = await createJourney(
      hostile,
      setVariable({ expression: 'event.data.l.all(x, x >= 0.0)' }),
    )
    const contacts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => createContact(hostile)))
    await Promise.all(
      contacts.map(({ id: contactId }) =>
        expectStatus(hostile.post('/events', { name: 'attack', contactId, data: { l: numbers } }), 202),
      ),
    )
    for (const { id } of contacts) {
      const run = await waitForRun(hostile, journeyId, 'completed', id)
      expect(run.variables).toEqual({ v: true })
    }
  })
})

describe('200', () => {
  test('a simulation of a hostile journey reports the failed run', async () => {
    const { id } = await expectStatus(
      hostile.post('/journeys', {
        name: 'Hostile',
        definition: buildDefinition(
          {
            start: ['start', { triggerConfig: { type: 'manual', conditions: {} } }],
            set: ['setVariable', { name: 'v', expression: quadratic }],
          },
          ['start > set'],
        ),
      }),
      201,
    )
    const simulating = expectStatus(
      hostile.post(`/journeys/${id}/simulate`, { event: { name: 'x', data: { l: numbers } } }),
      200,
    )
    expect(await slowestMeanwhile(simulating)).toBeLessThan(within(2_000))
    expect(await simulating).toMatchObject({ status: 'failed', error: { code: 'expression_failed' } })
  })
})

/** Returns the CPU time of this thread in milliseconds. Unlike a delay, it does not grow with the load of the machine. */
const readCpuMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6

/** Returns a function that returns the longest turn of the event loop since then, in milliseconds of CPU time. */
function watchTurns(): () => number {
  let maxMs = 0
  let before = readCpuMs()
  const look = () => {
    const now = readCpuMs()
    maxMs = Math.max(maxMs, now - before)
    before = now
    timer = setTimeout(look, 1)
  }
  let timer = setTimeout(look, 1)
  return () => {
    clearTimeout(timer)
    return maxMs
  }
}

/** Repeats the attacks until stopped. */
function startAttacks(attacks: readonly (() => Promise<{ status: number }>)[]): () => Promise<Set<number>> {
  const statuses = new Set<number>()
  let stopped = false
  const repeat = async (attack: () => Promise<{ status: number }>) => {
    while (!stopped) statuses.add((await attack()).status)
  }
  const running = Promise.all(attacks.map(repeat))
  return async () => {
    stopped = true
    await running
    return statuses
  }
}

test.runIf(process.platform === 'linux')(
  'the worst input takes nobody else 50 ms of the event loop',
  async () => {
    const pattern = '((a{0,9}){0,9}b?){0,9}$'
    const nodes: [string, Record<string, unknown>][] = [
      ['setVariable', { name: 'v', expression: quadratic }],
      ['setVariable', { name: 'v', expression: 'event.data.l.map(x, event.data.l)' }],
      ['setVariable', { name: 'v', value: '{{event.data.l}}'.repeat(900) }],
      ['ask', { content: text('?'), variable: 'x', validate: 'regex', pattern }],
    ]
    const triggerConfig = { type: 'manual', conditions: {} }
    const drafts = await Promise.all(
      nodes.map(async node => {
        const definition = buildDefinition({ start: ['start', { triggerConfig }], node }, ['start > node'])
        return (await expectStatus(hostile.post('/journeys', { name: 'Hostile', definition }), 201))
          .id as string
      }),
    )
    const event = { name: 'x', data: { l: numbers } }
    const attacks = [
      ...drafts.map(id => () => hostile.post(`/journeys/${id}/simulate`, { event })),
      ...drafts.map(id => () => hostile.post(`/journeys/${id}/publish`)),
    ]
    for (const attack of attacks) await attack() // compiles the code
    const maxTurns: number[] = []
    for (let round = 0; round < 4; round++) {
      const getMaxTurnMs = watchTurns()
      const stop = startAttacks(attacks)
      for (let n = 0; n < 50; n++) await expectStatus(other.get('/journeys'), 200)
      expect(await stop()).toContain(200)
      maxTurns.push(getMaxTurnMs())
    }
    // Every attack runs in every round. A turn that is long in one round only was interrupted, for instance by the
    // garbage collector or by a host that counts stolen time as CPU time.
    expect(Math.min(...maxTurns), `maximum per round: ${maxTurns}`).toBeLessThan(within(50))
  },
)

describe('400', () => {
  test('too_large for data of more than 32 KiB, on runs and simulations as on events', async () => {
    const data = { text: 'x'.repeat(40_000) }
    const journeyId = await createJourney(hostile, setVariable({ value: 'x' }))
    const { id: contactId } = await createContact(hostile)
    const event = { name: 'attack', data }
    for (const [path, body, field] of [
      ['/events', { ...event, contactId }, 'data'],
      [`/journeys/${journeyId}/runs`, { contactId, data }, 'data'],
      [`/journeys/${journeyId}/simulate`, { event }, 'event.data'],
      [`/journeys/${journeyId}/simulate`, { inputs: [{ event }] }, 'inputs[0].event.data'],
    ] as const) {
      const { violations } = await expectStatus(hostile.post(path, body), 400)
      expect(violations).toMatchObject([{ field, code: 'too_large' }])
    }
  })

  test.each([
    ['.{1000}.{1000}.{1000}$', 'invalid_pattern'],
    ['((a{0,30}){0,30}b?)$', 'invalid_pattern'],
    [`(?i)${'\\pL'.repeat(150)}`, 'invalid_pattern'],
  ])('a pattern that expands too far cannot be published: %s', async (pattern, code) => {
    const ask = { content: text('?'), variable: 'x', validate: 'regex', pattern }
    const definition = buildDefinition(
      {
        start: ['start', { triggerConfig: { type: 'message_received', match: 'regex', values: [pattern] } }],
        ask: ['ask', ask],
      },
      ['start > ask'],
    )
    const { id } = await expectStatus(hostile.post('/journeys', { name: 'Hostile', definition }), 201)
    const publishing = expectStatus(hostile.post(`/journeys/${id}/publish`), 400)
    expect(await slowestMeanwhile(publishing)).toBeLessThan(within(2_000))
    expect((await publishing).violations).toMatchObject([{ code }, { code }])
  })

  test('a placeholder with many spaces is refused in time', async () => {
    const value = `{{contact.name | default: ${'x '.repeat(100)}${' '.repeat(270)}|}}`.repeat(400)
    const definition = buildDefinition(
      {
        start: ['start', { triggerConfig: { type: 'manual', conditions: {} } }],
        set: ['setVariable', { name: 'v', value }],
      },
      ['start > set'],
    )
    const { id } = await expectStatus(hostile.post('/journeys', { name: 'Hostile', definition }), 201)
    const publishing = expectStatus(hostile.post(`/journeys/${id}/publish`), 400)
    expect(await slowestMeanwhile(publishing)).toBeLessThan(within(2_000))
  })
})
