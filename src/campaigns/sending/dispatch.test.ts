/** Campaigns from schedule to the last status, against the sandbox. */
import { describe, expect, test } from 'vitest'
import type { Client, Workspace } from '../../../test/harness/api.ts'
import { testService, until } from '../../../test/harness/service.ts'
import { jobs } from '../../app.ts'
import { sql } from '../../platform/db/sql.ts'
import { startWorkers } from '../../platform/jobs/workers.ts'

const service = await testService()
const text = (body: string) => ({ type: 'text', text: { body } })
const greeting = (name: string) => ({
  type: 'template',
  template: {
    name: 'greeting',
    language: 'en_US',
    components: [{ type: 'body', parameters: [{ type: 'text', text: name }] }],
  },
})
let numbers = 0

interface Setup extends Workspace {
  inboxId: string
  waba: string
}

async function setUp(): Promise<Setup> {
  const workspace = await service.workspace()
  const waba = `88${++numbers}`
  const made = await workspace.owner.post('/inboxes', {
    chatapp: { resourceIds: [waba], phoneNumberIds: [`${waba}001`] },
  })
  const inboxId = made.body.inboxes[0].id
  await untilRegistered(inboxId)
  return { ...workspace, inboxId, waba }
}

/** Before that, the provider does not send webhooks. */
function untilRegistered(inboxId: string): Promise<unknown> {
  return until(
    () => service.deps.db.rows(sql`select 1 from inboxes where id = ${inboxId} and registration is null`),
    unregistered => unregistered.length === 0,
  )
}

let phones = 1000
const nextPhone = () => `+1415556${phones++}`

async function people(owner: Client, n: number, values: (i: number) => object = () => ({})) {
  const made = []
  for (let i = 0; i < n; i++) {
    const answer = await owner.post('/contacts', { name: `Person ${i}`, phone: nextPhone(), ...values(i) })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    made.push(answer.body)
  }
  return made as { id: string; name: string; identities: { metadata: { phoneNumber: string } }[] }[]
}

async function campaign({ owner, inboxId }: Setup, patch: object = {}, conditions: object[] = []) {
  const segment = await owner.post('/segments', { name: 'All', filter: { match: 'all', conditions } })
  const { id } = (await owner.post('/campaigns', { name: 'Spring' })).body
  const full = { inboxId, segmentId: segment.body.id, content: text('Hello'), ...patch }
  const patched = await owner.patch(`/campaigns/${id}`, full)
  expect(patched.status, JSON.stringify(patched.body)).toBe(200)
  return { id: id as string, path: `/campaigns/${id}`, segmentId: segment.body.id as string }
}

async function send(owner: Client, path: string) {
  const answer = await owner.post(`${path}/schedule`, { sendAt: 'now' })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

const statusOf = async (owner: Client, path: string) => (await owner.get(path)).body.status as string
const untilStatus = (owner: Client, path: string, status: string) =>
  until(
    () => statusOf(owner, path),
    found => found === status,
    60_000,
  )
const countsOf = async (owner: Client, path: string) => (await owner.get(`${path}/analytics`)).body.counts
const sentTo = async ({ owner, inboxId }: Setup) =>
  (await owner.get(`/sandbox/sent?inboxId=${inboxId}`)).body.items as {
    to: string
    payload: {
      document?: { caption: string }
      text?: { body: string }
      template?: { components: { parameters: { text: string }[] }[] }
    }
  }[]
const sum = ({ replied: _, ...counts }: Record<string, number>) =>
  Object.values(counts).reduce((total, n) => total + n, 0)

async function recipientsOf(owner: Client, path: string) {
  return (await owner.get(`${path}/recipients?limit=200`)).body.items as {
    contactId: string
    status: string
    reason?: string
    messageId?: string
  }[]
}

/** Compares counts and recipients; retried because statuses arrive between the two requests. */
async function assertCountsAddUp(owner: Client, path: string): Promise<Record<string, number>> {
  const statuses = ['pending', 'sent', 'delivered', 'read', 'failed', 'skipped']
  const { counts } = await until(
    async () => {
      const [{ body }, rows] = [await owner.get(`${path}/analytics`), await recipientsOf(owner, path)]
      const held = Object.fromEntries(
        statuses.map(status => [status, rows.filter(row => row.status === status).length]),
      )
      return { held, counts: body.counts, audienceCount: body.audienceCount }
    },
    ({ held, counts, audienceCount }) =>
      sum(counts) === audienceCount && statuses.every(status => held[status] === counts[status]),
  )
  return counts
}

describe('sending now', () => {
  async function prepare() {
    const at = await setUp()
    const { owner } = at
    await owner.post('/contacts/custom-fields', { name: 'plan', type: 'text' })
    const made = await people(owner, 12, i =>
      i === 0 ? {} : { customFields: { plan: i % 2 ? 'gold' : 'silver' } },
    )
    await owner.put(`/contacts/${made[1]!.id}/opt-outs/chatapp`)
    await owner.post('/contacts', { name: 'Nowhere', customFields: { plan: 'gold' } })
    await owner.post(`/contacts/${made[2]!.id}/archive`)
    const content = text('Hi {{contact.name}}, {{contact.customFields.plan}}{{contact.email | default: "!"}}')
    const { path } = await campaign(at, { content }, [{ type: 'archiveStatus', status: 'any' }])
    return { at, owner, made, path }
  }

  async function prepareSent() {
    const prepared = await prepare()
    await send(prepared.owner, prepared.path)
    await untilStatus(prepared.owner, prepared.path, 'sent')
    return prepared
  }

  test('200 estimate: predicts recipients and skips', async () => {
    const { owner, path } = await prepare()
    const estimate = await owner.get(`${path}/estimate`)
    expect(estimate.body).toEqual({
      audienceCount: 13,
      sendable: 9,
      skipped: { archived: 1, opted_out: 1, no_identity: 1, window_closed: 0, missing_parameter: 1 },
      rate: null,
      durationSeconds: null,
    })
  })

  test('200 sendable contacts of the estimate: those who get the message', async () => {
    const { owner, path } = await prepare()
    const sendable = (await owner.get(`${path}/estimate/sendable?limit=4`)).body
    const next = (await owner.get(`${path}/estimate/sendable?cursor=${sendable.nextCursor}`)).body
    const listed = [...sendable.items, ...next.items].map(({ contactId }: { contactId: string }) => contactId)
    expect(listed).toHaveLength(9)
    await send(owner, path)
    await untilStatus(owner, path, 'sent')
    const { items } = (await owner.get(`${path}/recipients?limit=100`)).body
    const received = items.filter(({ status }: { status: string }) => status !== 'skipped')
    expect(listed.toSorted()).toEqual(
      received.map(({ contactId }: { contactId: string }) => contactId).toSorted(),
    )
  })

  test('each recipient gets one personalised message or a skip reason; the counts add up', async () => {
    const { at, owner, made, path } = await prepareSent()
    const { body } = await owner.get(path)
    expect(body).toMatchObject({
      audienceCount: 13,
      evaluatedAt: expect.any(String),
      sentAt: expect.any(String),
    })
    const sent = await sentTo(at)
    expect(sent).toHaveLength(9)
    expect(new Set(sent.map(one => one.to)).size).toBe(9)
    expect(sent.map(one => one.payload.text?.body)).toContain('Hi Person 3, gold!')
    const rows = await recipientsOf(owner, path)
    const reasonOf = (id: string) => rows.find(row => row.contactId === id)?.reason
    expect(made.slice(0, 3).map(one => reasonOf(one.id))).toEqual([
      'missing_parameter',
      'opted_out',
      'archived',
    ])
    expect(rows.filter(row => row.status === 'skipped').map(row => row.reason)).toContain('no_identity')
    await until(
      () => assertCountsAddUp(owner, path),
      counts => counts.delivered === 9,
    )
    const analytics = (await owner.get(`${path}/analytics`)).body
    expect(analytics).toMatchObject({ rates: { delivery: 1, failure: 0 }, startedAt: expect.any(String) })
    const total = (key: string) =>
      analytics.timeline.reduce((n: number, point: Record<string, number>) => n + point[key]!, 0)
    expect([total('sent'), total('delivered'), total('failed')]).toEqual([9, 9, 0])
  })

  test('200 recipients: by status, in pages and as CSV', async () => {
    const { owner, made, path } = await prepareSent()
    const first = (await owner.get(`${path}/recipients?status=skipped&limit=3`)).body
    expect(first.items).toHaveLength(3)
    const rest = (await owner.get(`${path}/recipients?status=skipped&limit=3&cursor=${first.nextCursor}`))
      .body
    expect(rest).toMatchObject({ items: [{ status: 'skipped' }], hasMore: false })
    const csv = (await owner.get(`${path}/recipients/export`)).body as string
    const lines = csv.trim().split('\r\n')
    expect(lines).toHaveLength(14)
    expect(lines[0]).toBe('contactId,contactName,status,reason,messageId,updatedAt')
    expect(lines.find(line => line.startsWith(made[1]!.id))).toContain('Person 1,skipped,opted_out,,')
    expect(
      (await owner.get(`${path}/recipients/export?status=skipped`)).body.trim().split('\r\n'),
    ).toHaveLength(5)
  })

  test('200 counts in the list, and recipients by reason', async () => {
    const { owner, path } = await prepareSent()
    const { items } = (await owner.get(`${path}/recipients/reasons`)).body
    expect(items).toEqual(
      ['archived', 'missing_parameter', 'no_identity', 'opted_out'].map(reason => ({
        status: 'skipped',
        reason,
        count: 1,
      })),
    )
    // The counts change until the provider has reported the last delivery.
    await until(
      () => assertCountsAddUp(owner, path),
      counts => counts.delivered === 9,
    )
    await owner.post('/campaigns', { name: 'Not begun' })
    const [begun, listed] = (await owner.get('/campaigns')).body.items
    expect(begun.counts).toBeNull()
    expect(listed.counts).toEqual((await owner.get(`${path}/analytics`)).body.counts)
  })

  test('204 deletes a sent campaign; 409 for changes', async () => {
    const { owner, path } = await prepareSent()
    expect((await owner.patch(path, { name: 'B' })).status).toBe(409)
    expect((await owner.post(`${path}/unschedule`)).body.code).toBe('campaign_not_scheduled')
    expect((await owner.delete(path)).status).toBe(204)
  })
})

describe('deliveries and replies', () => {
  test('failures have a reason; the first reply of each recipient is counted and emitted', async () => {
    const at = await setUp()
    const { owner, inboxId, tenantId } = at
    const [ada, bob] = await people(owner, 2)
    await owner.post('/contacts', { name: 'Void', phone: '+15005550010' })
    await owner.post('/contacts', { name: 'Gone', phone: '+15005550004' })
    const { id, path } = await campaign(at, { content: greeting('{{contact.name}}') })
    await send(owner, path)
    await untilStatus(owner, path, 'sent')
    const sent = await sentTo(at)
    expect(sent.map(one => one.payload.template?.components[0]?.parameters[0]?.text)).toContain('Person 0')
    const [conversation] = (await owner.get('/conversations?search=Person%200')).body.conversations
    expect(conversation.lastMessagePreview).toBe('Hi Person 0, thanks for getting in touch.')
    await until(
      () => countsOf(owner, path),
      counts => counts.failed === 2 && counts.delivered === 2,
    )
    const failed = (await recipientsOf(owner, path)).filter(row => row.status === 'failed')
    expect(failed.map(row => row.reason)).toEqual(['opted_out', expect.stringMatching(/^[a-z_]+$/)])
    const from = ada!.identities[0]!.metadata.phoneNumber
    for (const body of ['Yes please', 'And thanks'])
      await owner.post('/sandbox/inbound', { inboxId, from, content: text(body) })
    await until(
      () => countsOf(owner, path),
      counts => counts.replied === 1,
    )
    const emitted = () =>
      service.deps.db.rows<{ data: object }>(
        sql`select data from event_log where tenant_id = ${tenantId} and type = 'campaign.replied'`,
      )
    await until(emitted, events => events.length === 1)
    expect((await emitted())[0]!.data).toMatchObject({ campaignId: id, contactId: ada!.id })
    // A user wrote in between: Bob replies to that message.
    const phone = bob!.identities[0]!.metadata.phoneNumber
    await owner.post('/messages', {
      recipient: { type: 'phone', phoneNumber: phone },
      inboxId,
      content: text('Hi'),
    })
    await owner.post('/sandbox/inbound', { inboxId, from: phone, content: text('Hello you') })
    await until(
      async () =>
        (await owner.get(`/conversations?search=${encodeURIComponent(phone)}`)).body.conversations[0],
      conversation => conversation?.lastMessageSender === 'customer',
    )
    const counts = await assertCountsAddUp(owner, path)
    expect(counts.replied).toBe(1)
    expect((await owner.get(`${path}/analytics`)).body.rates).toMatchObject({
      reply: 0.25,
      failure: 0.5,
    })
  })

  test('media is sent to every recipient; 400 for unknown media', async () => {
    const at = await setUp()
    const { owner } = at
    await people(owner, 2)
    const form = new FormData()
    form.set('file', new Blob(['one\ntwo\n'], { type: 'text/plain' }), 'prices.txt')
    const uploaded = await fetch(`${owner.url}/v1/media/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}` },
      body: form,
    })
    const { mediaId } = (await uploaded.json()) as { mediaId: string }
    const media = { mediaId, caption: 'For {{contact.name}}' }
    const { path } = await campaign(at, { content: { type: 'media', media } })
    const unknown = await campaign(at, { content: { type: 'media', media: { mediaId: 'mda_no' } } })
    const refused = await owner.post(`${unknown.path}/schedule`, { sendAt: 'now' })
    expect(refused.body).toMatchObject({ status: 400, violations: [{ field: 'content.media.mediaId' }] })
    await send(owner, path)
    await untilStatus(owner, path, 'sent')
    const captions = (await sentTo(at)).map(one => one.payload.document?.caption)
    expect(captions.sort()).toEqual(['For Person 0', 'For Person 1'])
  })

  test('200 preview: the message that a contact would receive, or the reason to skip the contact', async () => {
    const at = await setUp()
    const { owner } = at
    const [ada] = await people(owner, 1)
    const nameless = (await owner.post('/contacts', { phone: nextPhone() })).body
    const { path } = await campaign(at, { content: greeting('Dear {{contact.name}}') })
    const preview = async (contactId: string) => (await owner.post(`${path}/preview`, { contactId })).body
    const { content } = await preview(ada!.id)
    const sent = await owner.post(`${path}/test`, { contactId: ada!.id })
    expect(content).toEqual(sent.body.message.content)
    expect(JSON.stringify(content)).toContain('Dear Person')
    expect(await preview(nameless.id)).toEqual({
      contactId: nameless.id,
      content: null,
      skipReason: 'missing_parameter',
    })
    expect((await preview('con_no')).code).toBe('contact_not_found')
  })

  test('202 test: sends to one contact and is not counted', async () => {
    const at = await setUp()
    const { owner } = at
    const [ada] = await people(owner, 1)
    const nameless = (await owner.post('/contacts', { phone: nextPhone() })).body
    const { id, path } = await campaign(at, { content: greeting('{{contact.name}}') })
    const answer = await owner.post(`${path}/test`, { contactId: ada!.id })
    expect(answer).toMatchObject({ status: 202, body: { message: { senderType: 'campaign', senderId: id } } })
    expect((await owner.post(`${path}/test`, { contactId: nameless.id })).body).toMatchObject({
      status: 400,
      violations: [{ field: 'contactId', code: 'missing_parameter' }],
    })
    expect((await owner.post(`${path}/test`, { contactId: 'con_no' })).body.code).toBe('contact_not_found')
    await until(
      () => sentTo(at),
      sent => sent.length === 1,
    )
    expect((await owner.get(`${path}/analytics`)).body.counts.sent).toBe(0)
    expect(await statusOf(owner, path)).toBe('draft')
  })
})

describe('pause, cancel and rate', () => {
  test('pause stops dispatch, resume continues, the rate is never exceeded', async () => {
    const at = await setUp()
    const { owner, tenantId } = at
    await people(owner, 40)
    const { id, path } = await campaign(at, { sendRate: 10 })
    await send(owner, path)
    const messages = () =>
      service.deps.db.rows<{ at: string }>(sql`
        select created_at as at from messages where tenant_id = ${tenantId} and sender_id = ${id} order by created_at`)
    await until(messages, found => found.length >= 2)
    expect((await owner.post(`${path}/pause`)).body.status).toBe('paused')
    const atPause = (await messages()).length
    expect(atPause).toBeLessThan(40)
    expect((await owner.post(`${path}/pause`)).body.code).toBe('campaign_not_sending')
    await until(
      () => countsOf(owner, path),
      counts => counts.pending === 40 - atPause,
    )
    expect((await messages()).length).toBe(atPause)
    expect((await owner.delete(path)).body.code).toBe('campaign_not_deletable')
    expect((await owner.post(`${path}/resume`)).body.status).toBe('sending')
    await untilStatus(owner, path, 'sent')
    const times = (await messages()).map(one => Date.parse(one.at))
    expect(times).toHaveLength(40)
    // At most the rate, one burst and one message at the edge in any second.
    for (const from of times)
      expect(times.filter(time => time >= from && time < from + 1_000).length).toBeLessThan(13)
    await assertCountsAddUp(owner, path)
  })

  test('cancel skips the remaining recipients; the counts add up', async () => {
    const at = await setUp()
    const { owner } = at
    await people(owner, 40)
    const { path } = await campaign(at, { sendRate: 5 })
    await send(owner, path)
    await until(
      () => countsOf(owner, path),
      counts => counts.pending < 40 && sum(counts) === 40,
    )
    expect((await owner.post(`${path}/cancel`)).body.status).toBe('cancelled')
    const counts = await until(
      () => countsOf(owner, path),
      found => found.pending === 0,
    )
    expect(counts.skipped).toBeGreaterThan(5)
    expect((await sentTo(at)).length).toBe(40 - counts.skipped)
    await assertCountsAddUp(owner, path)
    expect((await owner.post(`${path}/resume`)).body.code).toBe('campaign_not_paused')
    expect((await owner.delete(path)).status).toBe(204)
  })

  test('campaigns of one inbox share its rate; another workspace is not delayed', async () => {
    const [at, other] = [await setUp(), await setUp()]
    const { owner, tenantId, inboxId } = at
    await service.deps.db.run(
      sql`update inboxes set rate = 20 where tenant_id = ${tenantId} and id = ${inboxId}`,
    )
    await people(owner, 12)
    await people(other.owner, 5)
    const [a, b] = [await campaign(at), await campaign(at, { sendRate: 500 })]
    expect((await owner.get(b.path)).body.sendRate).toBe(20)
    expect((await owner.get(`${a.path}/estimate`)).body).toMatchObject({ rate: 18, durationSeconds: 1 })
    const small = await campaign(other)
    for (const one of [a, b]) await send(owner, one.path)
    await send(other.owner, small.path)
    for (const one of [a, b]) await untilStatus(owner, one.path, 'sent')
    await untilStatus(other.owner, small.path, 'sent')
    const rows = await service.deps.db.rows<{ at: string }>(sql`
      select created_at as at from messages where tenant_id = ${tenantId} and sender_type = 'campaign'`)
    const times = rows.map(row => Date.parse(row.at))
    expect(times).toHaveLength(24)
    for (const from of times)
      expect(times.filter(time => time >= from && time < from + 1_000).length).toBeLessThan(23)
  })
})

test('sms reaches phone numbers known from chatapp; socialapp reaches customers who wrote', async () => {
  const at = await setUp()
  const { owner } = at
  const [ada] = await people(owner, 1)
  const n = ++numbers
  const listed = await owner.post(`/smsprovider/AC88${n}/phone-numbers`, { authToken: 'token' })
  const sms = await owner.post('/inboxes', {
    sms: {
      pendingCredentialId: listed.body.pendingCredentialId,
      phoneNumberSids: [listed.body.phoneNumbers[0].phoneNumberSid],
    },
  })
  const social = await owner.post('/inboxes', {
    socialapp: { resourceIds: [`1784140000088${String(n).padStart(4, '0')}`] },
  })
  const [smsId, socialId] = [sms.body.inboxes[0].id, social.body.inboxes[0].id]
  await untilRegistered(socialId)
  await owner.post('/sandbox/inbound', { inboxId: socialId, from: '990088', content: text('Hello') })
  await until(
    async () => (await owner.get('/conversations')).body.conversations,
    found => found.length === 1,
  )
  const [a, b] = [await campaign(at, { inboxId: smsId }), await campaign(at, { inboxId: socialId })]
  for (const { path } of [a, b]) {
    await send(owner, path)
    await untilStatus(owner, path, 'sent')
    const counts = await assertCountsAddUp(owner, path)
    expect(counts).toMatchObject({ skipped: 1, failed: 0 })
    expect((await recipientsOf(owner, path)).find(row => row.status === 'skipped')?.reason).toBe(
      'no_identity',
    )
  }
  const channels = (await owner.get(`/contacts/${ada!.id}`)).body.identities
  expect(channels.map((one: { channel: string }) => one.channel).sort()).toEqual(['chatapp', 'sms'])
  expect((await sentTo({ ...at, inboxId: smsId })).map(one => one.to)).toEqual([
    ada!.identities[0]!.metadata.phoneNumber,
  ])
  expect(await sentTo({ ...at, inboxId: socialId })).toHaveLength(1)
  expect((await owner.get('/conversations')).body.conversations).toHaveLength(2)
})

test('two processes and two campaigns: each recipient gets each message exactly once', async () => {
  const at = await setUp()
  const { owner } = at
  await people(owner, 25)
  const other = await service.another()
  const workers = startWorkers(other.deps, jobs)
  try {
    const both = [await campaign(at, { content: text('A') }), await campaign(at, { content: text('B') })]
    await Promise.all(both.map(one => send(owner, one.path)))
    for (const one of both) await untilStatus(owner, one.path, 'sent')
    const sent = await sentTo(at)
    expect(sent).toHaveLength(50)
    expect(new Set(sent.map(one => `${one.to} ${one.payload.text?.body}`)).size).toBe(50)
    for (const one of both) await assertCountsAddUp(owner, one.path)
  } finally {
    await workers.stop(2_000)
  }
})

describe('scheduled start', () => {
  test('sends nothing before the scheduled time', async () => {
    const at = await setUp()
    const { owner } = at
    await people(owner, 2)
    const { path } = await campaign(at)
    const time = service.deps.clock.now().getTime() + 600_000
    const sendAt = new Date(time + 5.75 * 3_600_000).toISOString().replace('Z', '+05:45')
    const scheduled = await owner.post(`${path}/schedule`, { sendAt })
    expect(scheduled.body).toMatchObject({ status: 'scheduled', scheduledAt: new Date(time).toISOString() })
    service.deps.clock.advance(500_000)
    await owner.post('/contacts', { name: 'Late', phone: nextPhone() })
    expect(await statusOf(owner, path)).toBe('scheduled')
    expect(await sentTo(at)).toEqual([])
    service.deps.clock.advance(100_000)
    await untilStatus(owner, path, 'sent')
    // The audience is who is there when it starts.
    expect((await sentTo(at)).length).toBe(3)
    expect(Date.parse((await owner.get(path)).body.evaluatedAt)).toBeGreaterThanOrEqual(time)
  })

  test('concurrent unschedule and start: a draft and nothing sent, or 409 and everything sent', async () => {
    const at = await setUp()
    const { owner, tenantId } = at
    await people(owner, 3)
    const outcomes = []
    for (let round = 0; round < 12; round++) {
      const { id, path } = await campaign(at)
      await send(owner, path)
      await new Promise(resolve => setTimeout(resolve, round * 2))
      const answer = await owner.post(`${path}/unschedule`)
      outcomes.push({ id, path, status: answer.status })
    }
    const messagesOf = async (id: string) =>
      (
        await service.deps.db.rows(
          sql`select 1 from messages where tenant_id = ${tenantId} and sender_id = ${id}`,
        )
      ).length
    for (const { id, path, status } of outcomes) {
      if (status === 200) expect([await statusOf(owner, path), await messagesOf(id)]).toEqual(['draft', 0])
      else {
        expect(status).toBe(409)
        await untilStatus(owner, path, 'sent')
        expect(await messagesOf(id)).toBe(3)
      }
    }
    // Scheduled again, the start of the first time does nothing and that of the second everything.
    const { id, path } = await campaign(at)
    await owner.post(`${path}/schedule`, {
      sendAt: new Date(service.deps.clock.now().getTime() + 60_000).toISOString(),
    })
    await owner.post(`${path}/unschedule`)
    await send(owner, path)
    await untilStatus(owner, path, 'sent')
    service.deps.clock.advance(120_000)
    await until(
      () => service.deps.db.rows(sql`select 1 from job_lanes where name = 'campaigns.start'`),
      rows => rows.length === 0,
    )
    expect(await messagesOf(id)).toBe(3)
  })
})

describe('deletions while sending', () => {
  test('a deleted inbox fails the campaign and skips the rest', async () => {
    const at = await setUp()
    const { owner, inboxId } = at
    await people(owner, 20)
    const { path } = await campaign(at, { sendRate: 5 })
    await send(owner, path)
    await until(
      () => countsOf(owner, path),
      counts => counts.pending < 20 && sum(counts) === 20,
    )
    expect((await owner.delete(`/inboxes/${inboxId}`)).status).toBe(204)
    await untilStatus(owner, path, 'failed')
    expect((await owner.get(path)).body.dispatchError).toContain('inbox_deleted')
    await until(
      () => countsOf(owner, path),
      counts => counts.pending === 0,
    )
    await assertCountsAddUp(owner, path)
  })

  test('a deleted template fails the campaign once', async () => {
    const at = await setUp()
    const { owner, waba } = at
    await people(owner, 30)
    const { path } = await campaign(at, { content: greeting('{{contact.name}}'), sendRate: 8 })
    await send(owner, path)
    await until(
      () => countsOf(owner, path),
      counts => counts.pending < 30 && sum(counts) === 30,
    )
    const gone = await fetch(`${service.sandbox.urls.chatapp}/${waba}/message_templates?name=greeting`, {
      method: 'DELETE',
      headers: { authorization: 'Bearer sandbox' },
    })
    expect(gone.status).toBe(200)
    await untilStatus(owner, path, 'failed')
    expect((await owner.get(path)).body.dispatchError).toContain('template_unknown')
    const counts = await until(
      () => countsOf(owner, path),
      found => found.pending === 0,
    )
    expect(counts.skipped).toBeGreaterThan(5)
    await assertCountsAddUp(owner, path)
  })

  test('deleted contacts are skipped, merged contacts get one message', async () => {
    const at = await setUp()
    const { owner } = at
    const made = await people(owner, 8)
    const { path } = await campaign(at, { sendRate: 4 })
    const survivor = (await owner.post('/contacts', { name: 'Survivor' })).body
    await send(owner, path)
    await until(
      () => countsOf(owner, path),
      counts => counts.pending < 9 && sum(counts) === 9,
    )
    await owner.post(`${path}/pause`)
    const dispatched = (await recipientsOf(owner, path)).filter(row => row.messageId).length
    expect(dispatched).toBeLessThan(5)
    // The last recipients: one deleted, one merged into another recipient, who has no address of their own.
    await owner.delete(`/contacts/${made[5]!.id}`)
    await owner.post(`/contacts/${made[6]!.id}/merge`, { intoContactId: survivor.id })
    await owner.patch(path, {})
    await owner.post(`${path}/resume`)
    await untilStatus(owner, path, 'sent')
    const rows = await recipientsOf(owner, path)
    const of = (id: string) => rows.find(row => row.contactId === id)
    expect(of(made[5]!.id)).toMatchObject({ status: 'skipped', reason: 'archived' })
    expect(of(made[6]!.id)).toMatchObject({ status: 'skipped', reason: 'archived' })
    expect(of(survivor.id)?.messageId).toEqual(expect.any(String))
    const sent = await sentTo(at)
    expect(sent).toHaveLength(7)
    expect(new Set(sent.map(one => one.to)).size).toBe(7)
    await assertCountsAddUp(owner, path)
  })
})
