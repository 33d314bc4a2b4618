/** Tests satisfaction surveys: when they are sent, what counts as an answer, and what reports count. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { eventually } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/db/sql.ts'
import { transact } from '../../platform/db/transact.ts'
import { receiveMessage } from '../inbound/receive-message.ts'
import { foldFacts } from '../store/reports.ts'

const service = await testService()
const { db } = service.deps
const csat = { question: 'How was it?', delayMinutes: 0, commentQuestion: null as string | null }
let workspace: Workspace
let owner: Client
let inboxId: string
let numbers = 0

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely
type Body = any
const text = (body: string) => ({ type: 'text', text: { body } })
const newPhone = () => `+1415559${String(1000 + numbers++)}`
const patch = (body: object, client = owner) => client.patch(`/inboxes/${inboxId}`, body)
const report = async (query = '', client = owner): Promise<Body> =>
  (await client.get(`/reports/csat${query}`)).body

beforeEach(async () => {
  workspace = await service.workspace()
  owner = workspace.owner
  const { body } = await owner.post('/inboxes', {
    chatapp: { resourceIds: ['5591'], phoneNumberIds: [`559${1000 + numbers++}`] },
  })
  inboxId = body.inboxes[0].id
  await eventually(async () =>
    expect((await owner.get(`/inboxes/${inboxId}/health`)).body.isRegistered).toBe(true),
  )
  expect((await patch({ csat })).status).toBe(200)
})

const write = async (from: string, content: object, to = inboxId) =>
  expect((await owner.post('/sandbox/inbound', { inboxId: to, from, content })).status).toBe(202)
const find = async (from: string): Promise<Body> =>
  (await owner.get(`/conversations?search=${encodeURIComponent(from)}`)).body.conversations[0]

async function open(from: string, body = 'Hello', to = inboxId): Promise<string> {
  await write(from, text(body), to)
  return (
    await until(
      () => find(from),
      row => row?.lastMessagePreview === body && row.status === 'open',
    )
  ).id
}
const close = (id: string, client = owner) => client.post(`/conversations/${id}/close`)
const listSent = async (id: string): Promise<Body[]> =>
  (await owner.get(`/conversations/${id}/messages`)).body.messages.filter(
    ({ senderType }: Body) => senderType === 'bot',
  )
const listEvents = async (id: string): Promise<Body[]> =>
  (await owner.get(`/conversations/${id}/timeline`)).body.items
    .flatMap((item: Body) => (item.type === 'event' ? [item.event] : []))
    .reverse()
const listRatings = async (id: string) =>
  (await listEvents(id)).filter(({ type }) => type.startsWith('rat')).map(({ details }) => details)
const surveyed = (id: string, count = 1) =>
  until(
    () => listSent(id),
    sent => sent.length === count,
  )
const readSurvey = (id: string) =>
  db.maybe<Body>(sql`
    select status, reason, rating, comment, session_id as "sessionId", send_at as "sendAt" from conversation_surveys
    where tenant_id = ${workspace.tenantId} and conversation_id = ${id} order by send_at desc limit 1`)

/** Opens, closes and waits for the survey; returns the conversation and the content of a choice. */
async function survey(from = newPhone(), client = owner) {
  const id = await open(from)
  await close(id, client)
  const sent = await surveyed(id)
  const [{ rows }] = sent[0].content.rich.actions[0].sections
  const choose = (rating: number) => {
    const row = rows.find((one: Body) => one.title.startsWith(String(rating)))
    return { type: 'reply', reply: { id: row.id, title: row.title } }
  }
  return { from, id, choose, rate: (rating: number) => write(from, choose(rating)) }
}

describe('sending', () => {
  test('one message after closing, delivered with five choices; the conversation stays closed', async () => {
    const { id, from } = await survey()
    const [sent] = await until(
      () => listSent(id),
      ([one]) => one.deliveryStatus === 'delivered',
    )
    expect(sent.content.rich.body.text).toBe('How was it?')
    const { body } = await owner.get(`/sandbox/sent?inboxId=${inboxId}&to=${encodeURIComponent(from)}`)
    const [{ payload }] = body.items
    expect(payload.interactive.action.sections[0].rows.map((row: Body) => row.title)).toEqual([
      '5 ★★★★★',
      '4 ★★★★',
      '3 ★★★',
      '2 ★★',
      '1 ★',
    ])
    expect(await find(from)).toMatchObject({ status: 'closed', lastMessageSender: 'bot' })
    expect(await report()).toMatchObject({ totals: { sent: 1, count: 0, average: null, responseRate: 0 } })
  })

  test('sms gets numbered lines, socialapp buttons; a number and a choice are ratings', async () => {
    const numbersOfSms = await owner.post(`/smsprovider/AC559${numbers++}/phone-numbers`, {
      authToken: 'token',
    })
    const { pendingCredentialId, phoneNumbers } = numbersOfSms.body
    const phoneNumberSids = [phoneNumbers[0].phoneNumberSid]
    const created = [
      await owner.post('/inboxes', { sms: { pendingCredentialId, phoneNumberSids } }),
      await owner.post('/inboxes', { socialapp: { resourceIds: [`1784140${1000 + numbers++}`] } }),
    ]
    const [sms, social] = created.map(({ body }) => body.inboxes[0].id as string)
    for (const id of [sms!, social!]) {
      expect((await owner.patch(`/inboxes/${id}`, { csat })).status).toBe(200)
      await eventually(async () =>
        expect((await owner.get(`/inboxes/${id}/health`)).body.isRegistered).toBe(true),
      )
    }
    const phone = newPhone()
    const byPhone = await open(phone, 'Hello', sms)
    await close(byPhone)
    const [numbered] = await surveyed(byPhone)
    expect(numbered.content.text.body).toBe('How was it?\n5 *****\n4 ****\n3 ***\n2 **\n1 *')
    await write(phone, text(' 4 '), sms)
    await eventually(async () => expect(await listRatings(byPhone)).toEqual([{ rating: 4 }]))

    await write('998877', text('Hello'), social)
    const { id } = await until(
      async () => (await owner.get(`/conversations?inboxId=${social}`)).body.conversations[0],
      row => row !== undefined,
    )
    await close(id)
    const [buttons] = await surveyed(id)
    const { actions } = buttons.content.rich
    expect(actions.map(({ title }: Body) => title)).toContain('2 ★★')
    const two = actions.find(({ title }: Body) => title.startsWith('2'))
    await write('998877', { type: 'reply', reply: { id: two.id, title: two.title } }, social)
    await eventually(async () => expect(await listRatings(id)).toEqual([{ rating: 2 }]))
    expect((await report('?groupBy=inbox')).groups).toHaveLength(2)
  })

  test('cancelled by opening the conversation before it is due; closing again schedules it again, once per session', async () => {
    await patch({ csat: { ...csat, delayMinutes: 60 } })
    const from = newPhone()
    const id = await open(from)
    await close(id)
    await close(id)
    const first = await until(
      () => readSurvey(id),
      row => row !== undefined,
    )
    expect(Date.parse(first.sendAt)).toBeGreaterThan(service.deps.clock.now().getTime() + 50 * 60_000)
    await owner.post(`/conversations/${id}/reopen`)
    await makeDue()
    await eventually(async () =>
      expect(await readSurvey(id)).toMatchObject({ status: 'cancelled', reason: 'reopened' }),
    )
    await close(id)
    await until(
      () => readSurvey(id),
      row => row.status === 'scheduled',
    )
    await makeDue()
    await surveyed(id)
    await owner.post(`/conversations/${id}/reopen`)
    await close(id)
    // A later closing of another conversation is handled after this one.
    const other = await open(newPhone())
    await close(other)
    await until(
      () => readSurvey(other),
      row => row !== undefined,
    )
    await makeDue()
    await surveyed(other)
    expect(await listSent(id)).toHaveLength(1)
    expect(await report()).toMatchObject({ totals: { sent: 2 } })
  })

  test('none to customers who opted out, who did not write in the session, or after it was turned off', async () => {
    const from = newPhone()
    const id = await open(from)
    const { contactId } = await find(from)
    await owner.put(`/contacts/${contactId}/opt-outs/chatapp`)
    await close(id)
    await until(
      () => readSurvey(id),
      row => row?.status === 'refused' && row.reason === 'opted_out',
    )
    const outbound = await owner.post('/messages', {
      recipient: { type: 'phone', phoneNumber: newPhone() },
      inboxId,
      content: text('Hello'),
    })
    await close(outbound.body.conversation.id)
    await patch({ csat: { ...csat, delayMinutes: 60 } })
    const off = await open(newPhone())
    await close(off)
    await until(
      () => readSurvey(off),
      row => row?.status === 'scheduled',
    )
    await patch({ csat: null })
    await makeDue()
    await until(
      () => readSurvey(off),
      row => row.status === 'cancelled' && row.reason === 'turned_off',
    )
    expect(await readSurvey(outbound.body.conversation.id)).toBeUndefined()
    expect(await report()).toMatchObject({ totals: { sent: 0, responseRate: null } })
  })
})

/** Lets the delayed jobs run now. */
const makeDue = () =>
  db.run(sql`update job_lanes set at = clock_timestamp() - interval '1 second' where state = 'scheduled'`)

describe('answers', () => {
  test('a rating and its comment open no session, emit conversation.rated and nothing else, and are in the timeline', async () => {
    await patch({ csat: { ...csat, commentQuestion: 'Why?' } })
    const { id, from, rate } = await survey()
    const before = await find(from)
    const seq = await lastSeq()
    await rate(5)
    const sent = await surveyed(id, 2)
    expect(sent[0].content).toEqual(text('Why?'))
    await write(from, text('Fast and friendly'))
    await eventually(async () =>
      expect(await listRatings(id)).toEqual([{ rating: 5 }, { rating: 5, comment: 'Fast and friendly' }]),
    )
    expect(await find(from)).toMatchObject({
      status: 'closed',
      openedAt: before.openedAt,
      waitingSince: null,
    })
    const { messages } = (await owner.get(`/conversations/${id}/messages`)).body
    expect(messages.filter(({ senderType }: Body) => senderType === 'customer')).toHaveLength(1)
    const events = await until(
      () => listLog(seq),
      rows => rows.filter(isRated).length === 2,
    )
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set(['conversation.rated', 'message.created', 'message.updated']),
    )
    expect(
      events.filter(({ type, data }) => type === 'message.created' && data.message.senderType !== 'bot'),
    ).toEqual([])
    expect(events.findLast(isRated)!.data).toMatchObject({
      conversation: { id, status: 'closed' },
      rating: { inboxId, userId: owner.id, rating: 5, comment: 'Fast and friendly' },
    })
    // The comment was given: what comes next is a message.
    await open(from, 'One more question')
  })

  test('what is not a rating is a message; a choice counts afterwards, a number does not', async () => {
    const { id, from, rate } = await survey()
    await open(from, 'Thanks, but it is broken again')
    await open(from, '5')
    expect(await listRatings(id)).toEqual([])
    await rate(2)
    await eventually(async () => expect(await listRatings(id)).toEqual([{ rating: 2 }]))
    expect(await find(from)).toMatchObject({ status: 'open', lastMessagePreview: '5' })
  })

  test('the latest answer counts, in whatever order the answers arrive, and doubled ones change nothing', async () => {
    const { id, from, choose } = await survey()
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    const receive = (rating: number, time: string, channelMessageId: string) =>
      transact(db, tx =>
        receiveMessage(
          tx,
          { tenantId: workspace.tenantId, inboxId },
          { from, alsoKnownAs: [], channelMessageId, at: time, content: choose(rating) } as never,
          service.deps,
        ),
      )
    const [first, second, third] = [at(1), at(2), at(3)]
    await Promise.all([receive(4, second, 'b'), receive(4, second, 'b')])
    await receive(1, first, 'a')
    await receive(3, third, 'c')
    await receive(3, third, 'c')
    expect(await listRatings(id)).toEqual([{ rating: 4 }, { rating: 3, previous: 4 }])
    expect(await report()).toMatchObject({
      totals: { sent: 1, count: 1, average: 3, distribution: [0, 0, 1, 0, 0], responseRate: 1 },
    })
    // After three days a choice is a message like any other.
    await receive(5, at(4 * 86_400), 'd')
    expect(await find(from)).toMatchObject({ status: 'open', lastMessagePreview: '5 ★★★★★' })
    expect(await listRatings(id)).toHaveLength(2)
  })

  test('STOP after a rating opts out and is not a comment; without a comment question the next text is a message', async () => {
    const plain = await survey()
    await plain.rate(4)
    await eventually(async () => expect(await listRatings(plain.id)).toHaveLength(1))
    await open(plain.from, 'Where is my order?')
    await patch({ csat: { ...csat, commentQuestion: 'Why?' } })
    const { id, from, rate } = await survey()
    await rate(1)
    await surveyed(id, 2)
    await open(from, 'STOP')
    expect(await readSurvey(id)).toMatchObject({ rating: 1, comment: null })
  })

  test('erasing the contact deletes the answers; the figures stay', async () => {
    const { id, from, rate } = await survey()
    await rate(5)
    await eventually(async () => expect(await listRatings(id)).toHaveLength(1))
    const { contactId } = await find(from)
    await owner.post(`/contacts/${contactId}/erase`)
    await until(
      () => readSurvey(id),
      row => row === undefined,
    )
    expect(await report()).toMatchObject({ totals: { count: 1 } })
  })
})

const isRated = ({ type }: { type: string }) => type === 'conversation.rated'
const lastSeq = async () =>
  (await db.value<number>(
    sql`select coalesce(max(seq), 0)::int from event_log where tenant_id = ${workspace.tenantId}`,
  ))!
const listLog = (after: number) =>
  db.rows<{ type: string; data: Body }>(sql`
    select type, data from event_log where tenant_id = ${workspace.tenantId} and seq > ${after} order by seq`)

describe('settings and reports', () => {
  test('200 with the defaults; 400 for what the channel cannot send; 403 for agents; null turns it off', async () => {
    expect((await patch({ csat: { question: 'Happy?' } })).body.csat).toEqual({
      question: 'Happy?',
      delayMinutes: 0,
      commentQuestion: null,
    })
    for (const bad of [
      {},
      { question: '' },
      { question: '  ' },
      { question: 'x', delayMinutes: -1 },
      { question: 'x', delayMinutes: 1441 },
      { question: 'x', commentQuestion: '' },
      { question: 'x', stars: 3 },
      { question: 'x'.repeat(1001) },
    ])
      expect((await patch({ csat: bad })).status, JSON.stringify(bad)).toBe(400)
    expect((await patch({ csat: null }, await workspace.user('agent'))).status).toBe(403)
    expect((await patch({ csat: null })).body.csat).toBeNull()
    expect((await owner.get(`/inboxes/${inboxId}`)).body.csat).toBeNull()
  })

  test('figures by user, team, inbox and day, the same after they are folded; agents see their own', async () => {
    await owner.put(`/inboxes/${inboxId}/team`, { teamId: workspace.teamId })
    const agent = await workspace.user('agent', [workspace.teamId])
    const mine = await survey(newPhone(), agent)
    await mine.rate(5)
    const theirs = await survey()
    await theirs.rate(2)
    await survey()
    const both = await until(
      () => report(),
      body => body.totals.count === 2,
    )
    expect(both.totals).toEqual({
      sent: 3,
      count: 2,
      average: 3.5,
      distribution: [0, 1, 0, 0, 1],
      responseRate: 0.6667,
    })
    expect((await report('', agent)).totals).toMatchObject({ sent: 1, count: 1, average: 5 })
    expect((await report(`?userId=${agent.id}`, agent)).totals).toMatchObject({ sent: 1, average: 5 })
    expect((await report(`?userId=${owner.id}`, agent)).totals).toMatchObject({ sent: 0, count: 0 })
    const byUser = (await report('?groupBy=user')).groups
    expect(byUser.find(({ key }: Body) => key === owner.id)).toMatchObject({ sent: 2, count: 1, average: 2 })
    expect((await report('?groupBy=team')).groups).toMatchObject([{ key: workspace.teamId, count: 2 }])
    expect((await report('?groupBy=inbox')).groups).toMatchObject([{ key: inboxId, count: 2 }])
    expect((await report('?groupBy=day')).groups).toHaveLength(1)
    while ((await transact(db, tx => foldFacts(tx, 2))) > 0);
    expect(await report()).toEqual(both)
    expect((await owner.get('/reports/overview')).body.totals).toMatchObject({ opened: 3, closed: 3 })
    expect((await owner.get('/reports/csat?groupBy=hourOfDay')).status).toBe(400)
  })
})
