/**
 * One workspace sends the worst templates, expressions and patterns to a running service, one after the other. Meanwhile
 * the requests of another workspace and the event loop of the process are measured, and after each attack again for the
 * same time without one. An attack is repeated with other texts, so that no cache helps; what it delays, it delays in every
 * round, while other tests delay some rounds: the slowest request and the longest lag are compared in the fastest round.
 *
 * `FULL=1` repeats the attacks more often and prints the figures of docs/decisions/0011-user-logic-budgets.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { toDefinition } from '../../src/workflows/templates/outline.ts'
import {
  connectInbox,
  createContact,
  createJourney,
  expectStatus,
  type Run,
  receiveMessage,
  type WorkflowInput,
} from '../../src/workflows/testing/fixtures.ts'
import { type Client, client } from '../harness/api.ts'
import { eventually, within } from '../harness/wait.ts'
import { fresh, type Service, scratch, start } from '../system/program.ts'
import { createWorkspace } from './workspaces.ts'

const rounds = process.env.FULL === '1' ? 15 : 3
const maxGrowthMs = 50

/** 10,000 numbers, and a text, each in slightly less than the 32 KiB that an event may have. */
const numbers = Array.from({ length: 10_000 }, (_, i) => i % 100)
const long = 'a'.repeat(32_000)
const pattern = 'a?'.repeat(148)

const setVariable = (data: object): [string, Record<string, unknown>] => [
  'setVariable',
  { name: 'v', ...data },
]
const single = (data: object): WorkflowInput => ({
  trigger: { type: 'manual' },
  nodes: { set: setVariable(data) },
  edges: ['start > set'],
})

class Attacker {
  private readonly me: Client
  private readonly contactId: string
  constructor(me: Client, contactId: string) {
    this.me = me
    this.contactId = contactId
  }

  /** Returns the run once it has ended. */
  async run(data: object, event: object): Promise<Run> {
    const journeyId = await createJourney(this.me, single(data))
    const started = { contactId: this.contactId, data: event }
    const { id } = await expectStatus(this.me.post(`/journeys/${journeyId}/runs`, started), 201)
    for (;;) {
      const run = await expectStatus(this.me.get(`/runs/${id}`), 200)
      if (['completed', 'failed'].includes(run.status)) return run
      await sleep(20)
    }
  }

  /** Returns the refusal of the definition. */
  async publish(data: object): Promise<unknown> {
    const definition = toDefinition(single(data))
    const { id } = await expectStatus(this.me.post('/journeys', { name: 'Hostile', definition }), 201)
    return expectStatus(this.me.post(`/journeys/${id}/publish`), 400)
  }
}

interface Attack {
  name: string
  act: (n: number) => Promise<unknown>
  outcome: object
}

const failed = (code: string, message: string) => ({
  status: 'failed',
  error: { code, message: expect.stringContaining(message) },
})
const refused = (message: string) => ({
  violations: expect.arrayContaining([
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ]),
})

function buildAttacks(attacker: Attacker, receive: (n: number) => Promise<unknown>): Attack[] {
  return [
    {
      name: 'a text with 15,000 placeholders',
      act: n => attacker.publish({ value: n + '{{event.data}}'.repeat(15_000) }),
      outcome: refused('at most 1000 placeholders'),
    },
    {
      name: '1,000 placeholders, each for 32 KiB',
      act: n => attacker.run({ value: n + '{{event.data}}'.repeat(1_000) }, { l: numbers }),
      outcome: failed('text_too_large', '256 KiB'),
    },
    {
      name: 'placeholders of 20,000 spaces',
      act: n =>
        attacker.publish({ value: `${n}{{contact.name | default: ${' '.repeat(20_000)}|}}`.repeat(10) }),
      outcome: refused('has {{ without }} within 500 characters'),
    },
    {
      name: '500 defaults of 460 spaces',
      act: n => attacker.run({ value: n + `{{event.x | default: "${' '.repeat(460)}"}}`.repeat(500) }, {}),
      outcome: failed('variables_too_large', '64 KiB'),
    },
    {
      name: 'a pattern of 300 characters on 32,000 characters',
      act: n => attacker.run({ expression: `event.data.t.matches('${pattern}b${n}$')` }, { t: long }),
      outcome: failed('expression_failed', 'takes more than'),
    },
    {
      name: 'a pattern of 300 characters on 2,000 characters, which is within the budget',
      act: n =>
        attacker.run({ expression: `event.data.t.matches('${pattern}b${n}$')` }, { t: long.slice(0, 2_000) }),
      outcome: { status: 'completed', variables: { v: false } },
    },
    {
      name: 'a trigger with a pattern of 300 characters on 4,000 characters',
      act: receive,
      outcome: { status: 'completed' },
    },
    {
      name: '`all` and `in` over 10,000 items',
      act: n =>
        attacker.run(
          { expression: `event.data.l.all(x, !(x + ${1_000 + n}.0 in event.data.l))` },
          { l: numbers },
        ),
      outcome: failed('expression_failed', 'takes more than'),
    },
    {
      name: '`map` to 10,000 lists of 10,000 items',
      act: n =>
        attacker.run({ expression: `event.data.l.map(x, x == ${-n}.0 ? [] : event.data.l)` }, { l: numbers }),
      outcome: failed('expression_failed', 'too large'),
    },
  ]
}

interface Delay {
  requestMs: number
  lagMs: number
}

/** Works for the other workspace until `work` ends. */
async function measure(victim: Client, service: Service, work: Promise<unknown>): Promise<Delay> {
  let ended = false
  const ending = work.finally(() => {
    ended = true
  })
  await readLagMs(service)
  let requestMs = 0
  for (let n = 0; !ended; n++) {
    const startedAt = performance.now()
    await expectStatus(victim.get(n % 2 ? '/contacts?pageSize=5' : '/conversations?pageSize=5'), 200)
    requestMs = Math.max(requestMs, performance.now() - startedAt)
    await sleep(2)
  }
  await ending
  return { requestMs, lagMs: await readLagMs(service) }
}

/** Returns the longest lag of the event loop since the last call. */
async function readLagMs(service: Service): Promise<number> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)![1]) * 1000
}

function getSmallest(delays: readonly Delay[], member: keyof Delay): number {
  return Math.round(Math.min(...delays.map(delay => delay[member])))
}

async function prepare(service: Service): Promise<{ victim: Client; attacks: Attack[] }> {
  const { tenantId, apiKey } = service.credentials()
  const victim = client(service.url, tenantId, '', apiKey)
  await createContact(victim)
  const me = await createWorkspace(service, 'Hostile')
  const { id, phone } = await createContact(me)
  const inboxId = await connectInbox(me, '6660')
  const receive = async (n: number) => {
    const values = [`${pattern}b${n}$`]
    const trigger = { type: 'message_received', match: 'regex', values }
    const journeyId = await createJourney(me, { ...single({ value: 'x' }), trigger })
    await receiveMessage(me, inboxId, phone, `${'a'.repeat(4_000)}b${n}`)
    return eventually(async () => {
      const { runs } = await expectStatus(me.get(`/journeys/${journeyId}/runs`), 200)
      expect(runs).toMatchObject([{ status: 'completed' }])
      return runs[0]
    })
  }
  return { victim, attacks: buildAttacks(new Attacker(me, id), receive) }
}

test('the worst logic of one workspace delays requests of another by less than 50 ms, and fails with a reason', {
  timeout: 900_000,
}, async () => {
  const service = await start({
    dataDir: fresh(scratch(), 'data'),
    env: { LOG_LEVEL: 'warn', SIGNUP: 'open', RATE_LIMIT: '0' },
  })
  await eventually(async () => expect((await fetch(`${service.url}/readyz`)).status).toBe(200))
  const { victim, attacks } = await prepare(service)
  for (const { act } of attacks) await act(0) // compiles the code and starts the thread
  const figures = []
  for (const { name, act, outcome } of attacks) {
    const quiet: Delay[] = []
    const attacked: Delay[] = []
    for (let n = 1; n <= rounds; n++) {
      const startedAt = performance.now()
      const acting = act(n)
      attacked.push(await measure(victim, service, acting))
      expect(await acting, name).toMatchObject(outcome)
      quiet.push(await measure(victim, service, sleep(performance.now() - startedAt)))
    }
    const compare = (member: keyof Delay) => ({
      quiet: getSmallest(quiet, member),
      attacked: getSmallest(attacked, member),
    })
    figures.push({ name, request: compare('requestMs'), lag: compare('lagMs') })
  }
  console.log(figures.map(figure => JSON.stringify(figure)).join('\n'))
  for (const { name, request, lag } of figures) {
    expect(request.attacked - request.quiet, name).toBeLessThan(within(maxGrowthMs))
    expect(lag.attacked - lag.quiet, name).toBeLessThan(within(maxGrowthMs))
  }
})
