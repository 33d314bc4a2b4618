import { describe, expect, test } from 'vitest'
import { explainViolations } from '../../platform/http/input/violations.ts'
import { interpolate } from '../../platform/interpolation/interpolation.ts'
import { matchesPattern } from '../expressions/regex.ts'
import { pickOutput } from './flow/split.ts'
import { findNextOpening } from './flow/time-window.ts'
import { parseReply } from './messages/validate-reply.ts'
import type { Effects, Input, Json, Outcome, SendResult, Step } from './node-type.ts'
import { findNodeType, nodeTypes } from './registry.ts'

const now = new Date('2026-03-02T10:00:00Z') // a Monday
const text = (body: string) => ({ type: 'text' as const, text: { body } })

interface Play {
  input?: Input
  state?: Json
  visits?: number
  connected?: string[]
  scope?: Record<string, unknown>
  fields?: Record<string, string>
  sent?: SendResult
  matches?: boolean
  evaluate?: Json
  assigned?: Awaited<ReturnType<Effects['assign']>>
  started?: Awaited<ReturnType<Effects['startJourney']>>
}

/** Runs a node alone and records its effects. */
async function play(type: string, data: object, options: Play = {}) {
  const did: unknown[][] = []
  const variables: Record<string, Json> = {}
  const effect =
    <T>(name: string, answer: T) =>
    async (...args: unknown[]) => {
      did.push([name, ...args])
      return answer
    }
  const effects = {
    send: effect('send', options.sent ?? { messageId: 'msg_1' }),
    addTag: effect('addTag', true),
    removeTag: effect('removeTag', false),
    setField: effect('setField', undefined),
    setOptOut: effect('setOptOut', undefined),
    assign: effect('assign', options.assigned ?? { owner: { type: 'team', id: 'team_1' } }),
    handOff: effect('handOff', undefined),
    closeConversation: effect('closeConversation', undefined),
    note: effect('note', undefined),
    emitEvent: effect('emitEvent', undefined),
    startJourney: effect('startJourney', options.started ?? { runId: 'run_2' }),
  } as unknown as Effects
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return interpolate(value, options.scope ?? {}).text
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one)]))
  }
  const step = {
    tx: { maybe: async () => ({ locale: 'en' }) },
    now,
    nodeId: 'n',
    data,
    run: { workflowId: 'jrn_1', contactId: 'con_1' },
    input: options.input ?? { type: 'arrived' },
    state: options.state,
    visits: options.visits ?? 1,
    effects,
    connected: (output: string) => (options.connected ?? []).includes(output),
    setVariable: (name: string, value: Json) => {
      variables[name] = value
    },
    interpolate: async (value: unknown) => fill(value),
    evaluate: async () => options.evaluate ?? null,
    matches: async () => options.matches ?? false,
    field: async (id: string) => options.fields?.[id],
  } as unknown as Step
  const outcome: Outcome = await findNodeType(type)!.run(step as never)
  return { outcome, did, variables }
}

const wrote = (said: string, replyId: string | null = null): Input => ({
  type: 'message',
  messages: [],
  text: said,
  replyId,
})

describe('every node', () => {
  test('is registered once', () => {
    expect(nodeTypes.map(kind => kind.type).sort()).toEqual(
      `start sendMessage ask menu delay timeWindow waitFor branch split addTag removeTag setField setVariable setOptOut
       assign handoff closeConversation note http emitEvent callWorkflow jump goal end`
        .split(/\s+/)
        .sort(),
    )
  })

  test.each(nodeTypes.map(kind => [kind.type, kind] as const))(
    '%s: example, outputs and references are consistent',
    (_type, kind) => {
      expect(explainViolations(kind.data, kind.example, '')).toEqual([])
      const definition = { nodes: [{ id: 'menu', type: 'menu', data: {} }], edges: [] }
      expect(kind.violations?.(kind.example as never, definition) ?? []).toEqual([])
      const names = kind.outputs(kind.example).map(output => output.name)
      expect(new Set(names).size).toBe(names.length)
      expect(kind.docs.length).toBeGreaterThan(10)
      for (const { path } of kind.references?.(kind.example as never) ?? []) {
        const value = path
          .split(/[.[\]]+/)
          .filter(Boolean)
          .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], kind.example)
        expect(value, path).toBeDefined()
      }
    },
  )

  test.each<[string, object, string[]]>([
    ['sendMessage', { content: text('x') }, ['next', 'failed', 'windowClosed', 'optedOut']],
    ['ask', { content: text('x'), variable: 'x' }, ['answered', 'invalid', 'timeout']],
    ['menu', { content: text('x'), options: [{ id: 'a', title: 'A' }] }, ['a', 'other', 'timeout']],
    ['waitFor', { cases: [{ event: 'a' }, { id: 'b', condition: 'true' }] }, ['0', 'b', 'timeout']],
    ['branch', { cases: ['true', { id: 'b', expression: 'true' }] }, ['0', 'b', 'else']],
    ['split', { weights: { a: 1, b: 2 } }, ['a', 'b']],
    ['split', { weights: [1, 2] }, ['0', '1']],
    ['http', { method: 'GET', url: 'https://x.example' }, ['ok', 'error', 'timeout']],
    ['addTag', { tagId: 't' }, ['next']],
    ['end', {}, []],
  ])('outputs of %s %j', (type, data, names) => {
    expect(
      findNodeType(type)!
        .outputs(data as never)
        .map(output => output.name),
    ).toEqual(names)
  })
})

describe('sendMessage', () => {
  const data = { content: text('Hi {{contact.name}}') }
  test('continues once the message is accepted', async () => {
    const { outcome, did } = await play('sendMessage', data, { scope: { contact: { name: 'Ada' } } })
    expect(outcome).toMatchObject({ to: 'next', detail: { messageId: 'msg_1' } })
    expect(did).toEqual([['send', { content: text('Hi Ada') }]])
  })
  test('waits for the delivery status if failed is connected', async () => {
    const connected = ['next', 'failed']
    expect((await play('sendMessage', data, { connected })).outcome).toMatchObject({
      wait: { delivery: 'msg_1', until: new Date('2026-03-03T11:00:00Z') },
    })
    const leaving = async (status: 'sent' | 'failed' | 'delivered', code: string | null) =>
      (
        await play('sendMessage', data, {
          connected,
          state: 'msg_1',
          input: { type: 'delivery', status, code },
        })
      ).outcome
    expect(await leaving('sent', null)).toMatchObject({
      wait: { delivery: 'msg_1', until: new Date('2026-03-02T10:05:00Z') },
    })
    expect(await leaving('delivered', null)).toEqual({ to: 'next' })
    expect(await leaving('failed', 'undeliverable')).toMatchObject({ to: 'failed' })
    expect(await leaving('failed', 'window_closed')).toMatchObject({ to: 'windowClosed' })
  })
  test.each([
    ['window_closed', 'windowClosed'],
    ['opted_out', 'optedOut'],
    ['no_identity', 'failed'],
  ])('refused with %s leaves by %s', async (refused, to) => {
    const { outcome } = await play('sendMessage', data, { sent: { refused, message: 'no' } })
    expect(outcome).toMatchObject({ to, detail: { code: refused } })
  })
})

describe('ask', () => {
  const data = {
    content: text('How many?'),
    variable: 'n',
    validate: 'number',
    retries: 1,
    timeout: { minutes: 5 },
  }
  test('stores a valid reply, asks again after an invalid one, leaves by invalid', async () => {
    const first = await play('ask', data)
    expect(first.outcome).toMatchObject({
      wait: { message: true, until: new Date('2026-03-02T10:05:00Z') },
      state: 0,
    })
    const good = await play('ask', data, { input: wrote(' 3,5 '), state: 0 })
    expect(good).toMatchObject({ outcome: { to: 'answered' }, variables: { n: 3.5 } })
    const again = { ...data, retryContent: text('A number, please') }
    const bad = await play('ask', again, { input: wrote('many'), state: 0 })
    expect(bad.outcome).toMatchObject({ wait: { message: true }, state: 1 })
    expect(bad.did).toEqual([['send', { content: text('A number, please') }]])
    expect((await play('ask', data, { input: wrote('many'), state: 1 })).outcome).toEqual({ to: 'invalid' })
    expect((await play('ask', data, { input: { type: 'timeout' }, state: 0 })).outcome).toEqual({
      to: 'timeout',
    })
  })
  test('ends the run if the question cannot be sent', async () => {
    const sent = (refused: string) => play('ask', data, { sent: { refused, message: 'no' } })
    expect((await sent('opted_out')).outcome).toMatchObject({ end: 'opted_out' })
    expect((await sent('no_identity')).outcome).toMatchObject({ fail: { code: 'no_identity' } })
  })
  test.each<[Parameters<typeof parseReply>[0], string, Json | undefined]>([
    [{ validate: 'text' }, ' hello ', 'hello'],
    [{ validate: 'text' }, '  ', undefined],
    [{ validate: 'number' }, '-7', -7],
    [{ validate: 'number' }, '1e9', undefined],
    [{ validate: 'number' }, '1,500.50', 1500.5],
    [{ validate: 'number' }, '1.500,50', 1500.5],
    [{ validate: 'number' }, '1 500', 1500],
    [{ validate: 'number' }, '$20', 20],
    [{ validate: 'number' }, '20 €', 20],
    [{ validate: 'number' }, '0,5', 0.5],
    [{ validate: 'number' }, '1,500', undefined],
    [{ validate: 'number', locale: 'en-US' }, '1,500', 1500],
    [{ validate: 'number', locale: 'de-DE' }, '1,500', 1.5],
    [{ validate: 'number' }, '1,2,3', undefined],
    [{ validate: 'number' }, '9007199254740991', 9_007_199_254_740_991],
    [{ validate: 'number' }, '12345678901234567', undefined],
    [{ validate: 'number' }, '12 34', undefined],
    [{ validate: 'number' }, '2\n3', undefined],
    [{ validate: 'date' }, '31 January 2026', '2026-01-31'],
    [{ validate: 'date' }, 'Jan 31st, 2026', '2026-01-31'],
    [{ validate: 'date' }, '31/1/2026', '2026-01-31'],
    [{ validate: 'date' }, '3/4/2026', undefined],
    [{ validate: 'date', locale: 'en-US' }, '3/4/2026', '2026-03-04'],
    [{ validate: 'date', locale: 'fr' }, '3 avril 2026', '2026-04-03'],
    [{ validate: 'email' }, 'a@b.example', 'a@b.example'],
    [{ validate: 'email' }, 'a@b', undefined],
    [{ validate: 'phone' }, '+1 (415) 555-0100', '+14155550100'],
    [{ validate: 'phone' }, '4155550100', undefined],
    [{ validate: 'date' }, '31.1.2026', '2026-01-31'],
    [{ validate: 'date' }, '2026-02-30', undefined],
    [{ validate: 'choice', choices: ['Red', 'Green'] }, ' green ', 'Green'],
    [{ validate: 'choice', choices: ['Red', 'Green'] }, '1', 'Red'],
    [{ validate: 'choice', choices: ['Red', 'Green'] }, '3', undefined],
    [{ validate: 'regex', pattern: '^[A-Z]{2}\\d+$' }, 'AB12', 'AB12'],
    [{ validate: 'regex', pattern: '^(a+)+$' }, `${'a'.repeat(5_000)}!`, undefined],
  ])('%j takes %j as %j', async (expected, said, value) => {
    const matches = async (pattern: string, reply: string) => matchesPattern(pattern, reply)
    expect(await parseReply(expected, said, null, matches)).toEqual(value)
  })
})

describe('menu', () => {
  const options = [
    { id: 'order', title: 'An order' },
    { id: 'person', title: 'A person', keywords: ['human'] },
  ]
  const data = { content: text('About?'), options, variable: 'topic', timeout: { hours: 1 } }
  test('sends its options and waits', async () => {
    const { outcome, did } = await play('menu', data)
    expect(outcome).toMatchObject({ wait: { message: true, until: new Date('2026-03-02T11:00:00Z') } })
    expect(did).toEqual([
      ['send', { content: text('About?'), options: options.map(({ id, title }) => ({ id, title })) }],
    ])
  })
  test.each<[string, string | null, string]>([
    ['whatever', 'order', 'order'],
    ['AN  ORDER', null, 'order'],
    ['2', null, 'person'],
    ['Human', null, 'person'],
    ['3', null, 'other'],
    ['a parrot', null, 'other'],
    ['an order', 'unknown', 'order'],
  ])('%j with the button %j goes to %s', async (said, replyId, to) => {
    const { outcome, variables } = await play('menu', data, { input: wrote(said, replyId) })
    expect(outcome).toMatchObject({ to })
    expect(variables).toEqual(to === 'other' ? {} : { topic: to })
  })
})

describe('delay', () => {
  test.each<[object, Record<string, string>, string | undefined]>([
    [{ for: { minutes: 90 } }, {}, '2026-03-02T11:30:00.000Z'],
    [{ until: '2026-03-05T08:00:00+02:00' }, {}, '2026-03-05T06:00:00.000Z'],
    [{ until: '2026-03-01T08:00:00Z' }, {}, undefined],
    [{ until: '{{variables.when}}' }, {}, '2026-03-09T00:00:00.000Z'],
    [
      { field: 'born', offsetDays: -1, at: '09:00', timezone: 'Europe/Madrid' },
      { born: '2026-07-02' },
      '2026-07-01T07:00:00.000Z',
    ],
    [{ field: 'born' }, {}, undefined],
    [{ field: 'born' }, { born: 'someday' }, undefined],
  ])('%j of %j', async (data, fields, until) => {
    const { outcome } = await play('delay', data, { fields, scope: { variables: { when: '2026-03-09' } } })
    if (until === undefined) expect(outcome).toMatchObject({ to: 'next' })
    else expect(outcome).toMatchObject({ wait: { until: new Date(until) } })
    expect((await play('delay', data, { input: { type: 'timeout' } })).outcome).toEqual({ to: 'next' })
  })
})

describe('timeWindow', () => {
  const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri']
  test.each<[Parameters<typeof findNextOpening>[0], string, string]>([
    [{ from: '09:00', to: '18:00' }, '2026-03-02T10:00:00Z', '2026-03-02T10:00:00Z'],
    [{ from: '09:00', to: '18:00' }, '2026-03-02T08:00:00Z', '2026-03-02T09:00:00Z'],
    [{ from: '09:00', to: '18:00' }, '2026-03-02T18:00:00Z', '2026-03-03T09:00:00Z'],
    [{ from: '09:00', to: '18:00', days: weekdays }, '2026-03-06T18:00:00Z', '2026-03-09T09:00:00Z'],
    [{ from: '22:00', to: '06:00' }, '2026-03-02T03:00:00Z', '2026-03-02T03:00:00Z'],
    [{ from: '22:00', to: '06:00', days: ['mon'] }, '2026-03-02T03:00:00Z', '2026-03-02T22:00:00Z'],
    [{ from: '22:00', to: '06:00', days: ['mon'] }, '2026-03-03T03:00:00Z', '2026-03-03T03:00:00Z'],
    [{ from: '09:00', to: '24:00' }, '2026-03-02T23:59:00Z', '2026-03-02T23:59:00Z'],
    [{ from: '09:00', to: '10:00', timezone: 'Asia/Tokyo' }, '2026-03-02T12:00:00Z', '2026-03-03T00:00:00Z'],
    // daylight saving time starts on 29 March
    [
      { from: '09:00', to: '10:00', timezone: 'Europe/Madrid' },
      '2026-03-28T20:00:00Z',
      '2026-03-29T07:00:00Z',
    ],
    [{ from: '09:00', to: '10:00', days: ['sun'] }, '2026-03-02T10:00:00Z', '2026-03-08T09:00:00Z'],
  ])('%j at %s opens at %s', (window, at, opens) => {
    expect(findNextOpening(window, new Date(at))).toEqual(new Date(opens))
  })
  test('continues within the window, waits outside', async () => {
    expect((await play('timeWindow', { from: '09:00', to: '18:00' })).outcome).toEqual({ to: 'next' })
    const { outcome } = await play('timeWindow', { from: '11:00', to: '18:00' })
    expect(outcome).toMatchObject({ wait: { until: new Date('2026-03-02T11:00:00Z') } })
  })
})

describe('waitFor, branch, split', () => {
  test('waitFor interpolates its cases and leaves by the case that became true', async () => {
    const condition = { match: 'all', conditions: [] }
    const cases = [
      { id: 'paid', event: 'checkout', key: '{{event.key}}', match: { cart: '{{event.data.cart}}' } },
      { condition },
      { condition: 'true' },
    ]
    const scope = { event: { key: 'k', data: { cart: 7 } } }
    const { outcome } = await play('waitFor', { cases, timeout: { days: 1 } }, { scope })
    expect(outcome).toEqual({
      wait: {
        cases: [
          { event: 'checkout', key: 'k', match: { cart: '7' } },
          { filter: condition },
          { expression: 'true' },
        ],
        until: new Date('2026-03-03T10:00:00Z'),
      },
    })
    const then = async (input: Input) => (await play('waitFor', { cases }, { input })).outcome
    expect(await then({ type: 'case', index: 0, event: null })).toMatchObject({ to: 'paid' })
    expect(await then({ type: 'case', index: 2, event: null })).toMatchObject({ to: '2' })
    expect(await then({ type: 'timeout' })).toEqual({ to: 'timeout' })
  })

  test('branch takes the first case that is true', async () => {
    const filter = { match: 'all', conditions: [] }
    const cases = [{ id: 'a', expression: 'x' }, filter]
    expect((await play('branch', { cases }, { evaluate: true, matches: true })).outcome).toEqual({ to: 'a' })
    expect((await play('branch', { cases }, { evaluate: 'yes', matches: true })).outcome).toEqual({ to: '1' })
    expect((await play('branch', { cases }, { evaluate: false })).outcome).toEqual({ to: 'else' })
  })

  test('split is deterministic and follows the weights', () => {
    const weights = { a: 1, none: 0, b: 3 }
    const counts: Record<string, number> = {}
    for (let i = 0; i < 4_000; i++) {
      const share = pickOutput(weights, `contact-${i}`)
      expect(pickOutput(weights, `contact-${i}`)).toBe(share)
      counts[share] = (counts[share] ?? 0) + 1
    }
    expect(Object.keys(counts).sort()).toEqual(['a', 'b'])
    expect(counts.a! / 4_000).toBeGreaterThan(0.22)
    expect(counts.a! / 4_000).toBeLessThan(0.28)
  })
})

describe('nodes with one effect', () => {
  test.each<[string, object, unknown[][], object]>([
    ['addTag', { tagId: 't' }, [['addTag', 't']], { to: 'next' }],
    [
      'removeTag',
      { tagId: 't' },
      [['removeTag', 't']],
      { to: 'next', detail: { skipped: 'the tag was deleted' } },
    ],
    ['setField', { fieldId: 'f', value: '{{variables.a}}' }, [['setField', 'f', 'x']], { to: 'next' }],
    ['setField', { fieldId: 'f', value: null }, [['setField', 'f', null]], { to: 'next' }],
    ['setOptOut', { channel: 'sms', optedOut: true }, [['setOptOut', 'sms', true]], { to: 'next' }],
    ['assign', { userId: 'u' }, [['assign', { userId: 'u' }]], { to: 'next' }],
    ['assign', { teamId: 't' }, [['assign', { teamId: 't' }]], { to: 'next' }],
    ['assign', { strategy: 'leastBusy' }, [['assign', { strategy: 'leastBusy' }]], { to: 'next' }],
    ['handoff', {}, [['handOff', undefined]], { end: 'handed_off' }],
    ['closeConversation', {}, [['closeConversation']], { to: 'next' }],
    ['note', { text: 'a {{variables.a}}' }, [['note', 'a x']], { to: 'next', detail: { note: 'a x' } }],
    [
      'emitEvent',
      { name: 'e', key: '{{variables.a}}', data: { n: 1 } },
      [['emitEvent', { name: 'e', key: 'x', data: { n: 1 } }]],
      { to: 'next' },
    ],
    [
      'callWorkflow',
      { journeyId: 'j' },
      [['startJourney', 'j', {}]],
      { to: 'next', detail: { runId: 'run_2' } },
    ],
    ['callWorkflow', { journeyId: 'j', wait: true }, [['startJourney', 'j', {}]], { wait: { run: 'run_2' } }],
    ['goal', { name: 'won' }, [], { end: 'goal', detail: { goal: 'won' } }],
    ['end', {}, [], { end: 'end' }],
    ['start', {}, [], { to: 'next' }],
  ])('%s %j', async (type, data, did, outcome) => {
    const played = await play(type, data, { scope: { variables: { a: 'x' } } })
    expect(played.did).toEqual(did)
    expect(played.outcome).toMatchObject(outcome)
  })

  test('setVariable stores an interpolated value or the result of an expression', async () => {
    const scope = { variables: { a: 'x' } }
    const filled = await play(
      'setVariable',
      { name: 'v', value: { list: ['{{variables.a}}', 1] } },
      { scope },
    )
    expect(filled.variables).toEqual({ v: { list: ['x', 1] } })
    const computed = await play('setVariable', { name: 'v', expression: '1 + 1' }, { evaluate: 2 })
    expect(computed.variables).toEqual({ v: 2 })
  })

  test('jump leaves by next after max jumps', async () => {
    const jump = async (visits: number) => (await play('jump', { to: 'x', max: 2 }, { visits })).outcome
    expect([await jump(1), await jump(2), await jump(3)]).toEqual([
      { jump: 'x' },
      { jump: 'x' },
      { to: 'next' },
    ])
  })

  test('handoff and goal continue if next is connected', async () => {
    for (const type of ['handoff', 'goal'])
      expect((await play(type, {}, { connected: ['next'] })).outcome).toMatchObject({ to: 'next' })
  })

  test('callWorkflow leaves by failed if connected, otherwise continues', async () => {
    const started = { refused: 'not_active' }
    const data = { journeyId: 'j' }
    expect((await play('callWorkflow', data, { started })).outcome).toMatchObject({ to: 'next' })
    expect((await play('callWorkflow', data, { started, connected: ['failed'] })).outcome).toMatchObject({
      to: 'failed',
    })
    const input: Input = { type: 'returned', status: 'failed' }
    expect((await play('callWorkflow', data, { input, connected: ['failed'] })).outcome).toMatchObject({
      to: 'failed',
    })
  })
})

describe('http', () => {
  const data = {
    method: 'POST',
    url: 'https://x.example/{{variables.a}}',
    body: { a: '{{variables.a}}' },
    saveAs: 'r',
  }
  const scope = { variables: { a: 'x' } }
  test('returns the request', async () => {
    const { outcome } = await play('http', { ...data, headers: { 'X-Key': '{{variables.a}}' } }, { scope })
    expect(outcome).toMatchObject({
      http: {
        method: 'POST',
        url: 'https://x.example/x',
        headers: { 'content-type': 'application/json', 'x-key': 'x' },
        body: '{"a":"x"}',
        timeoutMs: 10_000,
      },
    })
    const plain = await play('http', { method: 'GET', url: 'https://x.example' })
    expect(plain.outcome).toMatchObject({ http: { body: null, headers: {} } })
    const written = await play(
      'http',
      { ...data, body: 'x', headers: { 'Content-Type': 'text/csv' } },
      { scope },
    )
    expect(written.outcome).toMatchObject({ http: { body: 'x', headers: { 'content-type': 'text/csv' } } })
  })
  test('leaves by the result and stores the response', async () => {
    const leaving = (result: Extract<Input, { type: 'response' }>['result']) =>
      play('http', data, { input: { type: 'response', result } })
    const answered = (status: number) => ({
      type: 'answered' as const,
      status,
      headers: {},
      body: { ok: true },
    })
    expect(await leaving(answered(201))).toMatchObject({
      outcome: { to: 'ok' },
      variables: { r: { status: 201, body: { ok: true } } },
    })
    expect((await leaving(answered(302))).outcome).toMatchObject({ to: 'error', detail: { status: 302 } })
    expect((await leaving({ type: 'timeout' })).outcome).toEqual({ to: 'timeout' })
    expect(await leaving({ type: 'error', code: 'forbidden_address', message: 'no' })).toMatchObject({
      outcome: { to: 'error' },
      variables: { r: { error: 'forbidden_address' } },
    })
  })
})
