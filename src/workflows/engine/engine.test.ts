/** Journeys end to end: on the whole service, with the sandbox as provider. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { raw, sql } from '../../platform/db/sql.ts'
import {
  connectInbox,
  createContact,
  createJourney,
  expectStatus,
  getPath,
  listRuns,
  listSentTexts,
  newPhone,
  receiveMessage,
  text,
  type WorkflowInput,
  waitForRun,
} from '../testing/fixtures.ts'

const service = await testService()
let owner: Client
let inboxId: string

beforeEach(async () => {
  // An API key, because the clock moves beyond the lifetime of a session.
  owner = await (await service.workspace()).key()
  inboxId = await connectInbox(owner, '7001')
})

const hour = 3_600_000
const advance = (ms: number) => service.deps.clock.advance(ms)
let tags = 0
const tag = async (name: string) =>
  (await expectStatus(owner.post('/tags', { name: `${name} ${++tags}` }), 201)).id as string
const isTagged = (tagId: string) => ({ match: 'all', conditions: [{ type: 'hasAnyTag', tagIds: [tagId] }] })
const tagsOf = async (id: string) => (await owner.get(`/contacts/${id}`)).body.tagIds as string[]
const gets = (phone: string, messages: string[]) =>
  until(
    () => listSentTexts(owner, inboxId, phone),
    sent => JSON.stringify(sent) === JSON.stringify(messages),
  )

test('welcome: greets a new contact by name and branches after a delay', async () => {
  const vip = await tag('vip')
  const id = await createJourney(owner, {
    trigger: { type: 'contact_created' },
    entryMode: 'once',
    nodes: {
      hello: ['sendMessage', { content: text('Welcome, {{contact.name}}!'), inboxId }],
      wait: ['delay', { for: { days: 2 } }],
      which: ['branch', { cases: [isTagged(vip)] }],
      gold: ['sendMessage', { content: text('Here is your gold offer') }],
      plain: ['sendMessage', { content: text('Here is our offer') }],
    },
    edges: ['start > hello', 'hello > wait', 'wait > which', 'which:0 > gold', 'which:else > plain'],
  })
  const one = await createContact(owner, { name: 'Ada' })
  const two = await createContact(owner, { name: 'Bob' })
  await until(
    () => listRuns(owner, id, '?status=waiting'),
    runs => runs.length === 2,
  )
  const asleep = await waitForRun(owner, id, 'waiting', one.id)
  expect(asleep.waitingFor).toMatchObject({ nodeId: 'wait', until: expect.any(String) })
  await expectStatus(owner.post(`/contacts/${one.id}/tags/${vip}`), 204)
  advance(48 * hour)
  await waitForRun(owner, id, 'completed')
  const first = await waitForRun(owner, id, 'completed', one.id)
  expect(first.endReason).toBe('end_of_path')
  expect(getPath(first)).toEqual(['start:next', 'hello:next', 'wait', 'wait:next', 'which:0', 'gold:next'])
  await gets(one.phone, ['Welcome, Ada!', 'Here is your gold offer'])
  await gets(two.phone, ['Welcome, Bob!', 'Here is our offer'])
  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
})

test('abandoned cart: one run per cart, ended by its checkout or a reminder', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'event', name: 'cart.updated', key: 'cartId' },
    entryMode: 'once_active',
    nodes: {
      paid: [
        'waitFor',
        {
          cases: [{ event: 'checkout', match: { cartId: '{{event.cartId}}' } }],
          timeout: { hours: 1 },
        },
      ],
      remind: ['sendMessage', { content: text('You left {{event.data.item}} in your cart'), inboxId }],
    },
    edges: ['start > paid', 'paid:timeout > remind'],
  })
  const { id: contactId, phone } = await createContact(owner)
  const cart = (cartId: string, item: string) =>
    expectStatus(owner.post('/events', { name: 'cart.updated', contactId, data: { cartId, item } }), 202)
  await cart('c1', 'a lamp')
  await cart('c2', 'a chair')
  await cart('c1', 'a lamp')
  await expectStatus(owner.post('/events', { name: 'cart.updated', phone, data: { item: 'keyless' } }), 202)
  await until(
    () => listRuns(owner, id, '?status=waiting'),
    runs => runs.length === 2,
  )
  await expectStatus(owner.post('/events', { name: 'checkout', contactId, data: { cartId: 'c2' } }), 202)
  await until(
    () => listRuns(owner, id, '?status=completed'),
    runs => runs.length === 1,
  )
  advance(hour)
  await gets(phone, ['You left a lamp in your cart'])
  const runs = await until(
    () => listRuns(owner, id),
    all => all.every(run => run.status === 'completed'),
  )
  expect(runs.map(run => run.event.key).sort()).toEqual(['c1', 'c2'])
  const paid = await expectStatus(owner.get(`/runs/${runs.find(run => run.event.key === 'c2').id}`), 200)
  expect(getPath(paid)).toEqual(['start:next', 'paid', 'paid:0'])
  expect(paid.path[2].input).toMatchObject({ type: 'case', event: { data: { cartId: 'c2' } } })
})

test('concurrent events: each is emitted once, and only the one for an unknown contact is rejected', async () => {
  const id = await createJourney(owner, {
    trigger: { type: 'event', name: 'order' },
    entryMode: 'every_time',
    nodes: { over: ['end', {}] },
    edges: ['start > over'],
  })
  const people = await Promise.all(Array.from({ length: 8 }, () => createContact(owner)))
  const gone = await createContact(owner)
  await expectStatus(owner.delete(`/contacts/${gone.id}`), 204)
  const sendEvent = (contactId: string, n: number) =>
    owner.post('/events', { name: 'order', contactId, data: { n } })
  const events = people.flatMap(({ id: contactId }, i) => [
    sendEvent(contactId, 2 * i),
    sendEvent(contactId, 2 * i + 1),
  ])
  const refused = [sendEvent(gone.id, 0), sendEvent('con_00000000000000000000000000', 0)]
  expect((await Promise.all(events)).map(answer => answer.status)).toEqual(Array(16).fill(202))
  expect((await Promise.all(refused)).map(answer => answer.status)).toEqual([404, 404])
  const runs = await until(
    () => listRuns(owner, id, '?status=completed'),
    all => all.length >= 16,
  )
  expect(runs.map(run => run.event.data.n).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 16 }, (_, n) => n),
  )
})

test('birthday: on the day, at the local time, every year', async () => {
  const fieldId = (
    await expectStatus(owner.post('/contacts/custom-fields', { name: 'birthday', type: 'date' }), 201)
  ).id as string
  const now = service.deps.clock.now()
  const dayAfter = (days: number) => new Date(now.getTime() + days * 24 * hour).toISOString().slice(5, 10)
  const day = dayAfter(30)
  const child = await createContact(owner, { name: 'Kim', customFields: { birthday: `1992-${day}` } })
  await createContact(owner, { name: 'Lee', customFields: { birthday: `1992-${dayAfter(200)}` } })
  const id = await createJourney(owner, {
    trigger: {
      type: 'date_reached',
      fieldId,
      offsetDays: 0,
      at: '09:00',
      timezone: 'America/New_York',
      yearly: true,
    },
    nodes: { greet: ['sendMessage', { content: text('Happy birthday, {{contact.name}}'), inboxId }] },
    edges: ['start > greet'],
  })
  const at = (date: string) => Date.parse(date) - service.deps.clock.now().getTime()
  const year = new Date(now.getTime() + 30 * 24 * hour).getUTCFullYear()
  advance(at(`${year}-${day}T12:30:00Z`))
  await expectStatus(owner.get('/journeys'), 200)
  expect(await listRuns(owner, id)).toEqual([])
  advance(at(`${year}-${day}T14:30:00Z`))
  await gets(child.phone, ['Happy birthday, Kim'])
  expect(await listRuns(owner, id)).toHaveLength(1)
  await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
})

test('opt-out during a run: leaves by optedOut, and nothing more is sent', async () => {
  const left = await tag('left')
  const id = await createJourney(owner, {
    trigger: { type: 'manual' },
    nodes: {
      first: ['sendMessage', { content: text('One'), inboxId }],
      wait: ['delay', { for: { hours: 1 } }],
      second: ['sendMessage', { content: text('Two') }],
      note: ['addTag', { tagId: left }],
    },
    edges: ['start > first', 'first > wait', 'wait > second', 'second:optedOut > note'],
  })
  const { id: contactId, phone } = await createContact(owner)
  await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
  await gets(phone, ['One'])
  await receiveMessage(owner, inboxId, phone, 'STOP')
  await until(
    async () => (await owner.get(`/contacts/${contactId}`)).body.optOuts,
    out => out.includes('chatapp'),
  )
  advance(hour)
  const run = await waitForRun(owner, id, 'completed')
  expect(getPath(run).slice(-2)).toEqual(['second:optedOut', 'note:next'])
  expect(await tagsOf(contactId)).toEqual([left])
  expect(await listSentTexts(owner, inboxId, phone)).toEqual(['One'])
})

test('comment: a keyword under a post gets one private reply', async () => {
  const social = (
    await expectStatus(
      owner.post('/inboxes', { socialapp: { resourceIds: [`account${newPhone().slice(1)}`] } }),
      200,
    )
  ).inboxes[0].id as string
  const id = await createJourney(owner, {
    trigger: { type: 'comment_received', inboxId: social, keywords: ['price'] },
    nodes: {
      answer: ['sendMessage', { content: text('It is 10 €. You asked: {{event.text}}') }],
      more: ['sendMessage', { content: text('Write to us any time.') }],
    },
    edges: ['start > answer', 'answer > more'],
  })
  const comment = (from: string, said: string) =>
    expectStatus(
      owner.post('/sandbox/inbound', {
        inboxId: social,
        from,
        content: { type: 'comment', comment: { text: said } },
      }),
      202,
    )
  await comment('9001', 'Lovely!')
  await comment('9002', 'What is the PRICE, please?')
  const run = await waitForRun(owner, id, 'completed')
  expect(run.event.data.text).toBe('What is the PRICE, please?')
  const sent = await until(
    async () => (await expectStatus(owner.get(`/sandbox/sent?inboxId=${social}`), 200)).items,
    items => items.length === 2,
  )
  expect(sent[0].payload.recipient).toHaveProperty('comment_id')
  expect(sent[0].payload.message.text).toBe('It is 10 €. You asked: What is the PRICE, please?')
  expect(sent[1].payload.recipient).not.toHaveProperty('comment_id')
})

describe('triggers', () => {
  test('entry modes once, once_active and every_time', async () => {
    const mark = await tag('mark')
    const ids = await Promise.all(
      ['once', 'once_active', 'every_time'].map(entryMode =>
        createJourney(owner, {
          trigger: { type: 'tag_added', tagIds: [mark] },
          entryMode,
          nodes: { wait: ['delay', { for: { hours: 1 } }] },
          edges: ['start > wait'],
        }),
      ),
    )
    const { id: contactId } = await createContact(owner)
    const retag = async () => {
      await expectStatus(owner.post(`/contacts/${contactId}/tags/${mark}`), 204)
      await expectStatus(owner.delete(`/contacts/${contactId}/tags/${mark}`), 204)
    }
    const counts = async () => Promise.all(ids.map(async id => (await listRuns(owner, id)).length))
    const are = (wanted: number[]) => until(counts, now => String(now) === String(wanted))
    await retag()
    await retag()
    await are([1, 1, 2])
    for (const id of ids) await waitForRun(owner, id, 'waiting')
    advance(hour)
    for (const id of ids) await waitForRun(owner, id, 'completed')
    await retag()
    await are([1, 2, 3])
    const why = await expectStatus(owner.get(`/journeys/${ids[0]}/contacts/${contactId}/explain`), 200)
    expect(why).toMatchObject({ wouldEnter: false, reasons: [{ code: 'entered_before' }] })
    expect(why.events.map((one: { outcome: string }) => one.outcome)).toContain('matched')
  })

  test('segment_entered: by an event, with time, not for existing members', async () => {
    const inside = await tag('inside')
    const watched = (
      await expectStatus(owner.post('/segments', { name: 'Tagged', filter: isTagged(inside) }), 201)
    ).id as string
    const early = await createContact(owner)
    await expectStatus(owner.post(`/contacts/${early.id}/tags/${inside}`), 204)
    const id = await createJourney(owner, {
      trigger: { type: 'segment_entered', segmentId: watched },
      nodes: { end: ['end'] },
      edges: ['start > end'],
    })
    const late = await createContact(owner)
    await expectStatus(owner.patch(`/contacts/${early.id}`, { name: 'Still here' }), 200)
    await expectStatus(owner.post(`/contacts/${late.id}/tags/${inside}`), 204)
    const run = await waitForRun(owner, id, 'completed')
    expect(run.contactId).toBe(late.id)
    await expectStatus(owner.delete(`/contacts/${late.id}/tags/${inside}`), 204)
    // A contact that left and re-entered between two checks has not entered.
    await until(
      () => service.deps.db.rows(sql`select 1 from segment_memberships where contact_id = ${late.id}`),
      members => members.length === 0,
    )
    await expectStatus(owner.post(`/contacts/${late.id}/tags/${inside}`), 204)
    const runs = await until(
      () => listRuns(owner, id),
      all => all.length === 2,
    )
    expect(runs.every(one => one.contactId === late.id)).toBe(true)
    const silent = (
      await expectStatus(
        owner.post('/segments', {
          name: 'Old',
          filter: {
            match: 'all',
            conditions: [
              { type: 'createdAt', notWithinDays: 3 },
              { type: 'hasAnyTag', tagIds: [inside] },
            ],
          },
        }),
        201,
      )
    ).id as string
    const aging = await createJourney(owner, {
      trigger: { type: 'segment_entered', segmentId: silent },
      nodes: { end: ['end'] },
      edges: ['start > end'],
    })
    advance(4 * 24 * hour)
    await until(
      () => listRuns(owner, aging),
      all => all.length === 2,
      20_000,
    )
  })

  test('schedule and conversation_idle start at their times', async () => {
    const chosen = await tag('chosen')
    const { id: contactId } = await createContact(owner)
    await expectStatus(owner.post(`/contacts/${contactId}/tags/${chosen}`), 204)
    const weekly = await createJourney(owner, {
      trigger: { type: 'schedule', cron: '0 9 * * 1', timezone: 'Asia/Tokyo', conditions: isTagged(chosen) },
      nodes: { end: ['end'] },
      edges: ['start > end'],
    })
    const quiet = await createJourney(owner, {
      trigger: { type: 'conversation_idle', minutes: 30, conditions: isTagged(chosen) },
      nodes: { close: ['closeConversation'] },
      edges: ['start > close'],
    })
    await expectStatus(
      owner.post('/messages', { recipient: { type: 'contact', contactId }, inboxId, content: text('Hi') }),
      202,
    )
    advance(31 * 60_000)
    const idle = await waitForRun(owner, quiet, 'completed')
    expect((await owner.get(`/conversations/${idle.conversationId}`)).body.status).toBe('closed')
    advance(7 * 24 * hour)
    const run = await waitForRun(owner, weekly, 'completed')
    expect(run.contactId).toBe(contactId)
    expect(run.event.data.at).toMatch(/T00:00:00.000Z$/)
    await expectStatus(owner.post(`/journeys/${weekly}/pause`), 200)
  })

  test('an import starts only journeys with includeImported', async () => {
    const [without, included] = await Promise.all(
      [false, true].map(includeImported =>
        createJourney(owner, {
          trigger: { type: 'contact_created', ...(includeImported ? { includeImported } : {}) },
          nodes: { end: ['end'] },
          edges: ['start > end'],
        }),
      ),
    )
    const form = new FormData()
    form.append('file', new Blob([`name,phone\nImported,${newPhone()}\n`]), 'people.csv')
    const sent = await fetch(`${owner.url}/v1/contacts/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      body: form,
    })
    expect(sent.status, await sent.text()).toBeLessThan(300)
    const run = await waitForRun(owner, included!, 'completed')
    expect(await listRuns(owner, without!)).toEqual([])
    const why = await expectStatus(owner.get(`/journeys/${without}/contacts/${run.contactId}/explain`), 200)
    expect(why.events[0].outcome).toBe('from_import')
    for (const id of [without, included]) await expectStatus(owner.post(`/journeys/${id}/pause`), 200)
  })

  test('message_received with keywords and regular expressions, including one with exponential backtracking', async () => {
    const createKeywordJourney = (match: string, values: string[]) =>
      createJourney(owner, {
        trigger: { type: 'message_received', match, values, inboxIds: [inboxId] },
        nodes: { end: ['end'] },
        edges: ['start > end'],
      })
    const [word, evil, plain] = [
      await createKeywordJourney('keyword', ['price list']),
      await createKeywordJourney('regex', ['^(a+)+$']),
      await createKeywordJourney('regex', ['^order \\d+$']),
    ]
    const { phone } = await createContact(owner)
    await receiveMessage(owner, inboxId, phone, `${'a'.repeat(4_000)}!`)
    await receiveMessage(owner, inboxId, phone, 'Your PRICE-LIST?')
    await receiveMessage(owner, inboxId, phone, 'order 77')
    await waitForRun(owner, word, 'completed')
    const run = await waitForRun(owner, plain, 'completed')
    expect(run.event.data.text).toBe('order 77')
    expect(await listRuns(owner, evil)).toEqual([])
  })

  test('conditions exclude contacts, and explain lists them', async () => {
    const wanted = await tag('wanted')
    const id = await createJourney(owner, {
      trigger: { type: 'contact_created', conditions: isTagged(wanted) },
      nodes: { end: ['end'] },
      edges: ['start > end'],
    })
    const { id: contactId } = await createContact(owner)
    const why = await until(
      () => expectStatus(owner.get(`/journeys/${id}/contacts/${contactId}/explain`), 200),
      one => one.events.length > 0,
    )
    expect(why).toMatchObject({
      wouldEnter: false,
      reasons: [{ code: 'conditions_not_met' }],
      conditions: [{ holds: false }, { holds: true, implied: true }],
      events: [{ type: 'contact.created', outcome: 'matched' }],
    })
    expect(await listRuns(owner, id)).toEqual([])
  })
})

describe('runs', () => {
  test('a journey that triggers itself, and two that trigger each other, end', async () => {
    const [a, b] = [await tag('a'), await tag('b')]
    const self = await createJourney(owner, {
      trigger: { type: 'event', name: 'again' },
      nodes: { emit: ['emitEvent', { name: 'again' }] },
      edges: ['start > emit'],
    })
    const swap = (mine: string, other: string) =>
      createJourney(owner, {
        trigger: { type: 'tag_added', tagIds: [mine] },
        nodes: { off: ['removeTag', { tagId: mine }], on: ['addTag', { tagId: other }] },
        edges: ['start > off', 'off > on'],
      })
    const [ping, pong] = [await swap(a, b), await swap(b, a)]
    const { id: contactId } = await createContact(owner)
    await expectStatus(owner.post('/events', { name: 'again', contactId }), 202)
    await expectStatus(owner.post(`/contacts/${contactId}/tags/${a}`), 204)
    const ended = async (id: string) => (await listRuns(owner, id, '?status=completed')).length
    await until(
      async () => [await ended(self), (await ended(ping)) + (await ended(pong))],
      counts => counts[0] === 11 && counts[1] === 11,
    )
    await expectStatus(owner.patch(`/contacts/${contactId}`, { name: 'Later' }), 200)
    expect(await ended(self)).toBe(11)
  })

  test('callWorkflow waits for the called journey; a loop of jumps ends', async () => {
    const done = await tag('done')
    const inner = await createJourney(owner, {
      trigger: { type: 'manual' },
      nodes: { wait: ['delay', { for: { minutes: 5 } }], mark: ['addTag', { tagId: done }] },
      edges: ['start > wait', 'wait > mark'],
    })
    const outer = await createJourney(owner, {
      trigger: { type: 'manual' },
      nodes: {
        call: ['callWorkflow', { journeyId: inner, wait: true }],
        count: ['setVariable', { name: 'n', value: '{{variables.n | default: ""}}x' }],
        loop: ['jump', { to: 'count', max: 3 }],
        weigh: ['branch', { cases: ['event.data.missing > 1'] }],
      },
      edges: ['start > call', 'call > count', 'count > loop', 'loop > weigh'],
    })
    const { id: contactId } = await createContact(owner)
    await expectStatus(owner.post(`/journeys/${outer}/runs`, { contactId }), 201)
    expect((await waitForRun(owner, outer, 'waiting')).waitingFor.run).toMatch(/^run_/)
    advance(6 * 60_000)
    const [run] = await until(
      () => listRuns(owner, outer),
      runs => ['completed', 'failed'].includes(runs[0]?.status),
    )
    const shown = await expectStatus(owner.get(`/runs/${run.id}`), 200)
    expect(await tagsOf(contactId)).toEqual([done])
    expect(shown.variables.n).toBe('xxxx')
    expect(shown.path.filter((line: { nodeId: string }) => line.nodeId === 'loop')).toHaveLength(4)
  })

  test('a failed run shows its error and can be retried; a waiting run can be cancelled', async () => {
    const id = await createJourney(owner, {
      trigger: { type: 'manual' },
      nodes: { ask: ['ask', { content: text('How are you?'), variable: 'mood', validate: 'text' }] },
      edges: ['start > ask'],
    })
    const { id: contactId } = await expectStatus(owner.post('/contacts', { name: 'No address' }), 201)
    await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
    const failed = await waitForRun(owner, id, 'failed')
    expect(failed.error).toMatchObject({ code: 'no_identity', nodeId: 'ask' })
    await expectStatus(owner.post(`/runs/${failed.id}/cancel`), 409)
    const phone = newPhone()
    await expectStatus(owner.patch(`/contacts/${contactId}`, { phone }), 200)
    await expectStatus(owner.post(`/runs/${failed.id}/retry`), 200)
    const waiting = await waitForRun(owner, id, 'waiting')
    expect(waiting.waitingFor).toMatchObject({ nodeId: 'ask', message: true })
    await gets(phone, ['How are you?'])
    await expectStatus(owner.post(`/runs/${failed.id}/retry`), 409)
    expect(await expectStatus(owner.post(`/runs/${failed.id}/cancel`), 200)).toMatchObject({
      status: 'cancelled',
      endReason: 'cancelled',
      waitingFor: null,
    })
  })

  test('a run continues with the surviving contact of a merge, and ends when its contact is deleted', async () => {
    const met = await tag('met')
    const id = await createJourney(owner, {
      trigger: { type: 'manual' },
      nodes: {
        wait: ['waitFor', { cases: [{ event: 'go' }] }],
        mark: ['addTag', { tagId: met }],
      },
      edges: ['start > wait', 'wait > mark'],
    })
    const [double, survivor, gone] = [
      await createContact(owner),
      await createContact(owner),
      await createContact(owner),
    ]
    for (const { id: contactId } of [double, gone])
      await expectStatus(owner.post(`/journeys/${id}/runs`, { contactId }), 201)
    await until(
      () => listRuns(owner, id, '?status=waiting'),
      runs => runs.length === 2,
    )
    await expectStatus(owner.post(`/contacts/${double.id}/merge`, { intoContactId: survivor.id }), 200)
    await expectStatus(owner.delete(`/contacts/${gone.id}`), 204)
    await until(
      () => listRuns(owner, id, `?contactId=${survivor.id}`),
      runs => runs.length === 1,
    )
    await expectStatus(owner.post('/events', { name: 'go', contactId: survivor.id }), 202)
    const runs = await until(
      () => listRuns(owner, id),
      all => all.every(run => run.status === 'completed'),
    )
    expect(runs.map(run => run.endReason).sort()).toEqual(['contact_deleted', 'end_of_path'])
    expect(await tagsOf(survivor.id)).toEqual([met])
  })

  test('step_failed only for the run whose step throws, after several attempts; retry succeeds after the fix', async () => {
    const [good, odd] = [await tag('good'), await createContact(owner)]
    const others = [await createContact(owner), await createContact(owner)]
    const id = await createJourney(owner, {
      trigger: { type: 'event', name: 'tagged' },
      nodes: {
        big: [
          'setVariable',
          { name: 'big', value: '{{event.data.big}}{{event.data.big}}{{event.data.big}}' },
        ],
        mark: ['addTag', { tagId: good }],
      },
      edges: ['start > big', 'big > mark'],
    })
    const { db } = service.deps
    await db.run(sql`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$`)
    await db.run(sql`create or replace trigger refuse before insert on contact_tags for each row
      when (new.contact_id = ${raw(`'${odd.id}'`)}) execute function refuse()`)
    const send = (contactId: string, big = 'x') =>
      expectStatus(owner.post('/events', { name: 'tagged', contactId, data: { big } }), 202)
    const greedy = await createContact(owner)
    await Promise.all([...[...others, odd].map(one => send(one.id)), send(greedy.id, 'y'.repeat(30_000))])
    const runs = await until(
      () => listRuns(owner, id),
      all => all.length === 4 && all.every(run => ['completed', 'failed'].includes(run.status)),
      30_000,
    )
    const failed = runs.filter(run => run.status === 'failed')
    expect(new Map(failed.map(run => [run.contactId, run.error.code]))).toEqual(
      new Map([
        [odd.id, 'step_failed'],
        [greedy.id, 'variables_too_large'],
      ]),
    )
    await db.run(sql`drop trigger refuse on contact_tags`)
    await expectStatus(owner.post(`/runs/${failed.find(run => run.contactId === odd.id).id}/retry`), 200)
    await waitForRun(owner, id, 'completed', odd.id)
    for (const one of [...others, odd]) expect(await tagsOf(one.id)).toEqual([good])
  })

  test('an expression reads the tags that the run has added since it last read the contact', async () => {
    const tagId = await tag('bought')
    const hasTag = `contact.tagIds.exists(id, id == "${tagId}")`
    const id = await createJourney(owner, {
      trigger: { type: 'event', name: 'order' },
      nodes: {
        before: ['branch', { cases: [hasTag] }],
        add: ['addTag', { tagId }],
        after: ['branch', { cases: [hasTag] }],
        note: ['note', { text: 'tagged' }],
      },
      edges: ['start > before', 'before:else > add', 'add > after', 'after:0 > note'],
    })
    const { id: contactId } = await createContact(owner)
    await expectStatus(owner.post('/events', { name: 'order', contactId }), 202)
    const run = await waitForRun(owner, id, 'completed', contactId)
    expect(getPath(run)).toEqual(['start:next', 'before:else', 'add:next', 'after:0', 'note:next'])
  })
  test('runs of one contact are processed in order: none overwrites the changes of another', async () => {
    const { id: fieldId, name } = await expectStatus(
      owner.post('/contacts/custom-fields', { name: `tally ${++tags}`, type: 'text' }),
      201,
    )
    const add = (letter: string): WorkflowInput['nodes'] => ({
      add: ['setField', { fieldId, value: `{{contact.customFields.${name} | default: ""}}${letter}` }],
    })
    const trigger = { type: 'event', name: 'count' }
    const { id: contactId } = await createContact(owner)
    const quick = await createJourney(owner, { trigger, nodes: add('a'), edges: ['start > add'] })
    const slow = await createJourney(owner, {
      trigger,
      nodes: { rest: ['delay', { for: { seconds: 30 } }], ...add('b') },
      edges: ['start > rest', 'rest > add'],
    })
    await Promise.all(
      Array.from({ length: 10 }, () =>
        expectStatus(owner.post('/events', { name: 'count', contactId }), 202),
      ),
    )
    await until(
      () => listRuns(owner, slow, '?status=waiting'),
      runs => runs.length === 10,
    )
    advance(31_000)
    await expectStatus(owner.post('/events', { name: 'count', contactId }), 202)
    await until(
      () => listRuns(owner, slow),
      runs => runs.length === 11 && runs.every(run => run.status !== 'running'),
    )
    advance(31_000)
    for (const id of [quick, slow])
      await until(
        () => listRuns(owner, id, '?status=completed'),
        runs => runs.length === 11,
      )
    const written: string = (await owner.get(`/contacts/${contactId}`)).body.customFields[name]
    expect([...written].sort().join('')).toBe('a'.repeat(11) + 'b'.repeat(11))
  })
})
